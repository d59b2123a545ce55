"""Words of the rules that options of the command line take too: read without the rulebook."""

ATTRIBUTES = ("str", "per", "end", "cha", "int", "agi", "lck")
SKILLS = {
    "athletics": "agi", "barter": "cha", "big-guns": "end", "energy-weapons": "per", "explosives": "per",
    "lockpick": "per", "medicine": "int", "melee-weapons": "str", "pilot": "per", "repair": "int",
    "science": "int", "small-guns": "agi", "sneak": "agi", "speech": "cha", "survival": "end",
    "throwing": "agi", "unarmed": "str",
}  # fmt: skip
"""2D20-1: the skills, each with the attribute that goes with it where nobody says another (a reading)."""
PLACES = ("head", "torso", "left-arm", "right-arm", "left-leg", "right-leg")
"""2D20-3, 2D20-17: where one can be struck."""
