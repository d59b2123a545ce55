"""Exploding dice of which only the grade of each is known, and what they show is hidden until somebody looks."""

from __future__ import annotations

from math import comb

from .exploding import ways_of_one

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable
    from typing import Any

    How = tuple[int, Callable[..., Any], tuple[Any, ...]]
    """The sides of a die, its grade function, and what that is given beside the value."""


class Graded:
    """How many dice have each grade; equal to another with the same grades, whatever the dice show.

    A grade names all that is known of its die: dice of the same grade can show the same values, equally likely.
    """

    __slots__ = ("count", "counts", "how", "shown", "_hash")

    def __init__(self, counts: dict[Any, int], how: dict[Any, How], shown: tuple[tuple[Any, int], ...] = ()):
        self.counts = counts
        """By grade the number of its dice, above 0."""
        self.count = sum(counts.values())
        """All dice that have a grade."""
        self._hash = hash(frozenset(counts.items()))
        self.how = how
        """By grade how its dice were thrown."""
        self.shown = shown
        """Each die's grade and value, where dice were thrown; only the table that threw them may look."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Graded) and self.counts == other.counts

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        return f"<Graded {self.counts}>"

    def __add__(self, other: Graded) -> Graded:
        if not self.counts or not other.counts:
            return self if self.counts else other
        counts = dict(self.counts)
        for grade, count in other.counts.items():
            counts[grade] = counts.get(grade, 0) + count
        return Graded(counts, {**self.how, **other.how}, self.shown + other.shown)

    @classmethod
    def thrown(
        cls, table: Any, count: int, sides: int, grade: Callable[..., Any], *args: Any, note: str = ""
    ) -> Graded:
        """`count` exploding dice by their grades, each `grade(value, *args)`; a die whose grade is None is left out."""
        dice: Graded = table.exploding(count, sides, _one, (sides, grade, args), zero=NO_DICE, note=note)
        return dice

    def of(self, grade: Hashable) -> int:
        """The dice of one grade."""
        return self.counts.get(grade, 0)

    def without(self, grade: Hashable) -> Graded:
        """The dice of all other grades."""
        if grade not in self.counts:
            return self
        counts = {one: count for one, count in self.counts.items() if one != grade}
        return Graded(counts, self.how, tuple(one for one in self.shown if one[0] != grade))


NO_DICE = Graded({}, {})
"""No graded dice at all."""


def _one(value: int, how: How) -> Graded:
    """One die by its grade."""
    _, grade, args = how
    worth = grade(value, *args)
    return NO_DICE if worth is None else Graded({worth: 1}, {worth: how}, ((worth, value),))


DEAL = 300
"""Estimated nanoseconds of dealing out one score to so many dice."""


def ways_of_lowest(
    dice: Graded, lowest: int, score: Callable[[int], int], spend: Callable[[float], None]
) -> tuple[dict[int, int], int]:
    """Each sum of so many of the lowest scores of graded dice with its ways, and all ways together; `spend` is told the
    work before it is done.

    Each die is any that its grade allows. Scores are dealt out from the lowest up, to some dice of one grade
    after the other; once so many are dealt, the rest fall as they like.
    """
    lowest = min(lowest, dice.count)
    if not lowest:
        return {0: 1}, 1
    grades = list(dice.counts)
    scores = [_scores(grade, dice.how[grade], score) for grade in grades]
    total = 1
    for grade, ways in zip(grades, scores, strict=True):
        total *= sum(ways.values()) ** dice.counts[grade]
    # How many of each grade are still to come, and the sum so far.
    states: dict[tuple[tuple[int, ...], int], int] = {(tuple(dice.counts.values()), 0): 1}
    found: dict[int, int] = {}
    steps = [
        (value, at)
        for value in sorted(set().union(*scores))
        for at, ways in enumerate(scores)
        if value in ways
    ]
    rests = [sum(ways.values()) for ways in scores]
    for value, at in steps:
        weight = scores[at][value]
        rests[at] -= weight
        spend(DEAL * sum(min(lowest, coming[at]) + 1 for coming, _ in states))
        after: dict[tuple[tuple[int, ...], int], int] = {}
        for (coming, so_far), number in states.items():
            wanted = lowest - (dice.count - sum(coming))
            free = number
            for other, rest in enumerate(rests):
                if other != at:
                    free *= rest ** coming[other]
            ended = (rests[at] + weight) ** coming[at]
            for many in range(min(wanted, coming[at] + 1)):
                orders = comb(coming[at], many) * weight**many
                ended -= orders * rests[at] ** (coming[at] - many)
                now = (*coming[:at], coming[at] - many, *coming[at + 1 :]), so_far + many * value
                after[now] = after.get(now, 0) + number * orders
            if ended:
                found[so_far + wanted * value] = found.get(so_far + wanted * value, 0) + free * ended
        states = after
    return found, total


def _scores(grade: Any, how: How, score: Callable[[int], int]) -> dict[int, int]:
    """What a die of a grade scores, each score with its ways."""
    sides, of, args = how
    ways: dict[int, int] = {}
    for value, count in ways_of_one(sides):
        if of(value, *args) == grade:
            ways[score(value)] = ways.get(score(value), 0) + count
    return ways
