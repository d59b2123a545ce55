"""Characters and journals on disk."""
