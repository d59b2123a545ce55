"""`d6pool`: count exploding d6 at or over a minimum roll; actions kept for reactions."""
