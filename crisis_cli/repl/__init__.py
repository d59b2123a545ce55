"""The prompt: a whole crisis played from the keyboard, on the same commands as the shell."""
