"""Words of the rules that options of the command line take too: read without the rulebook."""

CARE = {"none": -2, "self": 0, "doctor": 1, "hospital": 2}
"""STEP-37: medical attention; none where nothing is said."""
