"""Random tables as people and other programs write them: what every reader of a format gives, and the ranges and dice
that all formats share."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from ..values import NamedTuple

Range = tuple[int | None, int | None]
"""The lowest and the highest result of a row; None: the end of the dice."""


class ForeignRow(NamedTuple):
    """One row of a table to be converted."""

    text: str
    line: int
    range: Range | None = None
    weight: int = 1
    draws: tuple[str, ...] = ()
    """Ids of the tables of which the row is a roll; the text stands for them where one is missing."""


class ForeignTable(NamedTuple):
    """A table to be converted."""

    name: str
    line: int
    rows: tuple[ForeignRow, ...]
    dice: str = ""
    about: str = ""
    ident: str = ""
    """The id by which other tables draw from it."""
    is_deck: bool = False


class ImportNote(NamedTuple):
    """Something that is not carried exactly."""

    line: int
    table: str
    message: str

    def record(self) -> dict[str, Any]:
        """The note for JSON."""
        return self._asdict()


class ForeignFile(NamedTuple):
    """What a reader has made of a file."""

    form: str
    tables: tuple[ForeignTable, ...]
    notes: tuple[ImportNote, ...] = ()
    licence: str = ""


class WrongImport(ValueError):
    """A file that cannot be converted: the line, and what is wrong there."""

    def __init__(self, line: int, message: str):
        super().__init__(message)
        self.line, self.message = line, message


DASH = r"\s*(?:[-–—−]|\bto\b|\.\.)\s*"
_RANGE = re.compile(rf"(\d{{1,6}})(?:{DASH}(\d{{1,6}}))?")
_UP = re.compile(r"(\d{1,6})\s*(?:\+|or (?:more|higher|greater|above))", re.IGNORECASE)
_DOWN = re.compile(r"(?:≤\s*|up to )(\d{1,6})|(\d{1,6})\s*or (?:less|lower|fewer|below)", re.IGNORECASE)
_DICE = re.compile(r"(?<![\w/])(\d{0,2})d(\d{1,5}|%)(\s*[+-]\s*\d{1,4})?(?!\w)", re.IGNORECASE)
PERCENTILE = {"00": 100, "000": 1000}
"""How published tables write the highest result of ten-sided dice."""


def read_range(text: str, line: int) -> Range:
    """The results that a cell names, such as `96-00` or `10+`; WrongImport if it names none."""
    cell = text.strip().strip("*`.:) ")
    if match := _UP.fullmatch(cell):
        return int(match[1]), None
    if match := _DOWN.fullmatch(cell):
        return None, int(match[1] or match[2])
    match = _RANGE.fullmatch(cell)
    if match is None:
        raise WrongImport(line, f"{cell[:40]!r} is no range of results such as 7 or 2-3")
    first, last = match[1], match[2] or match[1]
    low = PERCENTILE.get(first, int(first)) if first == last else int(first)
    return low, PERCENTILE.get(last, int(last))


def is_range(text: str) -> bool:
    """Whether a cell names results of a roll."""
    try:
        read_range(text, 0)
    except WrongImport:
        return False
    return True


def dice_of(text: str) -> str:
    """The first dice in a text in our notation; empty if there are none."""
    match = _DICE.search(text[:1_000])
    if match is None:
        return ""
    sides = "100" if match[2] == "%" else match[2]
    return f"{match[1] or 1}d{sides}{re.sub(' ', '', match[3] or '')}"


def require_number(value: object, line: int) -> int:
    """The number in JSON or a cell; WrongImport for anything else, and for more than six digits."""
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 1_000_000:
        return value
    if isinstance(value, str) and re.fullmatch(r"[0-9]{1,6}", value.strip()):
        return int(value)
    raise WrongImport(line, f"{str(value)[:40]!r} is no number of one to six digits")


def first_text(values: Mapping[str, Any], keys: Iterable[str]) -> str:
    """The first text among the values of some keys; empty if there is none."""
    return next((str(values[key]) for key in keys if isinstance(values.get(key), str) and values[key]), "")


def without_emphasis(text: str) -> str:
    """A text of Markdown without stars, underscores and the addresses of links."""
    text = re.sub(r"!?\[([^\]\[]*)\]\([^()\s]*\)", r"\1", text[:8_000])
    return re.sub(r"(\*{1,2}|\b__?)(?=\S)([^*_]+?)(?<=\S)(?:\*{1,2}|__?\b)", r"\2", text)
