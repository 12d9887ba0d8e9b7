"""What studies share."""
