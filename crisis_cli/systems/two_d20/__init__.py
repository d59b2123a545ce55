"""`2d20`: d20s at or under attribute + skill, combat dice, and Action Points that a side shares."""
