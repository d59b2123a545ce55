"""Records into words and pictures."""
