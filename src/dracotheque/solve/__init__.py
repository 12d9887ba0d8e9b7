"""Perfect play where a game is small enough: solved once, kept in the package, looked up at the table."""
