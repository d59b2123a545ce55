"""Programs that play: `crisis play --protocol`, JSON lines on stdin and stdout."""
