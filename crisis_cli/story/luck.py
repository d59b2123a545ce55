"""Luck as an exact percentile: how often these same rolls, made independently, come to less than they did."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import erf, fsum, sqrt

from ..values import NamedTuple

MOST_ATTACKS = 2_000
"""Attacks up to which the percentile of hits is exact."""
MOST_STEPS = 2_000_000
"""Steps of the convolution up to which the percentile of harm is exact."""
BERRY_ESSEEN = 0.56
"""The constant of the bound of the normal approximation for sums of independent numbers that differ."""
FEWEST = 5
"""Attacks below which luck has no word."""
WORDS = ((97.5, "wildly lucky"), (90, "lucky"), (75, "a little lucky"), (25, "about even"))
"""From which percentile on luck is called what; below it mirrored."""
UNLUCKY = ((2.5, "wildly unlucky"), (10, "unlucky"), (25, "a little unlucky"))
"""Up to which percentile."""

Law = Mapping[int, float]
"""The probability of each value."""


class Luck(NamedTuple):
    """Where a sum of rolls stands among all that it could have been."""

    expected: float
    deviation: float
    percentile: float
    """0 to 100: the chance of less, and half the chance of the same."""
    exact: bool
    bound: float = 0.0
    """How far the percentile may be off where it is not exact, in points."""


def of_hits(chances: Sequence[float], hits: int) -> Luck:
    """The luck of so many hits in attacks with these chances."""
    return of_sum([{0: 1 - chance, 1: chance} for chance in chances], hits)


def of_sum(laws: Sequence[Law], total: int) -> Luck:
    """The luck of a total of independent numbers, given the law of each; exact unless that takes too long."""
    means = [fsum(value * chance for value, chance in law.items()) for law in laws]
    expected = fsum(means)
    spread = sqrt(fsum(_moment(law, mean, 2) for law, mean in zip(laws, means, strict=True)))
    summed = _sum(laws)
    if summed is not None:
        less = fsum(chance for value, chance in summed.items() if value < total)
        return Luck(expected, spread, 100 * (less + summed.get(total, 0.0) / 2), True)
    skew = fsum(_moment(law, mean, 3) for law, mean in zip(laws, means, strict=True))
    percentile = 50 * (1 + erf((total - expected) / (spread * sqrt(2))))
    return Luck(expected, spread, percentile, False, 100 * BERRY_ESSEEN * skew / spread**3)


def _moment(law: Law, mean: float, power: int) -> float:
    """The mean of the distance from the mean to a power."""
    return fsum(abs(value - mean) ** power * chance for value, chance in law.items())


def _sum(laws: Sequence[Law]) -> dict[int, float] | None:
    """The law of the sum; None where it takes too many steps."""
    if len(laws) > MOST_ATTACKS:
        return None
    summed: dict[int, float] = {0: 1.0}
    steps = 0
    most = MOST_STEPS if any(len(law) > 2 for law in laws) else 2 * (MOST_ATTACKS + 1) ** 2
    for law in laws:
        steps += len(summed) * len(law)
        if steps > most:
            return None
        more: dict[int, float] = {}
        for value, chance in summed.items():
            for by, weight in law.items():
                if weight:
                    more[value + by] = more.get(value + by, 0.0) + chance * weight
        summed = more
    return summed


def worded(luck: Luck, attacks: int) -> str:
    """The luck in words; empty below the fewest attacks that say anything."""
    if attacks < FEWEST:
        return ""
    low = next((word for most, word in UNLUCKY if luck.percentile <= most), "")
    return low or next(word for least, word in WORDS if luck.percentile >= least)


def merged(laws: Iterable[tuple[int, float]]) -> dict[int, float]:
    """A law from values and their chances, equal values added up."""
    law: dict[int, float] = {}
    for value, chance in laws:
        law[value] = law.get(value, 0.0) + chance
    return law
