"""Games that are kept, two of every rules version."""
