"""What happens in a crisis, and its record."""
