"""The table that follows rules to their dice and draws the sums of these, for the turn orders of many."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from ..dice.sampler import Sampler

if TYPE_CHECKING:
    from ..dice.distribution import OddsTable
    from ..dice.sampler import Generator
    from ..dice.table import Rule


class RuleSampler(Sampler):
    """Follows rules to their dice and draws only the sums of these: for rules whose answers hardly recur, such as a
    turn order of many."""

    __slots__ = ("sums",)

    def __init__(
        self,
        generator: Generator,
        odds_table: OddsTable,
        sums: dict[Any, tuple[list[int], list[Any]]],
    ):
        super().__init__(generator, odds_table)
        self.sums = sums
        """What dice come to, by what was asked: how many ways all answers up to each have, and the answers."""

    def ask(self, rule: Rule, *args: Any) -> Any:
        """The answer of a sub-rule, followed."""
        return rule(self, *args)

    def times(self, count: int, rule: Rule, *args: Any, zero: Any = 0) -> Any:
        """One sum of `count` separate asks."""
        known = self.sums.get((count, rule, args))
        if known is None:
            law = [*self.odds_table.sum(count, rule, args, zero)]
            known = [*accumulate(ways for _, ways in law)], [answer for answer, _ in law]
            self.sums[count, rule, args] = known
        sums, answers = known
        return answers[bisect_right(sums, self._below(sums[-1]))]
