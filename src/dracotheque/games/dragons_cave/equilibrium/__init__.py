"""Dragon's Cave for two: optimal mixed strategies, found by solving the next rounds."""
