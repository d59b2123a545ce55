"""A random table as a value: its rows, each with the faces or the weight at which it comes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..notation.grammar import Notation
from ..notation.parser import parse_recorded
from ..values import NamedTuple
from .template import Template, parse_template


class Row(NamedTuple):
    """One row, which comes where the roll is from `low` to `high`, both included."""

    low: int
    high: int
    text: str
    template: Template

    @property
    def weight(self) -> int:
        """How many results of the roll it has."""
        return self.high - self.low + 1


class RandomTable(NamedTuple):
    """A table of rows."""

    name: str
    """As it is called: the file's stem, or `stem/table` for one of several in a file."""
    title: str
    about: str
    roll: Notation | None
    """The dice that choose a row; None: one die with a side for each unit of weight."""
    rows: tuple[Row, ...]
    deck: bool = False
    """Whether no row comes twice until the deck is shuffled."""

    @property
    def sides(self) -> int:
        """The weights of all rows added up."""
        return sum(row.weight for row in self.rows)

    @property
    def dice(self) -> str:
        """The dice that choose a row, in notation."""
        return self.roll.canonical if self.roll else f"d{self.sides}"

    def record(self) -> dict[str, Any]:
        """The table as a journal keeps it."""
        return {
            "title": self.title,
            "roll": self.roll.text if self.roll else "",
            "deck": self.deck,
            "rows": [[row.low, row.high, row.text] for row in self.rows],
        }


def from_record(name: str, record: Mapping[str, Any]) -> RandomTable:
    """The table that a journal holds."""
    rows: Sequence[Sequence[Any]] = record["rows"]
    return RandomTable(
        name,
        str(record["title"]),
        "",
        parse_recorded(record["roll"]) if record["roll"] else None,
        tuple(
            Row(int(low), int(high), str(text), parse_template(str(text), parse_recorded))
            for low, high, text in rows
        ),
        bool(record["deck"]),
    )
