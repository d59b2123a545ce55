"""Exploding dice of which a rule keeps the grades alone, until somebody looks at what they show."""

from ..dice.graded import NO_DICE, Graded, graded

__all__ = ["NO_DICE", "Graded", "graded"]
