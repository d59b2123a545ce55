"""Text and JSON made from records, for all systems alike."""
