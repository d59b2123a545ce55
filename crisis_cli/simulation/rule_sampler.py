"""The table that draws the small parts of a rule and follows the others, for the turn orders of many."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from ..dice.distribution import OddsTable
from ..dice.sampler import Sampler
from ..errors import TooWide

if TYPE_CHECKING:
    from ..dice.sampler import Generator
    from ..dice.table import Rule

WIDEST = 64
"""How many branches a part may have that is drawn at once."""
Sums = tuple[list[int], list[Any]]
"""How many ways all answers up to each have, and the answers."""

UNKNOWN: Sums = ([], [])
"""In place of these for what has not been asked yet."""


class RuleSampler(Sampler):
    """Draws the small parts of a rule at once, and follows the others: for rules whose answers hardly recur, such as a
    turn order of many."""

    __slots__ = ("known", "narrow")

    def __init__(self, generator: Generator, odds_table: OddsTable, known: dict[Any, Sums | None]):
        super().__init__(generator, odds_table)
        self.narrow = OddsTable(odds_table.policy, WIDEST)
        """Works out what small parts come to, and no others."""
        self.known = known
        """What parts come to, by what was asked; None for those that are followed."""

    def ask(self, rule: Rule, *args: Any) -> Any:
        """The answer of a sub-rule."""
        sums = self.known.get((rule, args), UNKNOWN)
        if sums is UNKNOWN:
            sums = self._part(rule, args)
        if sums is None:
            return rule(self, *args)
        ways, answers = sums
        return answers[bisect_right(ways, self._below(ways[-1]))]

    def times(self, count: int, rule: Rule, *args: Any, zero: Any = 0) -> Any:
        """One sum of `count` separate asks."""
        key = count, rule, args
        sums = self.known.get(key)
        if sums is None:
            sums = self.known[key] = _summed(self.odds_table.sum(count, rule, args, zero))
        ways, answers = sums
        return answers[bisect_right(ways, self._below(ways[-1]))]

    def _part(self, rule: Rule, args: tuple[Any, ...]) -> Sums | None:
        """What a sub-rule comes to that is asked for the first time; None where it is too wide."""
        try:
            found = _summed(self.narrow.of(rule, *args))
        except TooWide:
            found = None
        self.known[rule, args] = found
        return found


def _summed(law: Iterable[tuple[Any, int]]) -> Sums:
    answers = [*law]
    return [*accumulate(ways for _, ways in answers)], [answer for answer, _ in answers]
