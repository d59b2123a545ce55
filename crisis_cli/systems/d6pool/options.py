"""The options of the command line that only `d6pool` has, or that mean something of their own in it."""

from __future__ import annotations

from ...rules import CommandOption

FIGHTING = ("attack", "throw")
ROLLING = ("check", *FIGHTING, "heal", "act")
"""The verbs that roll a pool."""
COMMAND_OPTIONS = (
    CommandOption(
        "mode",
        "choice",
        ("attack",),
        "How the weapon is used.",
        "POOL-18",
        ("melee", "single", "burst", "throw"),
    ),
    CommandOption("off-hand", "flag", (*FIGHTING, "act"), "With the weapon in the other hand.", "POOL-34"),
    CommandOption("knockout", "flag", ("attack",), "Knock out instead of wounding.", "POOL-31"),
    CommandOption("disarm", "flag", ("attack",), "Strike the weapon out of the hand.", "POOL-33"),
    CommandOption("aim", "whole", FIGHTING, "Actions of aiming, spent with the attack.", "POOL-20"),
    CommandOption("accurate", "whole", FIGHTING, "Actions of taking one's time.", "POOL-30"),
    CommandOption(
        "massive", "whole", FIGHTING, "Further actions for a massive blow: 3 dice each.", "POOL-32"
    ),
    CommandOption("supported", "flag", FIGHTING, "The firearm rests on something.", "POOL-35"),
    CommandOption("bonus", "whole", ROLLING, "Bonus dice to add.", "POOL-7"),
    CommandOption("destiny", "whole", ROLLING, "Destiny dice to add: each succeeds on 4+.", "POOL-7"),
    CommandOption("reroll", "flag", ROLLING, "Re-roll if there is no success.", "POOL-7"),
    CommandOption("reroll-destiny", "flag", ROLLING, "Re-roll with a destiny die: 4+ counts.", "POOL-7"),
    CommandOption("walk", "flag", ROLLING, "Walking along: minimum roll +1.", "POOL-12"),
    CommandOption("unaware", "names", FIGHTING, "Who does not perceive the attack.", "POOL-14"),
    CommandOption("react-weapon", "text", FIGHTING, "What the target parries with.", "POOL-28"),
    CommandOption(
        "protection", "whole", (*FIGHTING, "act"), "Units of protection to use, at most.", "POOL-24"
    ),
    CommandOption("rest", "flag", ("heal",), "Six hours of rest.", "POOL-39", instead="rest"),
    CommandOption("cost", "whole", ("act",), "Actions that it takes, where the GM says so.", "POOL-12"),
    CommandOption("skill", "text", ("act",), "The roll that the GM names.", "POOL-12"),
    CommandOption(
        "answer",
        "doings",
        (*FIGHTING, "heal", "act"),
        "Who reacts to it, and with what: attack, hunker or the like.",
        "POOL-14",
    ),
    CommandOption("hits", "whole", ("act",), "How many hits strike, 1 if nothing is said.", "POOL-26"),
    CommandOption("each", "whole", ("act",), "Wounds of each of them, 1 if nothing is said.", "POOL-26"),
)
