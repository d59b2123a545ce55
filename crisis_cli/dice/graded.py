"""Exploding dice of which only the grade of each is known, and what they show is hidden until somebody looks."""

from __future__ import annotations

from .distribution import Distribution, reduced
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

    __slots__ = ("counts", "how", "shown")

    def __init__(
        self,
        counts: dict[Any, int],
        how: dict[Any, How],
        shown: tuple[tuple[Any, int], ...] = (),
    ):
        self.counts = counts
        """By grade the number of its dice, above 0."""
        self.how = how
        """By grade how its dice were thrown."""
        self.shown = shown
        """Each die's grade and value, where dice were thrown; only the table that threw them may look."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Graded) and self.counts == other.counts

    def __hash__(self) -> int:
        return hash(frozenset(self.counts.items()))

    def __repr__(self) -> str:
        return f"<Graded {self.counts}>"

    def __add__(self, other: Graded) -> Graded:
        if not self.counts or not other.counts:
            return self if self.counts else other
        counts = dict(self.counts)
        for grade, count in other.counts.items():
            counts[grade] = counts.get(grade, 0) + count
        return Graded(counts, {**self.how, **other.how}, self.shown + other.shown)

    @property
    def count(self) -> int:
        """All dice that have a grade."""
        return sum(self.counts.values())

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


def graded(
    table: Any, count: int, sides: int, grade: Callable[..., Any], *args: Any, note: str = ""
) -> Graded:
    """`count` exploding dice by their grades, each `grade(value, *args)`; a die whose grade is None is left out."""
    dice: Graded = table.exploding(count, sides, _one, (sides, grade, args), zero=NO_DICE, note=note)
    return dice


def _one(value: int, how: How) -> Graded:
    """One die by its grade."""
    _, grade, args = how
    worth = grade(value, *args)
    return NO_DICE if worth is None else Graded({worth: 1}, {worth: how}, ((worth, value),))


def scores_of(grade: Any, how: How, score: Callable[[int], int]) -> Distribution:
    """The law of the score of one die that has a grade."""
    sides, of, args = how
    ways: dict[int, int] = {}
    for value, count in ways_of_one(sides):
        if of(value, *args) == grade:
            ways[score(value)] = ways.get(score(value), 0) + count
    return reduced(ways, sum(ways.values()), True)
