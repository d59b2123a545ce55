"""Many whole fights: how they are fought, counted and shared out among processes."""
