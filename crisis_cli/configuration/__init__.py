"""The settings of the player and of a folder: their keys, their files, and which value holds."""
