"""Programs that play, over JSON lines on stdin and stdout (`crisis play --protocol`)."""
