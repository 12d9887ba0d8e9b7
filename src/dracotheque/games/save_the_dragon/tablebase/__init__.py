"""Save the Dragon for two: the table of every position, solved, and the bot that plays by it."""
