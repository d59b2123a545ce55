"""The options of the command line of `d6pool`: its own ones, and those that mean something special in it."""

from __future__ import annotations

from ...rules import CommandOption

FIGHTING = ("attack", "throw")
STRIKING, ACTING = (*FIGHTING, "act"), (*FIGHTING, "heal", "act")
ROLLING = ("check", *ACTING)
MODES = ("melee", "single", "burst", "throw")
COMMAND_OPTIONS = (
    CommandOption("difficulty", "text", (*FIGHTING, "heal"), "Difficulty: a number or a word.", "POOL-5"),
    CommandOption("mode", "choice", ("attack", "act"), "Mode in which the weapon is used.", "POOL-18", MODES),
    CommandOption("off-hand", "flag", STRIKING, "Use the weapon in the other hand.", "POOL-34"),
    CommandOption("knockout", "flag", ("attack",), "Knock out instead of wounding.", "POOL-31"),
    CommandOption("disarm", "flag", ("attack",), "Strike the target's weapon out of its hand.", "POOL-33"),
    CommandOption("aim", "whole", STRIKING, "Number of actions spent aiming before the attack.", "POOL-20"),
    CommandOption("accurate", "whole", STRIKING, "Number of actions spent aiming carefully.", "POOL-30"),
    CommandOption("massive", "whole", STRIKING, "Further actions spent on the blow: 3 dice each.", "POOL-32"),
    CommandOption("supported", "flag", STRIKING, "The firearm rests on a support.", "POOL-35"),
    CommandOption("bonus", "whole", ROLLING, "Number of bonus dice to add.", "POOL-7"),
    CommandOption("destiny", "whole", ROLLING, "Number of destiny dice to add: 4+ succeeds.", "POOL-7"),
    CommandOption("reroll", "flag", ROLLING, "Re-roll if no die succeeds.", "POOL-7"),
    CommandOption("reroll-destiny", "flag", ROLLING, "Re-roll with a destiny die: 4+ counts.", "POOL-7"),
    CommandOption("walk", "flag", ROLLING, "The actor walks at the same time: minimum roll +1.", "POOL-12"),
    CommandOption("unaware", "names", STRIKING, "Fighters who do not perceive the attack.", "POOL-14"),
    CommandOption("react-weapon", "text", STRIKING, "Weapon with which the target parries.", "POOL-28"),
    CommandOption("protection", "whole", STRIKING, "Most units of protection to use.", "POOL-24"),
    CommandOption("rest", "flag", ("heal",), "Rest for six hours.", "POOL-39", instead="rest"),
    CommandOption("cost", "whole", ("act",), "Number of actions it costs, if the GM decides.", "POOL-12"),
    CommandOption("skill", "text", ("act",), "Skill to roll, if the GM asks for a roll.", "POOL-12"),
    CommandOption("answer", "answers", ACTING, "Fighters who react to it, each with an action.", "POOL-14"),
    CommandOption("hits", "whole", ("act",), "Number of hits (default: 1).", "POOL-26"),
    CommandOption("each", "whole", ("act",), "Wounds per hit (default: 1).", "POOL-26"),
)
