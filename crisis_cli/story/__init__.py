"""The story of a crisis, told from its journal alone: recap, Markdown, Lonelog, a page for the browser."""
