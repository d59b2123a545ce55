"""Measures of a distribution: percentiles, most likely values, the better of two."""

from __future__ import annotations

from ..errors import TooWide
from .convolution import crossing
from .distribution import Distribution

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .effort import Effort


LARGEST = 10**100
"""The odds of larger totals are refused: a deviation in floating point would overflow."""


def finite(distribution: Distribution) -> Distribution:
    """The distribution as it is; TooWide where a total is larger than floating point can take."""
    if max(map(abs, distribution.ways)) > LARGEST:
        raise TooWide("odds of totals beyond a googol (10^100)", hint="write smaller numbers")
    return distribution


def percentile(distribution: Distribution, percent: float) -> int:
    """The lowest number that a roll is at or under with at least this chance, in percent (50: the median)."""
    above, below = percent.as_integer_ratio()
    reached = 0
    outcomes = sorted(distribution.ways)
    for outcome in outcomes:
        reached += distribution.ways[outcome]
        if reached * 100 * below >= above * distribution.total:
            return int(outcome)
    return int(outcomes[-1])


def likeliest(distribution: Distribution) -> list[int]:
    """The most likely number, or all that are equally so, rising."""
    most = max(distribution.ways.values())
    return sorted(outcome for outcome, ways in distribution if ways == most)


def compared(left: Distribution, right: Distribution, effort: Effort | None = None) -> tuple[int, int, int]:
    """In how many ways the left number is higher, equal, lower than the right.

    Together they make left.total * right.total. TooWide where the effort is not enough.
    """
    if effort:
        effort.spend(2 * len(left.ways) * (300 + crossing(left.total, right.total)))
    better = equal = passed = 0
    lower = iter(sorted(right.ways))
    behind = next(lower, None)
    for outcome in sorted(left.ways):
        while behind is not None and behind < outcome:
            passed += right.ways[behind]
            behind = next(lower, None)
        better += left.ways[outcome] * passed
        equal += left.ways[outcome] * right.ways.get(outcome, 0)
    return better, equal, left.total * right.total - better - equal
