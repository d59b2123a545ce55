"""Random tables: rows of text drawn with dice, with choices, dice and other tables inside the text."""
