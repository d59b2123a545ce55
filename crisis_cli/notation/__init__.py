"""The dice language: lexer, grammar, syntax tree, roller, distribution, and spellings of other programs."""
