"""Words of the rules that options of the command line take too: read without the rulebook."""

SHOTS = {"single": 1, "semi": 2, "auto": 4}
"""D100-18: shots of one check (two for semi: a reading)."""
