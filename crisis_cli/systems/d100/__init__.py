"""`d100`: at or under a rating, with Actions and Small Actions."""
