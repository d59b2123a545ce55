"""How often each total comes in many rolls, drawn from the exact distribution without rolling one of them.

The rolls are split between the lower and the upper half of the outcomes, each half again, and so on.
How many of n rolls fall into the lower half is drawn exactly: each roll is a binary number drawn
digit by digit, and is compared with the chance digit by digit; only those still equal go on.
"""

from __future__ import annotations

from .distribution import Distribution

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    class Generator(Protocol):
        """Gives random bits."""

        def getrandbits(self, bits: int, /) -> int: ...


BLOCK = 1 << 20
"""Rolls whose digits are drawn at once."""


def histogram(distribution: Distribution, rolls: int, generator: Generator) -> dict[int, int]:
    """How often each outcome comes in so many rolls, rising; outcomes that do not come are left out."""
    outcomes = sorted(distribution.ways)
    sums = [0]
    for outcome in outcomes:
        sums.append(sums[-1] + distribution.ways[outcome])
    counts: dict[int, int] = {}
    waiting = [(0, len(outcomes), rolls)]
    while waiting:
        first, last, number = waiting.pop()
        if number == 0:
            continue
        if last - first == 1:
            counts[outcomes[first]] = number
            continue
        middle = (first + last) // 2
        low = under(sums[middle] - sums[first], sums[last] - sums[first], number, generator)
        waiting.append((middle, last, number - low))
        waiting.append((first, middle, low))
    return counts


def under(ways: int, total: int, number: int, generator: Generator) -> int:
    """How many of so many tries come true, each with a chance of `ways` out of `total`."""
    true = 0
    while number > BLOCK:
        true += _under(ways, total, BLOCK, generator)
        number -= BLOCK
    return true + _under(ways, total, number, generator)


def _under(ways: int, total: int, equal: int, generator: Generator) -> int:
    true = 0
    while equal and ways:
        ways *= 2
        ones = generator.getrandbits(equal).bit_count()
        if ways >= total:
            ways -= total
            true += equal - ones
            equal = ones
        else:
            equal -= ones
    return true
