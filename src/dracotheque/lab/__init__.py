"""The laboratory: games by the million, and what they tell."""
