"""The verbs, one to a file: parse, play, render."""
