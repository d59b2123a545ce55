"""Kinds of sheet values of one's own: where a fault stands, how it is noted, and how amounts are read."""

from ..engine.dice_amount import parse_amount
from ..engine.kinds import Path, wrong

__all__ = ["Path", "parse_amount", "wrong"]
