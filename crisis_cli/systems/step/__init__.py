"""`step`: one exploding die against a difficulty, paid for in action points."""
