"""Dice that explode on their highest face: thrown wave by wave, and the distribution of one of them.

A chain ends after so many dice that going on is less likely than one in CHAIN. In its distribution the last two waves
together stand for all that would follow: they are weighed so that the mean of the face values, and of
whatever grows by the same for each further wave, is that of a chain without end.
"""

from __future__ import annotations

from . import CHAIN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Protocol

    class FaceSource(Protocol):
        """The source of faces, which also records that a chain was truncated."""

        def die(self, sides: int) -> int: ...

        def truncate(self) -> None: ...


def longest(sides: int) -> int:
    """The dice of the longest chain, 2 or more: after so many highest faces a die stands as it is.

    A die of one side does not explode.
    """
    dice = 2 if sides > 1 else 1
    while sides > 1 and sides**dice <= CHAIN:
        dice += 1
    return dice


def waves(table: FaceSource, count: int, sides: int) -> list[int]:
    """The sum of each of `count` exploding dice: all of them first, then each wave of those that go on (ALL-2)."""
    values = [table.die(sides) for _ in range(count)]
    going = [at for at in range(count) if values[at] == sides]
    if not going:
        return values
    for wave in range(2, longest(sides) + 1):
        for at in going:
            values[at] += table.die(sides)
        going = [at for at in going if values[at] == sides * wave]
        if not going:
            return values
    if sides > 1:
        table.truncate()
    return values


def ways_of_one(sides: int) -> Iterable[tuple[int, int]]:
    """The grades that one exploding die can have, each with its ways out of `total_of_one`.

    With n sides, a chain that has got as far as the last wave but one goes on for 1 / (n - 1) waves more on
    average: it ends there in n - 2 of n - 1 cases, and in the other one wave later.
    """
    if sides == 1:
        yield 1, 1
        return
    last = longest(sides) - 2
    for wave in range(last + 2):
        before = max(last - wave, 0)
        each = sides ** (before - 1) * (sides - 1) ** 2 if before else sides - 2 if wave == last else 1
        if each:
            for face in range(1, sides):
                yield sides * wave + face, each


def total_of_one(sides: int) -> int:
    """The ways of one exploding die together."""
    return 1 if sides == 1 else sides ** (longest(sides) - 2) * (sides - 1) ** 2
