"""The pool of d6 that explode, wave by wave (POOL-4, ALL-2), and what its dice are worth (POOL-6, POOL-17)."""

from __future__ import annotations

from collections.abc import Callable
from math import comb
from typing import TYPE_CHECKING, Any, NamedTuple

from ...dice.distribution import Distribution, reduced

if TYPE_CHECKING:
    from ...dice.distribution import OddsTable

SIDES = 6
WAVES = 12
"""A die is thrown on until going on is less likely than 1e-9: after so many sixes in a row it stands."""
CRITICAL, STEP = 11, 6
"""POOL-17: from here on a hit is critical; a wound more for each further step."""
NEVER = 1_000_000
"""The critical threshold of a roll without critical hits (POOL-18)."""
UNSEEN = -1
"""How many wounds more a critical hit deals, as long as nobody has looked."""

Critical = tuple[int, int]
"""What its die reached at least, and how many wounds more it deals (POOL-17), or UNSEEN."""
Score = tuple[int, tuple[Critical, ...]]
"""Normal hits, and the critical ones."""
NOTHING: Score = (0, ())


class Scale(NamedTuple):
    """What the dice of a pool are measured by."""

    least: int
    """The minimum roll (POOL-4)."""
    critical: int = NEVER

    @property
    def floor(self) -> int:
        """What the die of a critical hit reaches at least: it is a hit as well (POOL-17)."""
        return max(self.least, self.critical)


class Pool:
    """A rule: so many exploding dice, each graded by its sum; all grades added up."""

    def __init__(
        self,
        grade: Callable[[int, Any], Any],
        zero: Any,
        added: Callable[[Any, Any], Any] = int.__add__,
        seen: Callable[[Any], Any] = lambda grade: grade,
    ):
        self.grade = grade
        self.zero = zero
        self.added = added
        self.seen = seen
        """What the odds look at of a grade."""

    def __call__(self, table: Any, count: int, scale: Any) -> Any:
        """All dice first, then those that show a 6 again, wave by wave; the sums go into the record."""
        values, going = [0] * count, list(range(count))
        for wave in range(1, WAVES + 1):
            for at in going:
                values[at] += table.die(SIDES)
            going = [at for at in going if values[at] == SIDES * wave]
        if going:
            table.truncate()
        table.result(values=values)
        worth = self.zero
        for value in values:
            worth = self.added(worth, self.grade(value, scale))
        return worth

    def law(self, odds_table: OddsTable, count: int, scale: Any) -> Distribution:
        """The waves are only an order of throwing: it is the law of one die, so many times."""
        if count <= 1:
            return (
                odds_table.once((self, count, scale), lambda: self._one(scale)) if count else _sure(self.zero)
            )
        half = count // 2
        one, other = odds_table.of(self, half, scale), odds_table.of(self, count - half, scale)
        ways: dict[Any, int] = {}
        for worth, count_ in one:
            for more, more_ways in other:
                key = self.added(worth, more)
                ways[key] = ways.get(key, 0) + count_ * more_ways
        return reduced(ways, one.total * other.total, one.truncated)

    def _one(self, scale: Any) -> Distribution:
        ways: dict[Any, int] = {}
        for value, count in die_values():
            grade = self.seen(self.grade(value, scale))
            ways[grade] = ways.get(grade, 0) + count
        return reduced(ways, SIDES**WAVES, True)


def die_values() -> list[tuple[int, int]]:
    """What one die can come to, with the ways of each among SIDES ** WAVES."""
    found = [
        (SIDES * wave + face, SIDES ** (WAVES - wave - 1))
        for wave in range(WAVES)
        for face in range(1, SIDES)
    ]
    return [*found, (SIDES * WAVES, 1)]


def _sure(answer: Any) -> Distribution:
    return Distribution({answer: 1}, 1)


def mega(value: int) -> int:
    """POOL-17: the wounds more of a critical hit; its steps never move."""
    return max(0, (value - CRITICAL) // STEP)


def _graded(value: int, scale: Scale) -> Score:
    """POOL-4: a success at the minimum roll; POOL-17: critical and mega-critical ones."""
    if value < scale.least:
        return NOTHING
    return (1, ()) if value < scale.critical else (0, ((scale.floor, mega(value)),))


def together(one: Score, other: Score) -> Score:
    """The hits of two scores."""
    critical = one[1] + other[1]
    return one[0] + other[0], critical if len(critical) < 2 else tuple(sorted(critical))


def veiled(score: Score) -> Score:
    """The score as it is announced: how many critical hits there are, not how bad each is."""
    return score[0], tuple((floor, UNSEEN) for floor, _ in score[1])


def hits(score: Score) -> int:
    """All hits, normal and critical."""
    return score[0] + len(score[1])


def _counted(value: int, least: int) -> int:
    """POOL-6: one more at 11, two at 17 …, once the die is a success at all."""
    return 0 if value < least else 1 + max(0, (value - CRITICAL) // STEP + 1)


scored = Pool(_graded, NOTHING, together, veiled)
"""A rule: the hits of a hit roll, or of a parry."""
counted = Pool(_counted, 0)
"""A rule: the successes of a roll that is no attack."""
summed = Pool(lambda value, scale: value, 0)
"""A rule: the sum of the dice (POOL-8)."""


class Worse:
    """A rule: the wounds more of those critical hits that are left when the worst of them are stopped."""

    def __call__(self, table: Any, critical: tuple[Critical, ...], left: int) -> int:
        """The dice lie there: nothing is thrown."""
        return sum(sorted(level for _, level in critical)[:left])

    def law(self, odds_table: OddsTable, critical: tuple[Critical, ...], left: int) -> Distribution:
        """Nobody has looked yet: each die is any that reaches its floor; counted from the worst down."""
        if not left:
            return _sure(0)
        floors = sorted({floor for floor, _ in critical})
        weights = {floor: _levels(floor) for floor in floors}
        total = 1
        for floor, _ in critical:
            total *= sum(weights[floor].values())
        # How many of each floor are still to come, and what those counted so far deal.
        begun = tuple(sum(one == floor for one, _ in critical) for floor in floors)
        states: dict[tuple[tuple[int, ...], int], int] = {(begun, 0): 1}
        for level in range(mega(SIDES * WAVES), -1, -1):
            for at, floor in enumerate(floors):
                weight = weights[floor].get(level, 0)
                after: dict[tuple[tuple[int, ...], int], int] = {}
                for (coming, dealt), ways in states.items():
                    for many in range(coming[at] + 1 if weight else 1):
                        rest = (*coming[:at], coming[at] - many, *coming[at + 1 :])
                        counted_ = min(left, sum(coming)) - min(left, sum(rest))
                        key = (rest, dealt + level * counted_)
                        after[key] = after.get(key, 0) + ways * comb(coming[at], many) * weight**many
                states = after
        found: dict[Any, int] = {}
        for (coming, dealt), count in states.items():
            if not any(coming):
                found[dealt] = found.get(dealt, 0) + count
        return reduced(found, total, True)


def _levels(floor: int) -> dict[int, int]:
    """Of one die that reaches the floor the ways of each number of wounds more."""
    ways: dict[int, int] = {}
    for value, count in die_values():
        if value >= floor:
            ways[mega(value)] = ways.get(mega(value), 0) + count
    return ways


worse = Worse()
