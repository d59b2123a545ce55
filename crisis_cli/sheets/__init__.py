"""Files: sheets, encounters and tables found, checked and saved; journals on disk; paths, which are text."""
