"""Exact odds of an expression: the distribution of its total.

Parts that have nothing to do with each other are weighed one by one and put together; no dice are
walked. `total` is the rule to ask a table for, and brings this quicker distribution with it.

The functions that roll give the same distributions on the odds table, which tests hold against these. But they walk
every face: 4d6kh3 takes 40 times as long, 3d6+2d8+1d10 4,000 times, and 20d6kh10 or 100d6 are refused.
"""

from __future__ import annotations

from ..dice.distribution import Distribution, OddsTable
from ..errors import NotationError
from .ast import Term
from .grammar import Notation
from .roller import total as rolled_total
from .term_distribution import term_distribution

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class _Total:
    """The rule of an expression: asks a table for its dice; gives the odds table its distribution at once."""

    __slots__ = ()

    def __call__(self, table: Any, expression: Term) -> int:
        return rolled_total(table, expression)

    def distribution(self, odds_table: OddsTable, expression: Term) -> Distribution:
        """The distribution of the total."""
        return term_distribution(expression, odds_table)


total = _Total()
"""The total of one roll of an expression: a rule, for `table.ask(total, expression)`."""


def distribution_of(notation: Notation, odds_table: OddsTable | None = None) -> Distribution:
    """The distribution of one roll of a line; NotationError where it has none, TooWide where it takes too long."""
    try:
        return (odds_table or OddsTable()).of(total, notation.expression)
    except NotationError as error:
        error.text = notation.text
        raise
