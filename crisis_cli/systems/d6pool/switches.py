"""The options of the command line that only `d6pool` has, or that mean something of their own in it."""

from __future__ import annotations

from ...engine.switch import Switch

FIGHTING = ("attack", "throw")
ROLLING = ("check", *FIGHTING, "heal", "act")
"""The verbs that roll a pool."""
COMMAND_OPTIONS = (
    Switch(
        "mode",
        "choice",
        ("attack",),
        "How the weapon is used.",
        "POOL-18",
        ("melee", "single", "burst", "throw"),
    ),
    Switch("off-hand", "flag", (*FIGHTING, "act"), "With the weapon in the other hand.", "POOL-34"),
    Switch("knockout", "flag", ("attack",), "Knock out instead of wounding.", "POOL-31"),
    Switch("disarm", "flag", ("attack",), "Strike the weapon out of the hand.", "POOL-33"),
    Switch("aim", "whole", FIGHTING, "Actions of aiming, spent with the attack.", "POOL-20"),
    Switch("accurate", "whole", FIGHTING, "Actions of taking one's time.", "POOL-30"),
    Switch("massive", "whole", FIGHTING, "Further actions for a massive blow: 3 dice each.", "POOL-32"),
    Switch("supported", "flag", FIGHTING, "The firearm rests on something.", "POOL-35"),
    Switch("bonus", "whole", ROLLING, "Bonus dice to add.", "POOL-7"),
    Switch("destiny", "whole", ROLLING, "Destiny dice to add: each succeeds on 4+.", "POOL-7"),
    Switch("reroll", "flag", ROLLING, "Re-roll if there is no success.", "POOL-7"),
    Switch("reroll-destiny", "flag", ROLLING, "Re-roll with a destiny die: 4+ counts.", "POOL-7"),
    Switch("walk", "flag", ROLLING, "Walking along: minimum roll +1.", "POOL-12"),
    Switch("unaware", "names", FIGHTING, "Who does not perceive the attack.", "POOL-14"),
    Switch("react-weapon", "text", FIGHTING, "What the target parries with.", "POOL-28"),
    Switch("protection", "whole", (*FIGHTING, "act"), "Units of protection to use, at most.", "POOL-24"),
    Switch("rest", "flag", ("heal",), "Six hours of rest.", "POOL-39", instead="rest"),
    Switch("cost", "whole", ("act",), "Actions that it takes, where the GM says so.", "POOL-12"),
    Switch("skill", "text", ("act",), "The roll that the GM names.", "POOL-12"),
    Switch(
        "answer",
        "doings",
        (*FIGHTING, "heal", "act"),
        "Who reacts to it, and with what: attack, hunker or the like.",
        "POOL-14",
    ),
    Switch("hits", "whole", ("act",), "How many hits strike, 1 if nothing is said.", "POOL-26"),
    Switch("each", "whole", ("act",), "Wounds of each of them, 1 if nothing is said.", "POOL-26"),
)
