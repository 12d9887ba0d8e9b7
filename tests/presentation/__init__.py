"""The tests of what games share when they are shown."""
