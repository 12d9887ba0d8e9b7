"""Dragon's Cave: the study of its coins, small caves solved, and how strong best strategies are."""
