"""The pool of d6 that explode, wave by wave (POOL-4, ALL-2), and what its dice are worth (POOL-6, POOL-17)."""

from __future__ import annotations

from typing import Any, NamedTuple

from ...dice.graded import Graded, graded

SIDES = 6
CRITICAL, STEP = 11, 6
"""POOL-17: from here on a hit is critical; a wound more for each further step."""
NEVER = 1_000_000
"""The critical threshold of a roll without critical hits (POOL-18)."""
HIT = "hit"
"""The grade of a hit that is not critical; that of one that is names what its die reaches at least."""


class Scale(NamedTuple):
    """What the dice of a pool are measured by."""

    least: int
    """The minimum roll (POOL-4)."""
    critical: int = NEVER

    @property
    def floor(self) -> int:
        """What the die of a critical hit reaches at least: it is a hit as well (POOL-17)."""
        return max(self.least, self.critical)


def grade_of(value: int, scale: Scale) -> str | int | None:
    """POOL-4: a success at the minimum roll; POOL-17: a critical one from the threshold on; None for a failure."""
    if value < scale.least:
        return None
    return HIT if value < scale.critical else scale.floor


def mega(value: int) -> int:
    """POOL-17: the wounds more of a critical hit; its steps never move."""
    return max(0, (value - CRITICAL) // STEP)


def scored(table: Any, count: int, scale: Scale) -> Graded:
    """A rule: the hits of a hit roll, or of a parry."""
    return graded(table, count, SIDES, grade_of, scale, note="values")


def critical(hits: Graded) -> Graded:
    """The critical ones among the hits."""
    return hits.without(HIT)


def criticals(hits: Graded) -> int:
    """How many of the hits are critical."""
    return hits.count - hits.of(HIT)


def worth_of(value: int, least: int) -> int:
    """POOL-6: one more at 11, two at 17 …, once the die is a success at all."""
    return 0 if value < least else 1 + max(0, (value - CRITICAL) // STEP + 1)


def counted(table: Any, count: int, least: int) -> int:
    """A rule, POOL-6: the successes of a roll that is no attack."""
    found: int = table.exploding(count, SIDES, worth_of, least, note="values")
    return found


def summed(table: Any, count: int) -> int:
    """A rule, POOL-8: the sum of the dice."""
    total: int = table.exploding(count, SIDES, int, note="values")
    return total
