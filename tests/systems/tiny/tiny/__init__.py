"""`tiny`: one die against a guard; the smallest rulebook that can hold a crisis."""
