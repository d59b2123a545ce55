"""Who chooses when the player does not."""
