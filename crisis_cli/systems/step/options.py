"""The options of the command line that only `step` has, or that mean something of their own in it."""

from __future__ import annotations

from ...rules import CommandOption

CARE = {"none": -2, "self": 0, "doctor": 1, "hospital": 2}
"""STEP-37: medical attention; none where nothing is said."""


FIRE, HEAL = ("attack", "throw"), ("heal",)
COMMAND_OPTIONS = (
    CommandOption(
        "shots", "whole", FIRE, "Attacks in this action; by default one for each target.", "STEP-21"
    ),
    CommandOption("hex", "flag", FIRE, "The field has hexagons: a miss scatters by a d6.", "STEP-27"),
    CommandOption("spare", "flag", (*FIRE, "act"), "Knock out instead of killing.", "STEP-33"),
    CommandOption("assets", "whole", ("heal", "check"), "Tools at hand that help.", "STEP-34"),
    CommandOption("aid", "names", ("heal", "check"), "Who helps.", "STEP-10"),
    CommandOption("nonlethal", "flag", HEAL, "Treat the non-lethal wounds.", "STEP-35"),
    CommandOption("old", "flag", HEAL, "The wounds are older than an hour.", "STEP-34"),
    CommandOption("natural", "flag", HEAL, "Let time heal.", "STEP-37", instead="natural-healing"),
    CommandOption("hours", "whole", HEAL, "With --natural: hours that pass.", "STEP-37"),
    CommandOption("days", "whole", HEAL, "With --natural: days that pass; 1 if nothing is said.", "STEP-37"),
    CommandOption(
        "care", "choice", HEAL, "With --natural: who looks after the wounds.", "STEP-37", tuple(CARE)
    ),
    CommandOption("rough", "flag", HEAL, "With --natural: travelling rough.", "STEP-37"),
    CommandOption("poor", "flag", HEAL, "With --natural: cold, heat or rain.", "STEP-37"),
)
