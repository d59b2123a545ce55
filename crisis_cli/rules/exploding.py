"""Exploding dice for rules that need only the grade of each die, such as hit or miss, and its face later if at all."""

from ..dice.graded import NO_DICE, Graded, graded

__all__ = ["NO_DICE", "Graded", "graded"]
