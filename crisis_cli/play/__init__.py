"""What is done with a crisis, without a command line: opened, played, recorded, undone and ended."""
