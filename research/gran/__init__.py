"""Gran: the study of its map."""
