"""Many rolls drawn from the distribution at once."""

from __future__ import annotations

from math import sqrt
from random import Random

import pytest

from crisis_cli.dice.histogram import BLOCK, histogram, under
from crisis_cli.notation.distribution import distribution_of
from crisis_cli.notation.parser import parse


@pytest.mark.parametrize("text", ["3d6", "4d6kh3", "5d6!", "1000d6", "1d1", "3d20<=1"])
def test_counts_are_those_of_rolls(text: str) -> None:
    """All rolls are counted, and come as often as the distribution says: chi squared within four deviations."""
    found, rolls = distribution_of(parse(text)), 1_000_000
    counts = histogram(found, rolls, Random(7))
    assert sum(counts.values()) == rolls
    assert list(counts) == sorted(counts)
    assert set(counts) <= set(found.ways)
    squares, cells = 0.0, 0
    for value, ways in found:
        expected = rolls * (ways / found.total)
        if expected >= 8:
            squares += (counts.get(value, 0) - expected) ** 2 / expected
            cells += 1
    assert squares <= max(cells - 1, 0) + 4 * sqrt(2 * cells)


def test_the_same_seed_gives_the_same_counts() -> None:
    found = distribution_of(parse("3d6"))
    assert histogram(found, 1_000, Random(2)) == histogram(found, 1_000, Random(2))
    assert histogram(found, 0, Random(2)) == {}


def test_ends_are_certain() -> None:
    """No chance never comes, certainty always, also over several blocks."""
    many = 2 * BLOCK + 5
    assert under(0, 7, many, Random(1)) == 0
    assert under(7, 7, many, Random(1)) == many
    assert abs(under(1, 3, many, Random(1)) - many / 3) < 4 * sqrt(many * 2 / 9)
