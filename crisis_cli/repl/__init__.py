"""The prompt; the only package that imports prompt_toolkit."""
