"""Laws of a row of which only some numbers are kept: the highest, the lowest, the middle.

Values are dealt out in order, the kept end first; what has been kept so far is a polynomial packed
into one integer, one for each number of dice already dealt. Once the last kept die is dealt,
the rest fall as they like and are weighed all at once.
"""

from __future__ import annotations

from math import gcd

from .convolution import certain, listed, lowered, multiplying, power, unpacked
from .distribution import Distribution, reduced
from .effort import WORDS, Effort

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


def kept(
    distribution: Distribution,
    count: int,
    window: tuple[int, int],
    score: Callable[[int], int],
    effort: Effort,
) -> Distribution:
    """The distribution of the scores of `count` numbers of one distribution, of which those in the window of the row,
    sorted upwards, are kept.
    """
    start, stop = window
    if stop - start == count:
        return power(distribution.of(score), count, effort)
    if stop <= start:
        return certain(0)
    falling = stop == count
    if falling:
        start, stop = 0, count - start
    distribution = reduced(distribution.ways, distribution.total, distribution.truncated)
    values = sorted(distribution.ways, reverse=falling)
    weights = [distribution.ways[value] for value in values]
    bits = count * distribution.total.bit_length()
    effort.spend(2 * multiplying(bits))
    packing = Packing([score(value) for value in values], stop - start, distribution.total**count)
    effort.spend(_dealing(len(values), stop, count, packing.bits, bits))
    effort.hold(2 * stop, packing.bits + bits)
    dealt = [0] * stop
    dealt[0] = 1
    done, rest = 0, distribution.total
    loose = _powers(rest, count, stop)
    for value, weight in zip(values, weights, strict=True):
        rest -= weight
        shift = packing.shifts[score(value)]
        together, loose = loose, _powers(rest, count, stop)
        after = [0] * stop
        for before, ways in enumerate(dealt):
            if not ways:
                continue
            left = count - before
            ended = together[before]
            ahead = max(start - before, 0)
            orders = 1
            for same in range(stop - before):
                after[before + same] += (ways * orders) << (shift * max(same - ahead, 0))
                ended -= orders * loose[before + same]
                orders = orders * weight * (left - same) // (same + 1)
            done += (ways * ended) << (shift * (stop - before - ahead))
        dealt = after
    return lowered(packing.opened(done), distribution.total**count, distribution.truncated, effort)


def _powers(base: int, count: int, stop: int) -> list[int]:
    """The powers of a number from `count` down, `stop` of them."""
    powers = [base ** (count - stop + 1)]
    for _ in range(stop - 1):
        powers.append(powers[-1] * base)
    return powers[::-1]


def _dealing(values: int, stop: int, count: int, packed: int, bits: int) -> float:
    """Nanoseconds for dealing out values: what is packed and the ways of all dice have so many bits."""
    row, ways = packed / WORDS, bits / WORDS
    # In how many orders like dice fall: on average half of those that can be dealt.
    orders = min((bits / count + count.bit_length()) * stop / 2, bits) / WORDS + 1
    step = 600 + row / 4 + (row + ways) * orders / 6
    ended = row / 2 + row / (ways + 1) * multiplying(2 * bits) / 6
    raised = multiplying(bits) + ways * stop
    return values * (stop * (stop + 1) / 2 * step + stop * ended + raised)


class Packing:
    """How kept scores are packed: one slot for every total they can come to."""

    __slots__ = ("size", "low", "stride", "slots", "bits", "shifts")

    def __init__(self, scores: list[int], most: int, total: int):
        least = min(scores)
        self.stride = gcd(*(one - least for one in scores)) or 1
        self.size = total.bit_length() // 8 + 1
        """Bytes of one slot."""
        self.low = least * most
        self.slots = (max(scores) - least) // self.stride * most + 1
        self.bits = self.slots * self.size * 8
        self.shifts = {one: (one - least) // self.stride * self.size * 8 for one in scores}
        """How many bits a score moves everything up."""

    def opened(self, number: int) -> dict[int, int]:
        """The ways of each total."""
        return listed(unpacked(number, self.size, self.slots), self.low, self.stride)


def highest(distributions: list[Distribution], effort: Effort, lowest: bool = False) -> Distribution:
    """The distribution of the highest (or lowest) of several numbers that have nothing to do with each other."""
    values = sorted(set().union(*(distribution.ways for distribution in distributions)), reverse=lowest)
    total = 1
    for distribution in distributions:
        total *= distribution.total
    bits = total.bit_length()
    # Each product grows distribution by distribution, to half of all its digits on average.
    effort.spend(
        len(values) * len(distributions) * (400 + bits / WORDS / 2 * (bits / len(distributions) / WORDS + 1))
    )
    effort.hold(len(values), bits)
    reached = [0] * len(distributions)
    ways: dict[int, int] = {}
    before = 0
    for value in values:
        product = 1
        for place, distribution in enumerate(distributions):
            reached[place] += distribution.ways.get(value, 0)
            product *= reached[place]
        if product > before:
            ways[value] = product - before
        before = product
    return lowered(ways, total, any(distribution.truncated for distribution in distributions), effort)


def chosen(
    distributions: list[Distribution], window: tuple[int, int], score: Callable[[int], int], effort: Effort
) -> Distribution:
    """The distribution of the scores of several numbers, each with its own distribution, of which some are kept."""
    start, stop = window
    length = len(distributions)
    if stop <= start:
        return certain(0)
    if stop - start == 1 and (start == 0 or stop == length):
        return highest(distributions, effort, lowest=start == 0).of(score)
    falling = stop == length
    most = length - start if falling else stop
    rows: dict[tuple[int, ...], int] = {(): 1}
    total = 1
    for distribution in distributions:
        total *= distribution.total
        bits = total.bit_length() + 64 * most
        effort.spend(len(rows) * len(distribution.ways) * (1_500 + 20 * most + bits / WORDS))
        after: dict[tuple[int, ...], int] = {}
        for row, ways in rows.items():
            for value, count in distribution:
                longer = tuple(sorted((*row, value), reverse=falling)[:most])
                after[longer] = after.get(longer, 0) + ways * count
            effort.fit(len(after), bits)
        rows = after
    skipped = 0 if falling else start
    ways_of: dict[int, int] = {}
    for row, ways in rows.items():
        result = sum(map(score, row[skipped:]))
        ways_of[result] = ways_of.get(result, 0) + ways
    return lowered(ways_of, total, any(distribution.truncated for distribution in distributions), effort)
