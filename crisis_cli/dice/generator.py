"""Dice thrown by a generator of random numbers: the same seed, the same dice."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _random import Random
    from collections.abc import Callable

    from .table import Throw


class Seeded:
    """Dice thrown by a generator; only its `random()` is used, the one method Python keeps stable."""

    __slots__ = ("random",)

    def __init__(self, random: Callable[[], float]):
        self.random = random

    def face(self, sides: int, throw: Throw) -> int:
        """A face, each equally likely."""
        return int(self.random() * sides) + 1


MASK = (1 << 64) - 1


def mixed(*numbers: int) -> int:
    """A number of 64 bits in which every bit hangs on every number given (the splitmix64 finish)."""
    state = 0
    for number in numbers:
        state = (state ^ (number & MASK)) + 0x9E3779B97F4A7C15 & MASK
        # What a number has above 64 bits counts as well.
        state ^= (number >> 64) & MASK
        state = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 & MASK
        state = (state ^ state >> 27) * 0x94D049BB133111EB & MASK
        state ^= state >> 31
    return state


def generator(*numbers: int) -> Random:
    """The generator for these numbers: the same ones, the same dice, on every machine."""
    from _random import Random

    return Random(mixed(*numbers))
