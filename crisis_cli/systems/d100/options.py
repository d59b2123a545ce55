"""The options of the command line that only `d100` has, or that mean something of their own in it."""

from __future__ import annotations

from ...rules import CommandOption

SHOTS = {"single": 1, "semi": 2, "auto": 4}
"""D100-18: shots of one check (two for semi: a reading)."""

CHECKED = ("check", "attack", "throw", "heal", "act")
"""The verbs that make a check."""
COMMAND_OPTIONS = (
    CommandOption("mode", "choice", ("attack",), "How a firearm fires.", "D100-18", tuple(SHOTS)),
    CommandOption("checks", "whole", ("attack",), "Checks of automatic fire, 1 to 3.", "D100-18"),
    CommandOption("stable", "flag", ("attack",), "Shooting from a steady rest: an Assist.", "D100-20"),
    CommandOption(
        "surprise", "flag", ("attack", "throw"), "Sneaking and unnoticed: [+] in melee.", "D100-21"
    ),
    CommandOption("assist", "whole", CHECKED, "Assists, +10 each.", "D100-4"),
    CommandOption("obstacle", "whole", CHECKED, "Obstacles, -10 each.", "D100-4"),
    CommandOption("plus", "flag", CHECKED, "[+]: the lower of two d100 counts.", "D100-5"),
    CommandOption("minus", "flag", CHECKED, "[-]: the higher of two d100 counts.", "D100-5"),
    CommandOption(
        "in-sequence",
        "flag",
        ("init", "attack", "throw"),
        "Harm within the acting group counts at once.",
        "D100-8",
    ),
)
