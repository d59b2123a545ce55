"""For value types of a rulebook's own on sheets: the position of an error, its report, and reading amounts."""

from ..engine.dice_amount import parse_amount
from ..engine.kinds import Path, wrong

__all__ = ["Path", "parse_amount", "wrong"]
