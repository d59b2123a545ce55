"""Probabilities and distributions for JSON: numbers, with exact fractions if there are any."""

from __future__ import annotations

from math import gcd

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..dice.distribution import Distribution


def fraction(ways: int, total: int) -> str:
    """A fraction in lowest terms, spelled `a/b`."""
    common = gcd(ways, total)
    return f"{ways // common}/{total // common}"


LONGEST = 13_000
"""Bits of a denominator beyond which no fraction is written: Python spells no longer numbers."""
WRITTEN = 14_000_000
"""Bits of all fractions of one distribution beyond which none is written: some four million digits."""


def spellable(total: int) -> bool:
    """Whether a fraction with this denominator can be written."""
    return total.bit_length() <= LONGEST


def exact(distribution: Distribution) -> bool:
    """Whether the fractions of a distribution are exact, and short enough to be written."""
    written = 2 * distribution.total.bit_length() * len(distribution.ways)
    return not distribution.truncated and spellable(distribution.total) and written <= WRITTEN


def chance(ways: int, total: int, truncated: bool = False) -> dict[str, Any]:
    """A probability, and its exact fraction where it has one that can be written."""
    return {"p": ways / total} | (
        {"exact": fraction(ways, total)} if not truncated and spellable(total) else {}
    )


def distribution_rows(distribution: Distribution) -> list[dict[str, Any]]:
    """Every value of a distribution with its probability."""
    rough = not exact(distribution)
    return [
        {"value": value, **chance(ways, distribution.total, rough)} for value, ways in sorted(distribution)
    ]


def weighed(distribution: Distribution) -> dict[str, Any]:
    """A distribution with its mean and standard deviation."""
    return {
        "mean": distribution.mean(),
        "sd": distribution.deviation(),
        "distribution": distribution_rows(distribution),
    }
