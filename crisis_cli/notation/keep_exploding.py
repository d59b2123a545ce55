"""Distributions of exploding dice of which only some are kept, where every explosion is a die of its own.

Dice fall into classes: those that went on and those that rest and, where later dice lose 1, first
and later ones. How many there are of each class has a distribution; within a class all dice are alike, and
are dealt out by value as in `keeps`.
"""

from __future__ import annotations

from math import comb

from ..dice.convolution import fair_sum, listed, multiplying, unpacked
from ..dice.distribution import Distribution, reduced
from ..dice.effort import WORDS, Effort
from .ast import Tally
from .pools import DieKind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    Placed = tuple[int, ...]
    """How many dice of each class."""

PLACED = 2_000
"""Bits that the numbers of dice of each class take beside their ways."""


def keep_exploding(kind: DieKind, count: int, tally: Tally, effort: Effort) -> Distribution:
    """The distribution of `count` exploding dice of which some are kept."""
    crowd = _DiceClasses(kind, count, effort)
    if len(tally.keeps) == 1:
        keep = tally.keeps[0]
        window = (0, keep.number) if keep.how[0] == "k" else (keep.number, crowd.longest)
        ways = crowd.dealt(tally, keep.how in ("kh", "dh"), window)
        return reduced(ways, crowd.total, kind.cut)
    ways = {}
    by_length: dict[int, dict[Placed, int]] = {}
    for placed, times in crowd.members.items():
        by_length.setdefault(sum(placed), {})[placed] = times
    for length in sorted(by_length):
        crowd.members = by_length[length]
        for outcome, times in crowd.dealt(tally, False, tally.window(length)).items():
            ways[outcome] = ways.get(outcome, 0) + times
    return reduced(ways, crowd.total, kind.cut)


class _DiceClasses:
    """Dice of several classes, of each an uncertain number."""

    __slots__ = ("classes", "members", "effort", "longest", "total", "sorted")

    def __init__(self, kind: DieKind, count: int, effort: Effort):
        self.effort = effort
        weights = kind.weights()
        penetrate = kind.explode is not None and kind.explode.penetrate
        self.classes: list[dict[int, int]] = []
        """The values of each class with their weights."""
        for later in (False, True) if penetrate else (False,):
            for burst in (True, False):
                values: dict[int, int] = {}
                for value, weight in weights.items():
                    if (value in kind.bursts) == burst:
                        worth = kind.worth(value, later)
                        values[worth] = values.get(worth, 0) + weight
                self.classes.append(values)
        whole = sum(weights.values())
        bits = count * (kind.depth + 1) * whole.bit_length()
        effort.fit(1, bits)
        effort.spend(2 * multiplying(bits))
        make = self._after_first if penetrate else self._alike
        self.members = make(kind.depth, count, whole)
        """In how many ways there are so many dice of each class, whatever they show."""
        self.longest = max(map(sum, self.members))
        self.total = whole ** (count * (kind.depth + 1))

    def _alike(self, depth: int, count: int, whole: int) -> dict[Placed, int]:
        """Numbers of bursts and rests: some dice went on to the end and never came to rest; each of
        the others went on 0 to `depth` times, as in a sum of fair dice, the rest of its chain unthrown.
        """
        members: dict[Placed, int] = {}
        for rests in range(count + 1):
            chains = fair_sum(rests, depth + 1, self.effort) if rests else [1]
            bits = count * depth * whole.bit_length()
            self.effort.spend(len(chains) * (4_000 + 10 * bits / WORDS + multiplying(bits)))
            self.effort.fit(len(members) + len(chains), bits + PLACED)
            for bursts, ways in enumerate(chains):
                placed = (bursts + (count - rests) * (depth + 1), rests)
                members[placed] = ways * comb(count, rests) * whole ** (rests * depth - bursts)
        return members

    def _after_first(self, depth: int, count: int, whole: int) -> dict[Placed, int]:
        """Numbers of first bursts, first rests, later bursts and later rests."""
        longest = depth * whole.bit_length()
        self.effort.spend(depth * (1_000 + multiplying(longest)))
        self.effort.hold(depth, longest / 2 + PLACED)
        chain: dict[Placed, int] = {(0, 1, 0, 0): whole**depth, (1, 0, depth, 0): 1}
        for bursts in range(1, depth + 1):
            chain[1, 0, bursts - 1, 1] = whole ** (depth - bursts)
        members: dict[Placed, int] = {(0, 0, 0, 0): 1}
        bits = count * depth * whole.bit_length()
        work = 1_500 + bits / WORDS + multiplying(bits) / 4
        for _ in range(count):
            self.effort.spend(len(members) * len(chain) * work)
            self.effort.fit(len(members), bits + PLACED)
            after: dict[Placed, int] = {}
            for have, ways in members.items():
                for more, times in chain.items():
                    both = tuple(map(int.__add__, have, more))
                    after[both] = after.get(both, 0) + ways * times
            members = after
        return members

    def dealt(self, tally: Tally, falling: bool, window: tuple[int, int]) -> dict[int, int]:
        """The ways of the scores in a window of the row, counted from the end that is dealt first."""
        start, stop = window
        self.sorted: dict[int, dict[int, list[Placed]]] = {}
        ends = stop < self.longest
        stop = min(stop, self.longest)
        if stop <= start:
            return {0: self._loose_of((0,) * len(self.classes), self._weights(), {})}
        steps = sorted(
            ((value, place) for place, values in enumerate(self.classes) for value in values), reverse=falling
        )
        scores = [tally.score(value) for value, _ in steps]
        below = max(0, -min(scores)) * (stop - start)
        slots = below + max(0, *scores) * (stop - start) + 1
        size = self.total.bit_length() // 8 + 1
        most = [max(placed[place] for placed in self.members) for place in range(len(self.classes))]
        rest = self._weights()
        zero = (0,) * len(self.classes)
        # Scores below 0 move everything down: the slots begin as many places up as can be needed.
        dealt: dict[Placed, int] = {zero: 1 << (below * size * 8)}
        done = 0
        loose: dict[Placed, int] = {}
        for (value, place), score in zip(steps, scores, strict=True):
            weight = self.classes[place][value]
            less = rest.copy()
            less[place] -= weight
            after: dict[Placed, int] = {}
            looser: dict[Placed, int] = {}
            self.effort.spend(len(dealt) * 2_000)
            for placed, ways in dealt.items():
                before = sum(placed)
                more = min(most[place] - placed[place] + 1, stop - before + (not ends))
                # Scores are half of the largest on average, and so are the bits of what is packed.
                self.effort.fit(len(dealt) + len(after) + more, slots * size * 4 + PLACED)
                self.effort.spend(more * (2_000 + slots * size / 2))
                ahead = max(start - before, 0)
                ended = self._loose_of(placed, rest, loose) if ends else 0
                orders = 1
                for same in range(more):
                    now = (*placed[:place], placed[place] + same, *placed[place + 1 :])
                    moved = _moved(ways * orders, score * max(same - ahead, 0) * size * 8)
                    after[now] = after.get(now, 0) + moved
                    if ends:
                        ended -= orders * self._loose_of(now, less, looser)
                    orders = orders * weight * (placed[place] + same + 1) // (same + 1)
                if ended:
                    done += _moved(ways * ended, score * (stop - before - ahead) * size * 8)
            dealt, rest, loose = after, less, looser
        for placed, ways in dealt.items():
            done += ways * self.members.get(placed, 0)
        return listed(unpacked(done, size, slots), -below)

    def _weights(self) -> list[int]:
        return [sum(values.values()) for values in self.classes]

    def _loose_of(self, placed: Placed, rest: list[int], known: dict[Placed, int]) -> int:
        """In how many ways the dice not yet dealt can fall as they like."""
        ways = known.get(placed)
        if ways is None:
            members: Iterable[Placed] = self.members
            for place, whole in enumerate(rest):
                if whole == 0:
                    # All dice of this class are dealt: only those with so many come into question.
                    members = self._with(place, placed[place])
                    break
            ways = 0
            work = 1_500 + 20 * self.total.bit_length() / WORDS
            for numbers in members:
                self.effort.spend(300)
                times = self.members[numbers]
                for whole, number, there in zip(rest, numbers, placed, strict=True):
                    if number < there or (whole == 0 and number > there):
                        break
                    times *= comb(number, there) * whole ** (number - there)
                else:
                    self.effort.spend(work)
                    ways += times
            known[placed] = ways
        return ways

    def _with(self, place: int, number: int) -> list[Placed]:
        """The numbers of dice in which a class has so many."""
        by_number = self.sorted.get(place)
        if by_number is None:
            by_number = self.sorted[place] = {}
            for numbers in self.members:
                by_number.setdefault(numbers[place], []).append(numbers)
        return by_number.get(number, [])


def _moved(ways: int, bits: int) -> int:
    return ways << bits if bits >= 0 else ways >> -bits
