"""Random tables as people and other programs write them: what readers give, and what becomes of it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from ..values import NamedTuple

LABEL = (
    r"(≤\s*|up to )?(\d{1,6})(?:\s*([x×])(?!\w)|\s*(\+|or (?:more|higher|greater|above))"
    r"|\s*(or (?:less|lower|fewer|below)|(?<=\d)[-–—](?!\s*\d))|\s*(?:[-–—−]|\bto\b|\.\.)\s*(\d{1,6}))?"
)
"""What stands before a row: its results, such as `7`, `01-05`, `10+` and `6-`, or its weight, such as `3x`."""
DICE = r"\d{0,2}d(?:\d{1,5}|%)(?:\s*[+-]\s*(?:\d{0,2}d)?\d{1,5}(?!\w))*"
_DICE = re.compile(rf"(?<![\w/]){DICE}(?!\w)", re.IGNORECASE)
_HIGHEST = {"00": 100, "000": 1000}
"""How published tables write the highest result of ten-sided dice."""


class ForeignRow(NamedTuple):
    """One row of a foreign table."""

    label: str
    """Its results or its weight; empty if it has neither."""
    text: str
    line: int
    draws: tuple[str, ...] = ()
    """Ids of the tables of which the row is a roll; the text stands for them where one is missing."""


class ForeignTable(NamedTuple):
    """A foreign table."""

    name: str
    line: int
    rows: Sequence[ForeignRow]
    dice: str = ""
    about: str = ""
    form: str = ""
    ident: str = ""
    """The id by which other tables draw from it."""
    is_deck: bool = False


class ImportNote(NamedTuple):
    """Something of a foreign table that is not carried exactly."""

    line: int
    table: str
    message: str


class ForeignFile(NamedTuple):
    """A file to be imported, as its reader has read it."""

    name: str
    form: str
    tables: Sequence[ForeignTable]
    notes: Sequence[ImportNote]
    licence: str = ""


class ConvertedTable(NamedTuple):
    """A table as a file of tables has it, and the line of the source for each of its rows."""

    name: str
    """By which it is rolled on: `FILE/NAME`, or `FILE` for the only one."""
    values: Mapping[str, Any]
    lines: Sequence[int]


class ConvertedFile(NamedTuple):
    """A file of tables to be written."""

    source: str
    form: str
    tables: Sequence[ConvertedTable]
    notes: Sequence[ImportNote]
    text: str
    left_out: Sequence[WrongImport] = ()
    """What is wrong with each table of the source that the file lacks."""
    is_found: bool = True
    """Whether the new file stands in a folder in which tables are looked for."""


class WrongImport(ValueError):
    """What cannot be imported: the line, what is wrong there, and the name that the table would have."""

    def __init__(self, line: int, message: str, table: str = ""):
        super().__init__(message)
        self.line, self.message, self.table = line, message, table


class RowLabel(NamedTuple):
    """What a label says: the lowest and the highest result (None: the end of the dice), or a weight."""

    low: int | None = None
    high: int | None = None
    weight: int | None = None


def label_of(text: str) -> RowLabel | None:
    """What a label says, and an empty one too; None for other texts."""
    label = text.strip().strip("*`.:) ")
    match = re.fullmatch(LABEL, label, re.IGNORECASE)
    if match is None:
        return None if label else RowLabel(weight=1)
    under, first, weight, above, below, last = match.groups()
    if weight or under or below:
        return RowLabel(weight=int(first)) if weight else RowLabel(high=int(first))
    low = int(first) if last and last != first else _HIGHEST.get(first, int(first))
    high = 10 if last == "0" and low else _HIGHEST.get(last or first, int(last or first))
    return RowLabel(low, None if above else high)


def labels_of(rows: Sequence[ForeignRow]) -> list[RowLabel]:
    """What the labels of a table say: all results, or all weights; WrongImport where one says neither."""
    labels = [label_of(row.label) for row in rows]
    is_rolled = any(label and label.weight is None for label in labels)
    for row, label in zip(rows, labels, strict=True):
        said = repr(row.label[:40])
        if label is None and row.label[-1:] in ("x", "×"):
            weight = row.label[:-1] or row.label
            raise WrongImport(row.line, f"{weight[:40]!r} is no weight: it must be a whole number")
        if label is None or (is_rolled and label.weight is not None):
            raise WrongImport(row.line, f"{said} is no range of results such as 7 or 2-3")
        if label.low is not None and label.high is not None and label.low > label.high:
            raise WrongImport(row.line, f"{said} runs backwards: the lowest result comes first")
    return [label for label in labels if label]


def dice_of(text: str) -> str:
    """The first dice in a text, as `1d100`; empty if there are none."""
    match = _DICE.search(text[:1_000])
    dice = "".join(match[0].lower().split()).replace("%", "100") if match else ""
    return f"1{dice}" if dice[:1] == "d" else dice


def plain_markdown(text: str) -> str:
    """A text of Markdown without stars, underscores and the addresses of links."""
    text = re.sub(r"!?\[([^\]\[]*)\]\([^()\s]*\)", r"\1", text[:100_000])
    return re.sub(r"(\*{1,2}|\b__?)(?=\S)([^*_]+?)(?<=\S)(?:\*{1,2}|__?\b)", r"\2", text)
