"""The plans of a fighter: what to ready, where to go, what to attack with and how, over this turn and the next ones."""
