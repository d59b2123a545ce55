"""The command-line options of `2d20`, and the words that they take; read without loading the rulebook."""

from __future__ import annotations

from ...rules import CommandOption

ATTRIBUTES = ("str", "per", "end", "cha", "int", "agi", "lck")
SKILLS = {
    "athletics": "agi", "barter": "cha", "big-guns": "end", "energy-weapons": "per", "explosives": "per",
    "lockpick": "per", "medicine": "int", "melee-weapons": "str", "pilot": "per", "repair": "int",
    "science": "int", "small-guns": "agi", "sneak": "agi", "speech": "cha", "survival": "end",
    "throwing": "agi", "unarmed": "str",
}  # fmt: skip
"""2D20-1: the skills, each with its usual attribute (a reading)."""
PLACES = ("head", "torso", "left-arm", "right-arm", "left-leg", "right-leg")
"""2D20-3, 2D20-17: hit locations."""

FIRE, ACT, AID, CHECKS = ("attack", "throw"), ("act",), ("heal", "act"), ("check", "act")
TESTS = (*FIRE, "heal", *CHECKS)
"""The commands that take an option."""
COMMAND_OPTIONS = (
    CommandOption("buy", "whole", TESTS, "Number of d20 to buy, up to three, for 1, 2 and 3 AP.", "2D20-6"),
    CommandOption("luck", "whole", TESTS, "Most Luck points to spend on re-rolls; 0 for none.", "2D20-8"),
    CommandOption("ap", "whole", TESTS, "Outside a crisis: the AP of the actor's side.", "2D20-7"),
    CommandOption(
        "attribute", "choice", CHECKS, "Attribute to use instead of the usual one.", "2D20-4", ATTRIBUTES
    ),
    CommandOption("skill", "choice", ACT, "Skill to use.", "2D20-4", tuple(SKILLS)),
    CommandOption("ap-spend", "whole", AID, "Most AP to spend on it.", "2D20-5"),
    CommandOption("prone", "flag", ACT, "Drop prone at the end of the move.", "2D20-12"),
    CommandOption("location", "choice", FIRE, "Aim at this location: +1 difficulty.", "2D20-13", PLACES),
    CommandOption(
        "extra-rounds", "whole", ("attack",), "Extra rounds for the hit: a combat die each.", "2D20-19"
    ),
    CommandOption("ap-dice", "whole", FIRE, "AP spent on damage dice after a hit, at most 3.", "2D20-19"),
    CommandOption("aim", "whole", FIRE, "Aim actions before the attack: one d20 is re-rolled.", "2D20-11"),
    CommandOption("reach", "names", FIRE, "Enemies within reach of the actor.", "2D20-15"),
    CommandOption(
        "complication", "choice", FIRE, "A complication empties the weapon.", "2D20-25", ("empty",)
    ),
    CommandOption("away", "thing", ACT, "Thing in hand to stow while drawing another.", "2D20-11"),
    CommandOption("treat", "choice", AID, "Treat the injury of this location.", "2D20-27", PLACES),
    CommandOption("stabilise", "flag", AID, "Stabilise a dying patient.", "2D20-27"),
    CommandOption("heal-hp", "flag", AID, "Restore HP.", "2D20-27"),
    CommandOption(
        "when", "text", ACT, "Trigger of a readied action: any, reach, range:N or attacks:NAME.", "2D20-11"
    ),
)
