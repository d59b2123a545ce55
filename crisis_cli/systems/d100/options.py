"""The options of the command line of `d100`: its own ones, and those that mean something special in it."""

from __future__ import annotations

from ...rules import CommandOption

SHOTS = {"single": 1, "semi": 2, "auto": 4}
"""D100-18: shots of one check (two for semi: a reading)."""

CHECKED = ("check", "attack", "throw", "heal", "act")
"""The verbs that make a check."""
COMMAND_OPTIONS = (
    CommandOption("mode", "choice", ("attack",), "Fire mode of the firearm.", "D100-18", tuple(SHOTS)),
    CommandOption("checks", "whole", ("attack",), "Number of checks of automatic fire, 1 to 3.", "D100-18"),
    CommandOption("stable", "flag", ("attack",), "The firearm is steadied: one Assist.", "D100-20"),
    CommandOption(
        "surprise", "flag", ("attack", "throw"), "The attacker sneaks unnoticed: [+] in melee.", "D100-21"
    ),
    CommandOption("assist", "whole", CHECKED, "Number of Assists, +10 each.", "D100-4"),
    CommandOption("obstacle", "whole", CHECKED, "Number of Obstacles, -10 each.", "D100-4"),
    CommandOption("plus", "flag", CHECKED, "Roll with [+]: the lower of two d100 counts.", "D100-5"),
    CommandOption("minus", "flag", CHECKED, "Roll with [-]: the higher of two d100 counts.", "D100-5"),
    CommandOption(
        "in-sequence",
        "flag",
        ("init", "attack", "throw"),
        "Apply harm within the acting group at once, not at the end of its turn.",
        "D100-8",
    ),
    CommandOption(
        "when",
        "text",
        ("act",),
        "Trigger of a readied action: any, reach, range:N or attacks:NAME.",
        "D100-11",
    ),
)
