"""The exact chance of every row: of the table itself, and of the tables that its rows draw from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache

from ..errors import TooWide
from ..notation.distribution import distribution_of
from ..values import NamedTuple
from .table import RandomTable
from .template import Choice, Reference, Template, references

MOST_WAYS = 200_000
"""Most orders of kinds of rows that are followed where several rows are drawn."""


class RowChance(NamedTuple):
    """How likely one draw of a table brings a row, at least once."""

    table: str
    row: int
    chance: Fraction


def chances(tables: Mapping[str, RandomTable], name: str) -> Iterator[RowChance]:
    """The chance of each row of a table, then of each row of the tables its rows draw from, nearest first."""
    for at, chance in enumerate(row_chances(tables[name]), start=1):
        yield RowChance(name, at, chance)
    for other in below(tables, name):
        for at in range(1, len(tables[other].rows) + 1):
            yield RowChance(other, at, 1 - _Absence(tables, other, at).of_table(name, 1))


def below(tables: Mapping[str, RandomTable], name: str) -> list[str]:
    """The tables that a table draws from, directly or not, in the order in which they are met."""
    found: dict[str, None] = {}
    waiting = [name]
    while waiting:
        for row in tables[waiting.pop(0)].rows:
            for one in references(row.template):
                if one.table not in found:
                    found[one.table] = None
                    waiting.append(one.table)
    return list(found)


def row_chances(one: RandomTable) -> list[Fraction]:
    """The chance of each row in one draw."""
    if one.roll is None:
        return [Fraction(row.weight, one.sides) for row in one.rows]
    ways = distribution_of(one.roll)
    return [
        Fraction(sum(count for value, count in ways.ways.items() if row.low <= value <= row.high), ways.total)
        for row in one.rows
    ]


class _Absence:
    """How likely a row of a table does not come."""

    def __init__(self, tables: Mapping[str, RandomTable], table: str, row: int):
        self.tables = tables
        self.table = table
        self.row = row
        self.of_table = cache(self._of_table)

    def _of_table(self, name: str, count: int) -> Fraction:
        """That drawing `count` different rows of a table does not bring it."""
        one = self.tables[name]
        absent = [
            Fraction(name != self.table or at != self.row) and self.of_template(row.template)
            for at, row in enumerate(one.rows, start=1)
        ]
        if count == 1:
            return sum(
                (chance * share for chance, share in zip(row_chances(one), absent, strict=True)), Fraction(0)
            )
        kinds = Counter((row.weight, share) for row, share in zip(one.rows, absent, strict=True))
        if len(kinds) ** count > MOST_WAYS:
            raise TooWide(f"the odds of {count} different rows of {name}")
        return _without_return(kinds, count)

    def of_template(self, template: Template) -> Fraction:
        """That a text does not bring it."""
        share = Fraction(1)
        for part in template:
            if isinstance(part, Choice):
                share *= sum(map(self.of_template, part.options), Fraction(0)) / len(part.options)
            elif isinstance(part, Reference):
                share *= self.of_table(part.table, part.times)
        return share


def _without_return(kinds: Counter[tuple[int, Fraction]], count: int) -> Fraction:
    """The mean of the product of the shares of `count` rows, drawn by weight and not put back."""
    if not count:
        return Fraction(1)
    sides = sum(weight * many for (weight, _), many in kinds.items())
    found = Fraction(0)
    for kind, many in kinds.items():
        if many:
            weight, share = kind
            found += (
                Fraction(weight * many, sides) * share * _without_return(kinds - Counter([kind]), count - 1)
            )
    return found
