"""Save the Dragon: the rock measured and its tables fitted, and the game for two solved."""
