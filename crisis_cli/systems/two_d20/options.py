"""The command-line options of `2d20`, and the words of its rules that they take: read without the rulebook."""

from __future__ import annotations

from ...rules import CommandOption

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

FIRE = ("attack", "throw")
TESTS = (*FIRE, "heal", "check", "act")
COMMAND_OPTIONS = (
    CommandOption("buy", "whole", TESTS, "More d20, up to three, for 1, 2 and 3 AP.", "2D20-6"),
    CommandOption(
        "luck", "whole", TESTS, "Luck points for rolling again, N at most; 0 asks for none.", "2D20-8"
    ),
    CommandOption("ap", "whole", TESTS, "Outside a crisis: AP of the actor's side.", "2D20-7"),
    CommandOption(
        "attribute", "choice", ("check", "act"), "Another attribute than usual.", "2D20-4", ATTRIBUTES
    ),
    CommandOption("skill", "choice", ("act",), "Which skill.", "2D20-4", tuple(SKILLS)),
    CommandOption("ap-spend", "whole", ("heal", "act"), "AP to spend on it, as far as they reach.", "2D20-5"),
    CommandOption("prone", "flag", ("act",), "Drop to the ground on the way.", "2D20-12"),
    CommandOption("location", "choice", FIRE, "Call for a location: +1 difficulty.", "2D20-13", PLACES),
    CommandOption(
        "extra-rounds", "whole", ("attack",), "Rounds more, a combat die each, after a hit.", "2D20-19"
    ),
    CommandOption("ap-dice", "whole", FIRE, "AP for damage dice after a hit, 3 at most.", "2D20-19"),
    CommandOption("aim", "whole", FIRE, "Aimed before: one d20 again.", "2D20-11"),
    CommandOption("reach", "names", FIRE, "Enemies within reach.", "2D20-15"),
    CommandOption("complication", "choice", FIRE, "What a complication does.", "2D20-25", ("empty",)),
    CommandOption("treat", "choice", ("heal", "act"), "Treat an injury.", "2D20-27", PLACES),
    CommandOption("stabilise", "flag", ("heal", "act"), "Stabilise someone dying.", "2D20-27"),
    CommandOption("heal-hp", "flag", ("heal", "act"), "Give HP back.", "2D20-27"),
)
