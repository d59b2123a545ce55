"""Chance and choice: who answers when a rule asks."""
