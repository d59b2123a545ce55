"""The dice language: read, spelled, rolled, and weighed."""
