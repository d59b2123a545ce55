"""The story of a crisis, made from its journal alone: recap, Markdown, Lonelog, a page for the browser."""
