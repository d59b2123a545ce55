"""The options of the command line of `step`: its own ones, and those that mean something special in it."""

from __future__ import annotations

from ...rules import CommandOption

CARE = {"none": -2, "self": 0, "doctor": 1, "hospital": 2}
"""STEP-37: medical attention and its modifier; the default is none."""


FIRE, HEAL = ("attack", "throw"), ("heal",)
COMMAND_OPTIONS = (
    CommandOption(
        "shots", "whole", FIRE, "Number of attacks in this action (default: one for each target).", "STEP-21"
    ),
    CommandOption(
        "hex", "flag", FIRE, "The field has hexagons: a miss scatters in the direction of a d6.", "STEP-27"
    ),
    CommandOption("spare", "flag", (*FIRE, "act"), "Knock out instead of killing.", "STEP-33"),
    CommandOption("assets", "whole", ("heal", "check"), "Number of tools at hand that help.", "STEP-34"),
    CommandOption("aid", "names", ("heal", "check"), "Fighters who help.", "STEP-10"),
    CommandOption("nonlethal", "flag", HEAL, "Treat the non-lethal wounds.", "STEP-35"),
    CommandOption("old", "flag", HEAL, "The wounds are more than an hour old.", "STEP-34"),
    CommandOption(
        "natural", "flag", HEAL, "Heal naturally, by rest and time.", "STEP-37", instead="natural-healing"
    ),
    CommandOption("hours", "whole", HEAL, "With --natural: number of hours that pass.", "STEP-37"),
    CommandOption("days", "whole", HEAL, "With --natural: number of days that pass (default: 1).", "STEP-37"),
    CommandOption("care", "choice", HEAL, "With --natural: who treats the wounds.", "STEP-37", tuple(CARE)),
    CommandOption("rough", "flag", HEAL, "With --natural: the patient travels and sleeps rough.", "STEP-37"),
    CommandOption(
        "poor", "flag", HEAL, "With --natural: the patient is exposed to cold, heat or rain.", "STEP-37"
    ),
)
