"""The exact chance of every row: of the table itself, and of the tables that its rows draw from."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import accumulate

from ..dice.distribution import OddsTable, least_harm
from ..dice.rule_table import RuleTable
from ..errors import Refused, TooWide
from ..notation.distribution import distribution_of
from ..values import NamedTuple
from .draw import decks_within, draw, used_up
from .table import RandomTable
from .template import Reference, Template, TextChoice, references

MOST_WAYS = 200_000
"""Most orders of kinds of rows that are followed where several rows are drawn."""
MOST_WORK = 100_000
"""Most steps that the odds of one table may take: they are done in about two seconds."""
BITS_OF_STEP, MOST_BITS = 500, 20_000
"""Bits of a denominator that make a sum or a product one step longer, and most bits of one: where tables draw from each
other again and again, it doubles with each."""


class RowChance(NamedTuple):
    """How likely one draw of a table brings a row, at least once."""

    table: str
    row: int
    chance: Fraction


Out = Mapping[str, Collection[int]]
"""The numbers of the rows of decks that have been drawn, by deck."""
NONE_OUT: Out = {}


def chances(tables: Mapping[str, RandomTable], name: str, out: Out = NONE_OUT) -> Iterator[RowChance]:
    """The chance of each row of a table, then of each row of the tables its rows draw from, nearest first; rows of
    decks that are `out` do not come. TooWide where a deck is drawn from again and again in too many ways; Refused where
    a deck may have no row left for a row that draws from it."""
    for at, chance in enumerate(row_chances(tables[name], out.get(name, ())), start=1):
        yield RowChance(name, at, chance)
    try:
        yield from _chances_within(tables, name, out)
    except TooWide:
        raise
    except Refused as error:
        # Such a draw is refused: it has no rows whose chances could be shown.
        raise Refused(
            f"{name} has no odds as it stands: {error.message}", hint=error.hint, code=error.code
        ) from error


def _chances_within(tables: Mapping[str, RandomTable], name: str, out: Out) -> Iterator[RowChance]:
    """The chance of each row of the tables that a table draws from; 0 where the table itself has no row left."""
    others = below(tables, name)
    if len(out.get(name, ())) == len(tables[name].rows):
        for other in others:
            yield from (RowChance(other, at, Fraction(0)) for at in range(1, len(tables[other].rows) + 1))
        return
    work = _Work(name)
    if any(_draws_of(tables, name, deck) > 1 for deck in others if tables[deck].deck):
        yield from _followed(tables, name, others, out, work)
        return
    for other in others:
        for at in range(1, len(tables[other].rows) + 1):
            yield RowChance(other, at, 1 - _Absence(tables, out, other, at, work).of_table(name, 1))


class _Work:
    """Counts the steps that the odds of a table take; TooWide where they are too many."""

    def __init__(self, name: str):
        self.name = name
        self.left = MOST_WORK
        self.known: dict[str, list[Fraction]] = {}
        """The chances of the rows of tables in one draw of each."""

    def shares(self, one: RandomTable, out: Collection[int]) -> list[Fraction]:
        """The chance of each row of a table in one draw."""
        if one.name not in self.known:
            self.known[one.name] = row_chances(one, out)
        return self.known[one.name]

    def spend(self, steps: int) -> None:
        """Take so many steps."""
        self.left -= steps
        if self.left < 0:
            raise TooWide(
                f"the exact odds of {self.name} and all that it draws from would take too long",
                hint=f"its rows without odds: crisis tables show {self.name}",
            )

    def of(self, share: Fraction) -> Fraction:
        """A share that has been worked out, with the steps that took."""
        bits = share.denominator.bit_length()
        self.spend(1 + bits // BITS_OF_STEP if bits <= MOST_BITS else MOST_WORK + 1)
        return share


def _draws_of(tables: Mapping[str, RandomTable], name: str, deck: str) -> int:
    """How often one draw of a table comes to a deck at most."""

    @cache
    def of_table(name: str) -> int:
        return max((of_template(row.template) for row in tables[name].rows), default=0)

    def of_template(template: Template) -> int:
        found = 0
        for part in template:
            if isinstance(part, TextChoice):
                found += max(map(of_template, part.options))
            elif isinstance(part, Reference):
                found += (part.table == deck) + part.times * of_table(part.table)
        return found

    return of_table(name)


def _followed(
    tables: Mapping[str, RandomTable], name: str, others: list[str], out: Out, work: _Work
) -> Iterator[RowChance]:
    """The chance of each row of the tables within one by following every way of drawing it."""
    ordered = {one: tables[one] for one in (name, *others)}
    inside = {one: out.get(one, ()) for one in decks_within(ordered)}

    def rows(table: RuleTable) -> frozenset[tuple[str, int]]:
        drawn = draw(table, ordered, name, out.get(name, ()), inside)
        work.spend(len(drawn))
        return frozenset((one.table, one.row) for one in drawn)

    law = OddsTable(least_harm, MOST_WAYS).of(rows)
    came: Counter[tuple[str, int]] = Counter()
    for found, ways in law:
        for one in found:
            came[one] += ways
    for other in others:
        for at in range(1, len(tables[other].rows) + 1):
            yield RowChance(other, at, Fraction(came[other, at], law.total))


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


def row_chances(one: RandomTable, out: Collection[int] = ()) -> list[Fraction]:
    """The chance of each row in one draw; those that are `out` do not come, and where none is left each has 0."""
    if one.roll is None:
        weights = [0 if at in out else row.weight for at, row in enumerate(one.rows, start=1)]
        return [Fraction(weight, max(1, sum(weights))) for weight in weights]
    ways = distribution_of(one.roll)
    results = sorted(ways.ways)
    up_to = [0, *accumulate(ways.ways[result] for result in results)]
    return [
        Fraction(up_to[bisect_right(results, row.high)] - up_to[bisect_left(results, row.low)], ways.total)
        for row in one.rows
    ]


class _Absence:
    """How likely a row of a table does not come."""

    def __init__(self, tables: Mapping[str, RandomTable], out: Out, table: str, row: int, work: _Work):
        self.tables = tables
        self.work = work
        self.out = out
        self.table = table
        self.row = row
        self.of_table = cache(self._of_table)

    def _of_table(self, name: str, count: int) -> Fraction:
        """That drawing `count` different rows of a table does not bring it."""
        one, out = self.tables[name], self.out.get(name, ())
        absent = {
            at: Fraction(name != self.table or at != self.row) and self.of_template(row.template)
            for at, row in enumerate(one.rows, start=1)
            if at not in out
        }
        if len(absent) < count:
            raise used_up(one)
        if count == 1:
            shares, found = self.work.shares(one, out), Fraction(0)
            for at, share in absent.items():
                found = self.work.of(found + shares[at - 1] * share)
            return found
        kinds = Counter((one.rows[at - 1].weight, share) for at, share in absent.items())
        if len(kinds) ** count > MOST_WAYS:
            self.work.spend(MOST_WORK + 1)
        self.work.spend(len(kinds) ** count)
        return self.work.of(_without_return(kinds, count))

    def of_template(self, template: Template) -> Fraction:
        """That a text does not bring it."""
        share = Fraction(1)
        for part in template:
            if isinstance(part, TextChoice):
                options = sum((self.work.of(self.of_template(one)) for one in part.options), Fraction(0))
                share = self.work.of(share * options / len(part.options))
            elif isinstance(part, Reference):
                share = self.work.of(share * self.of_table(part.table, part.times))
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
