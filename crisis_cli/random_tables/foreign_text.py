"""Readers of tables in plain text, CSV, TSV and Markdown."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence

from .foreign import (
    DICE,
    LABEL,
    ForeignRow,
    ForeignTable,
    ImportNote,
    WrongImport,
    dice_of,
    label_of,
    plain_markdown,
)

Cells = tuple[int, Sequence[str]]
"""The line of a row, and its cells."""
WEIGHTS = ("weight", "chance")
LABELS = (*WEIGHTS, "range", "dice", "d")
TEXTS = ("text", "result", "entry", "item", "description", "outcome")
"""Heads of columns in CSV, in lower case."""
SPANS = (("min", "max"), ("low", "high"), ("from", "to"))
"""Heads of two columns in CSV that are a range together."""
_DICE_HEAD = re.compile(rf"(?:dice: ?)?{DICE}(?: roll)?|(?:die |dice )?roll", re.IGNORECASE)
_ROW = re.compile(
    rf"(?:[-*•]\s+)?(?:(?P<label>{LABEL})\s*(?:[-–—](?=\s)|[.:)\s])\s*)?(?P<text>\S.*)", re.IGNORECASE
)
_HEADING = re.compile(r"#{1,6}\s+(\S.*)|\*\*(?:Table: ?)?([^*]+)\*\*:?|Table: (\S.*)")
LONE = "left out: a title without rows"


def read_text(text: str, stem: str) -> Iterator[ForeignTable | ImportNote]:
    """The tables of a plain text: blocks between empty lines, each with a title or none."""
    blocks: list[list[tuple[int, str]]] = [[]]
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            blocks[-1].append((number, line.strip()))
        elif blocks[-1]:
            blocks.append([])
    if all(len(block) <= 1 for block in blocks):
        blocks = [[line for block in blocks for line in block]]
    title, title_line = stem, 0
    for block in filter(None, blocks):
        number, head = block[0]
        are_numbered = all(row.label for row in rows_of(block[1:]))
        if head[0] == "#" or head[-1] == ":" or (are_numbered and rows_of(block[:1])[0].text == head):
            if title_line:
                yield ImportNote(title_line, title, LONE)
            if (
                head[0] != "#"
                and head[-1] != ":"
                and block[1:]
                and rows_of(block[1:])[0].label[-1:] in ("x", "×")
            ):
                yield ImportNote(number, head, "taken as the title: Title: says so, and 1x makes it a row")
            title, title_line, block = head.strip("#: ") or stem, number, block[1:]
        if block:
            rows = rows_of(block)
            if not dice_of(title) and all(re.match(r"\d+ +\w", line) for _, line in block):
                yield ImportNote(number, title, "the number of each line is taken as its result: 1. says so")
            if not rows[0].label and any(_row(*line).label[-1:].isdigit() for line in block):
                yield ImportNote(number, title, "numbers on some lines only: taken as a list")
            yield ForeignTable(title, number, rows)
            title, title_line = stem, 0
    if title_line:
        yield ImportNote(title_line, title, LONE)


def rows_of(lines: Sequence[tuple[int, str]]) -> list[ForeignRow]:
    """The rows that stand on lines: with their results if every line has some, else with their weights if any has."""
    rows = [_row(*line) for line in lines]
    if all(row.label[-1:] in ("-", "–", "—") for row in rows):
        rows = [row._replace(label=row.label[:-1]) for row in rows]
    numbered = [row.label != "" and row.label[-1] not in "x×" for row in rows]
    if all(numbered) or not any(numbered):
        return rows
    return [ForeignRow("", text, line) for line, text in lines]


def _row(number: int, line: str) -> ForeignRow:
    match = _ROW.fullmatch(line)
    return ForeignRow(match["label"] or "", match["text"], number) if match else ForeignRow("", line, number)


def read_csv(text: str, stem: str, separator: str = "") -> Iterator[ForeignTable | ImportNote]:
    """The table of separated values, by default with the sign between them that the first line has most of;
    WrongImport if they cannot be read."""
    first = text.lstrip().partition("\n")[0]
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator or max(",;\t", key=first.count))
    lines, end = list[Cells](), 0
    try:
        for cells in reader:
            lines.append((end + 1, [cell.strip() for cell in cells]))
            end = reader.line_num
    except csv.Error as error:
        raise WrongImport(end + 1, str(error)) from error
    (line, head), *below = [row for row in lines if any(row[1])] or [(1, [])]
    names = [cell.casefold() for cell in head]
    if span := next((span for span in SPANS if {*span} <= {*names}), None):
        low, high = map(names.index, span)
        below = [(number, _joined(cells, low, high)) for number, cells in below]
        head = ["range", *_joined(head, low, high)[1:]]
        names = [cell.casefold() for cell in head]
    places = [at for at, name in enumerate(names) if _DICE_HEAD.fullmatch(name) or name in LABELS]
    if not (
        places or {*names} & {*TEXTS} or (below and not _is_labelled(head) and _is_labelled(below[0][1]))
    ):
        head, below = [""] * len(head), [(line, head), *below]
    if not places and all(_is_labelled(cells) for _, cells in below):
        places = [0]
    yield from _tables(head, below, places[:1], stem, line)


def _joined(cells: Sequence[str], low: int, high: int) -> list[str]:
    """Cells with a range in the first place, of the two that are its ends."""
    ends = [cells[at] for at in (low, high) if at < len(cells)]
    return ["-".join(filter(None, ends)), *(cell for at, cell in enumerate(cells) if at not in (low, high))]


def _is_labelled(cells: Sequence[str]) -> bool:
    return len(cells) > 1 and cells[0] != "" and label_of(cells[0]) is not None


def read_markdown(text: str, stem: str) -> Iterator[ForeignTable | ImportNote]:
    """The tables of a Markdown text: every pipe table with a column of dice, below its heading or bold line."""
    title, block = stem, list[Cells]()
    for number, line in enumerate([*text.splitlines(), ""], start=1):
        if line.lstrip()[:1] == "|" or (block and "|" in line):
            cells = re.split(r"(?<!\\)\|", line.strip().removeprefix("|").removesuffix("|"))
            block.append((number, [cell.strip().replace("\\|", "|") for cell in cells]))
            continue
        if len(block) > 2:
            head = [plain_markdown(cell).strip("` ") for cell in block[0][1]]
            if places := [at for at, cell in enumerate(head) if _DICE_HEAD.fullmatch(cell)]:
                yield from _tables(head, block[2:], places, title, block[0][0])
            else:
                yield ImportNote(block[0][0], title, "left out: no column of dice")
        block = []
        if match := _HEADING.fullmatch(line.strip()):
            title = re.sub(r"[*`#]", "", match[1] or match[2] or match[3]).strip() or title


def _tables(
    head: Sequence[str], body: Sequence[Cells], places: Sequence[int], title: str, line: int
) -> Iterator[ForeignTable | ImportNote]:
    """The tables of rows of cells, one for each place of labels; those whose heads are alike are one table."""
    width = max([len(head), *(len(cells) for _, cells in body)])
    joined: dict[tuple[str, ...], list[ForeignRow]] = {}
    for place, end in zip(places or [width], [*places[1:], width], strict=True):
        columns = [at for at in range(place if len(places) > 1 else 0, end) if at != place]
        names = tuple((*head, *[""] * (width + 1))[at] for at in (place, *columns))
        rows = joined.setdefault(names, [])
        is_weight = names[0].casefold() in WEIGHTS
        for number, cells in body:
            label, *texts = [cells[at] if at < len(cells) else "" for at in (place, *columns)]
            text = ": ".join(filter(None, map(plain_markdown, texts)))
            if is_weight:
                label = label.rstrip("%") or "1"
                label += "" if label[-1] in "x×" else "x"
            if (is_weight or not places or label.strip("—- *")) and (label or text):
                rows.append(ForeignRow(label, text, number))
            elif text.strip("—- "):
                yield ImportNote(number, title, f"left out: a row without results: {text}")
    for names, rows in joined.items():
        about = ": ".join(filter(None, names[1:])) if len(names) > 2 else ""
        yield ForeignTable(title, line, rows, dice_of(names[0]), about)
