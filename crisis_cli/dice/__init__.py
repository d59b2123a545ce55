"""Chance and choice: the tables that answer a rule, rolled, given, asked for, or followed through all results."""

from __future__ import annotations

from ..errors import Usage

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

DICE = 10_000
"""Dice that one roll may throw, explosions and re-rolls not counted."""
EXPLOSIONS = 1_000
"""Explosions and re-rolls that one roll may set off."""
NESTING = 64
"""How deep brackets may stand in brackets."""
DEEPEST = 64
"""More nesting than this is never allowed: brackets are walked by recursion."""
LENGTH = 4_096
"""Characters of one expression."""
LARGEST = 10**12
"""The largest number that may be written."""
WRITTEN = 1_000_000
"""Characters of one line, times its repeats."""
FACES = 10_000
"""Sides of a die that explodes or is re-rolled."""
TESTED = 200_000
"""Faces that one line may compare with what explodes and is re-rolled."""
MODIFIERS = 64
"""Modifiers of one term."""
CHAIN = 10**9
"""A chain of explosions is followed until going on is less likely than one in this many."""


class Limits:
    """The limits that a player may change, by `$CRISIS_MAX_DICE` and other variables."""

    __slots__ = ("dice", "explosions", "nesting", "length", "written")

    def __init__(
        self, dice: int = DICE, explosions: int = EXPLOSIONS, nesting: int = NESTING, length: int = LENGTH
    ):
        self.dice = dice
        self.explosions = explosions
        self.nesting = min(nesting, DEEPEST)
        self.length = length
        self.written = max(WRITTEN, length)


LIMITS = Limits()


def limits(env: Mapping[str, str]) -> Limits:
    """The limits on expressions, with those set in the environment (CRISIS_MAX_…); Usage if one is not a number."""
    values = (
        _limit(env, name, default)
        for name, default in (
            ("CRISIS_MAX_DICE", DICE),
            ("CRISIS_MAX_EXPLOSIONS", EXPLOSIONS),
            ("CRISIS_MAX_NESTING", NESTING),
            ("CRISIS_MAX_LENGTH", LENGTH),
        )
    )
    return Limits(*values)


def _limit(env: Mapping[str, str], name: str, default: int) -> int:
    value = env.get(name, "")
    if not value:
        return default
    if not (value.isascii() and value.isdigit() and 0 < len(value) < 8 and int(value)):
        raise Usage(f"{name} must be a whole number above 0, not {value!r}", code="bad_setting")
    return int(value)
