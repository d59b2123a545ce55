"""Programs and language models that play: JSON lines (`crisis play --protocol`) and MCP (`crisis mcp`)."""
