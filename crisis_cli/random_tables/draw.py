"""Drawing: a table asks the dice for a row, and the row for what stands in its braces."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from ..dice.rule_table import RuleTable
from ..errors import Refused
from ..notation.roller import total
from ..values import NamedTuple
from .table import RandomTable
from .template import DiceTotal, Template, TextChoice, Words

LONGEST = 4_096
"""Most characters of a text that was drawn, and most rows that one draw takes."""


class DrawnRow(NamedTuple):
    """A row that was drawn."""

    table: str
    row: int
    """Its number in the table, from 1."""
    text: str
    """With everything in braces filled in."""


def draw(
    table: RuleTable,
    tables: Mapping[str, RandomTable],
    name: str,
    gone: Collection[int] = (),
    out: Mapping[str, Collection[int]] | None = None,
) -> tuple[DrawnRow, ...]:
    """A row of the table of that name, then the rows of other tables that its text draws; `gone` are the numbers of
    rows that cannot come. `out` are the rows of the decks within it that have been drawn before; without it a deck
    within another table is one more table. Refused where no row is left, or the text gets too long."""
    drawing = _Drawing(table, tables, out)
    drawing.row(name, frozenset(gone))
    return tuple(drawing.drawn)


def decks_within(tables: Mapping[str, RandomTable]) -> list[str]:
    """The decks among the tables that one, the first, draws from."""
    return [one.name for one in list(tables.values())[1:] if one.deck]


def used_up(one: RandomTable) -> Refused:
    """The refusal to draw from a table of which no row is left."""
    return Refused(
        f"every row of {one.name} has been drawn",
        hint=f"begin again: crisis tables shuffle {one.name}" if one.deck else "leave out fewer rows",
        code="used_up",
    )


class _Drawing:
    def __init__(
        self, table: RuleTable, tables: Mapping[str, RandomTable], out: Mapping[str, Collection[int]] | None
    ):
        self.table = table
        self.tables = tables
        self.out = {name: set(out.get(name, ())) for name in decks_within(tables)} if out is not None else {}
        """The rows of the decks within the first table that have been drawn, before or now."""
        self.drawn: list[DrawnRow] = []
        self.weights: dict[str, tuple[list[int], int]] = {}
        """The weights of the rows of the tables drawn from, and their sum."""

    def row(self, name: str, gone: frozenset[int]) -> tuple[int, str]:
        """The number and the text of a row that was drawn."""
        one, place = self.tables[name], len(self.drawn)
        if place >= LONGEST:
            raise Refused(
                f"{self.drawn[0].table} draws more than {LONGEST:,} rows at once", code="out_of_bounds"
            )
        of_deck = self.out.get(name, set())
        at = self._number(one, gone | of_deck)
        of_deck.add(at)
        self.drawn.append(DrawnRow(name, at, ""))
        text = self.text(one.rows[at - 1].template)
        self.drawn[place] = DrawnRow(name, at, text)
        return at, text

    def _number(self, one: RandomTable, gone: frozenset[int]) -> int:
        if one.name not in self.weights:
            weights = [row.weight for row in one.rows]
            self.weights[one.name] = weights, sum(weights)
        weights, sides = self.weights[one.name]
        out = [at for at in gone if 1 <= at <= len(weights)]
        if len(out) == len(weights):
            raise used_up(one)
        if one.roll:
            self.table.label("table", "", one.dice, table=one.name)
            came = total(self.table, one.roll.expression)
            self.table.result(total=came)
            return next(at for at, row in enumerate(one.rows, start=1) if row.low <= came <= row.high)
        sides -= sum(weights[at - 1] for at in out)
        self.table.label("table", "", f"d{sides}", table=one.name)
        came = self.table.die(sides)
        for at, weight in enumerate(weights, start=1):
            if at not in gone:
                came -= weight
                if came <= 0:
                    break
        return at

    def text(self, template: Template) -> str:
        """A text with everything in braces filled in."""
        words = ""
        for part in template:
            if isinstance(part, Words):
                words += part.text
            elif isinstance(part, DiceTotal):
                self.table.label("number", "", part.notation.canonical)
                came = total(self.table, part.notation.expression)
                self.table.result(total=came)
                words += str(came)
            elif isinstance(part, TextChoice):
                self.table.label("choice", "", f"d{len(part.options)}")
                words += self.text(part.options[self.table.die(len(part.options)) - 1])
            else:
                gone: set[int] = set()
                texts = []
                for _ in range(part.times):
                    at, text = self.row(part.table, frozenset(gone))
                    gone.add(at)
                    texts.append(text)
                words += ", ".join(texts)
            if len(words) > LONGEST:
                raise Refused(f"the text has more than {LONGEST:,} characters", code="out_of_bounds")
        return words
