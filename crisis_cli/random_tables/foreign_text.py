"""Readers of tables in plain text, CSV, TSV and Markdown."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence

from .foreign import (
    DASH,
    ForeignFile,
    ForeignRow,
    ForeignTable,
    ImportNote,
    WrongImport,
    dice_of,
    is_range,
    read_range,
    require_number,
    without_emphasis,
)

RANGES, WEIGHTS = ("roll", "range", "dice", "d"), ("weight", "chance")
TEXTS = ("text", "result", "entry", "item", "description", "outcome")
"""Heads of columns, in lower case."""
LONE_TITLE = "left out: a title without rows"
_NUMBERED = re.compile(
    rf"(\d{{1,6}}(?:{DASH}\d{{1,6}}|\s*\+|\s+or (?:more|less|higher|lower))?)\s*[.:)\t ]\s*(\S.*)"
)
_WEIGHTED = re.compile(r"(\d{1,6})\s*[x×]\s+(\S.*)")
_BULLET = re.compile(r"[-*•]\s+(\S.*)")
_HEADING = re.compile(r"#{1,6}\s+(\S.*)|\*\*(?:Table: ?)?([^*]+)\*\*:?")
_DICE_HEAD = re.compile(r"\**`?(dice:\s*)?\d*d(\d+|%)(\s*[+-]\s*\d+)?`?\**( roll)?", re.IGNORECASE)


# Plain text


def read_text(text: str, stem: str) -> ForeignFile:
    """The tables of a plain text: blocks between empty lines, each with a title or none."""
    tables: list[ForeignTable] = []
    notes: list[ImportNote] = []
    title, title_line = stem, 1
    for start, block in _blocks(text):
        head = block[0]
        is_title = head.endswith(":") or head.startswith("#")
        if is_title or (len(block) == 1 and _row(head, start) == ForeignRow(head, start)):
            if title != stem:
                notes.append(ImportNote(title_line, title, LONE_TITLE))
            title, title_line, start, block = head.strip("#: "), start, start + 1, block[1:]
        if not block:
            continue
        rows = [_row(line, start + at) for at, line in enumerate(block)]
        if any(row.range for row in rows) and not all(row.range for row in rows):
            notes.append(ImportNote(start, title, "numbers on some lines only: taken as a list"))
            rows = [
                ForeignRow(line, row.line) if row.range else row
                for row, line in zip(rows, block, strict=True)
            ]
        tables.append(ForeignTable(title, start, tuple(rows), dice_of(title)))
        title, title_line = stem, start
    if title != stem:
        if tables:
            notes.append(ImportNote(title_line, title, LONE_TITLE))
        else:
            tables.append(ForeignTable(stem, title_line, (ForeignRow(title, title_line),)))
    return ForeignFile("txt", tuple(tables), tuple(notes))


def _blocks(text: str) -> Iterator[tuple[int, list[str]]]:
    """The blocks of a text, each with the number of its first line."""
    block: list[str] = []
    for number, line in enumerate([*text.splitlines(), ""], start=1):
        if line.strip():
            block.append(line.strip())
        elif block:
            yield number - len(block), block
            block = []


def _row(line: str, number: int) -> ForeignRow:
    """The row that stands on a line."""
    if match := _WEIGHTED.fullmatch(line):
        return ForeignRow(match[2], number, weight=int(match[1]))
    if match := _NUMBERED.fullmatch(line):
        return ForeignRow(match[2], number, read_range(match[1], number))
    match = _BULLET.fullmatch(line)
    return ForeignRow(match[1] if match else line, number)


# CSV and TSV


def read_csv(text: str, stem: str, form: str) -> ForeignFile:
    """The table of a file of separated values (`csv` or `tsv`); WrongImport if it cannot be read."""
    separator = "\t" if form == "tsv" else separator_of(text)
    lines: list[tuple[int, list[str]]] = []
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    try:
        end = 0
        for cells in reader:
            if any(cell.strip() for cell in cells):
                lines.append((end + 1, [cell.strip() for cell in cells]))
            end = reader.line_num
    except csv.Error as error:
        raise WrongImport(reader.line_num, f"this is not {form.upper()}: {error}") from error
    table = _separated(lines, stem) if lines else None
    return ForeignFile(form, (table,) if table is not None and table.rows else ())


def separator_of(text: str) -> str:
    """The sign that parts the cells of the first line."""
    first = text.lstrip().partition("\n")[0]
    return max(",;\t", key=first.count)


def _separated(lines: Sequence[tuple[int, list[str]]], stem: str) -> ForeignTable:
    """The table of lines of cells, each with its number."""
    head = [cell.casefold() for cell in lines[0][1]]
    dice = next(filter(None, map(dice_of, head)), "")
    is_named = bool(dice) or not {*head}.isdisjoint((*RANGES, *WEIGHTS, *TEXTS))
    is_headed = is_named or (
        len(lines) > 1 and len(head) > 1 and not is_range(head[0]) and is_range(lines[1][1][0])
    )
    body = lines[1:] if is_headed else lines
    ranges = _column(head, RANGES) if is_named else None
    if ranges is None and dice:
        ranges = next(at for at, cell in enumerate(head) if dice_of(cell))
    weights, texts = (_column(head, WEIGHTS), _column(head, TEXTS)) if is_named else (None, None)
    if ranges is None and weights is None and all(len(row) > 1 and is_range(row[0]) for _, row in body):
        ranges = 0
    rows = []
    for line, row in body:
        cells = {at: cell for at, cell in enumerate(row) if cell}
        named = (ranges, weights)
        text = cells.get(texts, "") if texts is not None else ""
        if texts is None:
            text = ": ".join(cell for at, cell in cells.items() if at not in named)
        span = read_range(cells.get(ranges, ""), line) if ranges is not None else None
        weight = cells.get(weights, "1").rstrip("%x×") if weights is not None else "1"
        rows.append(ForeignRow(text, line, span, require_number(weight, line)))
    return ForeignTable(stem, lines[0][0], tuple(rows), dice)


def _column(head: Sequence[str], names: Iterable[str]) -> int | None:
    """The place of the column that has one of these names; None if none has."""
    return next((at for at, cell in enumerate(head) if cell in names), None)


# Markdown


def read_markdown(text: str, stem: str) -> ForeignFile:
    """The tables of a Markdown text: every pipe table with a column of dice."""
    tables: list[ForeignTable] = []
    title, block = stem, list[str]()
    for number, line in enumerate([*text.splitlines(), ""], start=1):
        if line.lstrip().startswith("|"):
            block.append(line)
            continue
        tables += _piped(block, number - len(block), title) if len(block) > 2 else []
        block = []
        if match := _HEADING.fullmatch(line.strip()):
            title = re.sub(r"[*`#]", "", match[1] or match[2]).strip() or title
    return ForeignFile("markdown", tuple(tables))


def _piped(block: Sequence[str], start: int, title: str) -> Iterator[ForeignTable]:
    """The tables of a pipe table that begins at a line; dice in two columns of one head are one table."""
    head, _, *body = map(_cells, block)
    places = [at for at, cell in enumerate(head) if _DICE_HEAD.fullmatch(cell)]
    columns = [
        (at, places[count + 1] if count + 1 < len(places) else len(head)) for count, at in enumerate(places)
    ]
    if len({tuple(head[at:end]) for at, end in columns}) == 1:
        rows = [row for column in columns for row in _column_rows(head, body, *column, start)]
        yield ForeignTable(title, start, tuple(rows), dice_of(head[places[0]]))
        return
    for at, end in columns:
        rows = [*_column_rows(head, body, at, end, start)]
        yield ForeignTable(title, start, tuple(rows), dice_of(head[at]))


def _column_rows(
    head: Sequence[str], body: Sequence[Sequence[str]], at: int, end: int, start: int
) -> Iterator[ForeignRow]:
    """The rows of the dice in a column, whose texts are in the columns up to an end."""
    for number, cells in enumerate(body, start=start + 2):
        row = [*cells, *[""] * (len(head) - len(cells))]
        if not row[at].strip("—- *"):
            continue
        texts = [
            (title, cell) for title, cell in zip(head[at + 1 : end], row[at + 1 : end], strict=True) if cell
        ]
        labels = (f"{title}: {cell}" if title else cell for title, cell in texts)
        text = texts[0][1] if len(texts) == 1 else "; ".join(labels)
        yield ForeignRow(without_emphasis(text), number, read_range(row[at], number))


def _cells(line: str) -> list[str]:
    """The cells of a line of a pipe table."""
    cells = re.split(r"(?<!\\)\|", line.strip().removeprefix("|").removesuffix("|"))
    return [cell.strip().replace("\\|", "|") for cell in cells]
