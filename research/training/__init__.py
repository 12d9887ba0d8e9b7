"""Dragon's Cave for two learned by playing it, and pictures of how learning went."""
