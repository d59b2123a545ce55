"""The options of the command line of `step`: its own ones, and those that mean something special in it."""

from __future__ import annotations

from ...rules import CommandOption as Option

CARE = {"none": -2, "self": 0, "doctor": 1, "hospital": 2}
"""STEP-37: medical attention and its modifier; the default is none."""
FIRE, HEAL, REST = ("attack", "throw"), ("heal",), ("heal", "rest")
COMMAND_OPTIONS = (
    Option("shots", "whole", FIRE, "Attacks in this action (default: one for each target).", "STEP-21"),
    Option("hex", "flag", FIRE, "The field has hexagons: a miss scatters by a d6.", "STEP-27"),
    Option("spare", "flag", (*FIRE, "act"), "Knock out instead of killing.", "STEP-33"),
    Option("assets", "whole", ("heal", "check"), "Number of tools at hand that help.", "STEP-34"),
    Option("aid", "names", ("heal", "check"), "Fighters who help.", "STEP-10"),
    Option("nonlethal", "flag", HEAL, "Treat the non-lethal wounds.", "STEP-35"),
    Option("old", "flag", HEAL, "The wounds are more than an hour old.", "STEP-34"),
    Option("natural", "flag", HEAL, "Heal by rest and time.", "STEP-37", instead="natural-healing"),
    Option("hours", "whole", HEAL, "With --natural: number of hours that pass.", "STEP-37"),
    Option("days", "whole", HEAL, "With --natural: number of days that pass (default: 1).", "STEP-37"),
    Option("care", "choice", REST, "In natural healing: who treats the wounds.", "STEP-37", tuple(CARE)),
    Option("rough", "flag", REST, "In natural healing: the patient travels and sleeps rough.", "STEP-37"),
    Option("poor", "flag", REST, "In natural healing: cold, heat or rain.", "STEP-37"),
)
