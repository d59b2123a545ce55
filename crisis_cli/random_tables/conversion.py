"""Foreign tables made into tables of our own: names, ranges, texts and references."""

from __future__ import annotations

import html
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ..values import NamedTuple
from .foreign import ForeignFile, ForeignRow, ForeignTable, ImportNote, WrongImport, dice_of

LONGEST_KEY, LONGEST_NAME, LONGEST_ABOUT, LONGEST_TEXT = 40, 60, 120, 1_000
MOST_RESULTS = 10_000
DEEPEST = 32
"""Most tables that may stand below each other."""
D66 = "10*1d6+1d6"
EMPTY = "—"
"""The text of a row that has none."""
_DRAW = re.compile(r"@(?:UUID|Compendium|RollTable)\[([^\]]*)\](?:\{([^}]*)\})?|\[\[([A-Za-z][^\[\]]*)\]\]")
_DICE_INSIDE = re.compile(
    r"\[\[(?:/(?:r|roll|gmr) )?\s*(\d{0,3}d\d{1,4}(?:\s*[+-]\s*\d{1,4})?)[^\]]*\]\](?:\{[^}]*\})?"
    r"|`dice: *(\d{0,3}d\d{1,4}(?:\s*[+-]\s*\d{1,4})?) *`"
)
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")


class ConvertedRow(NamedTuple):
    """One row of a converted table, its text a template."""

    text: str
    line: int
    range: tuple[int, int] | None
    weight: int

    def values(self) -> Any:
        """The row as a file of tables has it."""
        if self.range is not None:
            low, high = self.range
            return {"text": self.text, "range": low if low == high else f"{low} to {high}"}
        return self.text if self.weight == 1 else {"text": self.text, "weight": self.weight}


class ConvertedTable(NamedTuple):
    """A table of a file of ours."""

    key: str
    name: str
    about: str
    roll: str
    is_deck: bool
    rows: tuple[ConvertedRow, ...]

    def record(self) -> dict[str, Any]:
        """The table for JSON."""
        return {"name": self.key, "rows": len(self.rows), "roll": self.roll}

    def values(self) -> dict[str, Any]:
        """The keys of the table as a file of tables has them, but for those that it does without."""
        keys = {"name": self.name, "about": self.about, "roll": self.roll, "deck": self.is_deck}
        rows = [row.values() for row in self.rows]
        return {**{key: value for key, value in keys.items() if value}, "rows": rows}


class ConvertedFile(NamedTuple):
    """A file of tables to be written."""

    stem: str
    source: str
    form: str
    tables: tuple[ConvertedTable, ...]
    notes: tuple[ImportNote, ...]
    licence: str

    @property
    def first(self) -> str:
        """The name by which the first table is rolled on."""
        return _called(self.stem, self.tables[0].key)

    def values(self) -> dict[str, Any]:
        """What the file holds: its only table itself where that has the name of the file."""
        if [table.key for table in self.tables] == [self.stem]:
            return self.tables[0].values()
        return {"tables": {table.key: table.values() for table in self.tables}}


class Manner(NamedTuple):
    """How tables are converted."""

    gaps: str = ""
    """The text of results for which there is no row; empty: such a table is wrong."""
    has_templates: bool = False
    """Whether braces in texts mean what they mean in tables of ours."""


Target = tuple[str, str]
"""The stem of a file, and the key of a table in it."""


class TableLinks(NamedTuple):
    """The tables of all files that are converted at once, and what each draws from."""

    by_name: Mapping[str, Target]
    by_ident: Mapping[str, Target]
    allowed: frozenset[tuple[Target, Target]]
    """A table and another from which it may draw: none that leads back."""


def slug(name: str) -> str:
    """The key for a name: its letters and digits in lower case, words joined by hyphens."""
    words = "".join(sign if sign.isalnum() else " " for sign in name[:1_000].casefold()).split()
    return "-".join(words)[:LONGEST_KEY].strip("-") or "table"


def convert(files: Sequence[tuple[str, str, ForeignFile]], manner: Manner) -> Iterator[ConvertedFile]:
    """The files of tables for foreign files, each with its stem and the name of its source; WrongImport, as an
    iterator comes to it, where a table cannot be converted."""
    keys = [[*_keys(stem, foreign.tables)] for stem, _, foreign in files]
    names = _names(files, keys)
    for (stem, source, foreign), own_keys in zip(files, keys, strict=True):
        notes = [*foreign.notes]
        tables = tuple(
            _converted(table, (stem, key), names, manner, notes)
            for table, key in zip(foreign.tables, own_keys, strict=True)
        )
        yield ConvertedFile(stem, source, foreign.form, tables, tuple(notes), clean(foreign.licence)[:200])


def _keys(stem: str, tables: Sequence[ForeignTable]) -> Iterator[str]:
    """The keys of the tables of a file, no key twice."""
    taken: dict[str, int] = {}
    for table in tables:
        key = first = stem if len(tables) == 1 else slug(table.name)
        while key in taken:
            taken[first] += 1
            ending = f"-{taken[first]}"
            key = f"{first[: LONGEST_KEY - len(ending)]}{ending}"
        taken.setdefault(key, 1)
        yield key


def _called(stem: str, key: str) -> str:
    """The name by which a table of a file is called."""
    return stem if stem == key else f"{stem}/{key}"


# Texts


def clean(text: str) -> str:
    """A text on one line, without HTML and characters that no screen shows."""
    plain = html.unescape(_TAG.sub(" ", text[:8_000]))
    return " ".join("".join(sign if sign.isprintable() else " " for sign in plain).split())


def _shortened(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _names(files: Sequence[tuple[str, str, ForeignFile]], keys: Sequence[Sequence[str]]) -> TableLinks:
    """The names and ids of all tables, and from which of the others each may draw."""
    by_name: dict[str, Target] = {}
    by_ident: dict[str, Target] = {}
    tables: dict[Target, ForeignTable] = {}
    for (stem, _, foreign), own_keys in zip(files, keys, strict=True):
        for table, key in zip(foreign.tables, own_keys, strict=True):
            by_name.setdefault(slug(table.name), (stem, key))
            if table.ident:
                by_ident.setdefault(table.ident, (stem, key))
            tables[stem, key] = table
    ways = {
        target: [*dict.fromkeys(other for row in table.rows for other in _drawn(row, by_name, by_ident))]
        for target, table in tables.items()
    }
    return TableLinks(by_name, by_ident, frozenset(_ways_down(ways)))


def _drawn(
    row: ForeignRow, by_name: Mapping[str, Target], by_ident: Mapping[str, Target]
) -> Iterator[Target]:
    """The tables from which a row draws, if they are there."""
    yield from (by_ident[ident] for ident in row.draws if ident in by_ident)
    names = (slug(match[2] or match[3] or match[1]) for match in _DRAW.finditer(clean(row.text)))
    yield from (by_name[name] for name in names if name in by_name)


def _ways_down(ways: Mapping[Target, Iterable[Target]]) -> Iterator[tuple[Target, Target]]:
    """The draws that lead to no table above, and no deeper than tables may stand below each other."""
    heights: dict[Target, int] = {}
    for start in ways:
        if start in heights:
            continue
        heights[start] = 0
        open_ways = [(start, iter(ways[start]))]
        above = {start}
        while open_ways:
            table, others = open_ways[-1]
            other = next(others, None)
            if other is None:
                open_ways.pop()
                above.discard(table)
                if open_ways and heights[table] + 1 < DEEPEST:
                    home = open_ways[-1][0]
                    heights[home] = max(heights[home], heights[table] + 1)
                    yield home, table
            elif other in above:
                continue
            elif other not in heights:
                heights[other] = 0
                above.add(other)
                open_ways.append((other, iter(ways[other])))
            elif heights[other] + 1 < DEEPEST:
                heights[table] = max(heights[table], heights[other] + 1)
                yield table, other


def _text(
    row: ForeignRow, home: Target, title: str, names: TableLinks, manner: Manner, notes: list[ImportNote]
) -> str:
    """The text of a row as a template."""
    drawn = [names.by_ident.get(ident) for ident in row.draws]
    if drawn and all(other is not None and (home, other) in names.allowed for other in drawn):
        return " + ".join(f"{{@{_called(*other)}}}" for other in drawn if other is not None)
    if drawn:
        notes.append(
            ImportNote(row.line, title, "draws from a table that is not here, or leads back: taken as text")
        )
    plain = clean(row.text) or clean(", ".join(row.draws)) or EMPTY
    braces: list[str] = []

    def kept(template: str) -> str:
        braces.append(template)
        return f"\0{len(braces) - 1}\0"

    def draw(match: re.Match[str]) -> str:
        other = names.by_name.get(slug(match[2] or match[3] or match[1]))
        if other is not None and (home, other) in names.allowed:
            return kept(f"{{@{_called(*other)}}}")
        notes.append(
            ImportNote(row.line, title, "names a table that is not here, or leads back: taken as text")
        )
        return match[0] if match[3] else match[2] or match[1]

    marked = _DICE_INSIDE.sub(lambda match: kept(f"{{{(match[1] or match[2]).replace(' ', '')}}}"), plain)
    marked = _DRAW.sub(draw, marked)
    doubled = marked if manner.has_templates else marked.replace("{", "{{").replace("}", "}}")
    text = re.sub("\0([0-9]+)\0", lambda match: braces[int(match[1])], doubled)
    if len(text) <= LONGEST_TEXT:
        return text
    notes.append(ImportNote(row.line, title, f"cut at {LONGEST_TEXT:,} characters"))
    if manner.has_templates:
        return _shortened(text, LONGEST_TEXT)
    signs = plain.count("{", 0, LONGEST_TEXT) + plain.count("}", 0, LONGEST_TEXT)
    short = f"{plain[: max(1, LONGEST_TEXT - 1 - signs)]}…"
    return short.replace("{", "{{").replace("}", "}}")


# Ranges


def _converted(
    table: ForeignTable, home: Target, names: TableLinks, manner: Manner, notes: list[ImportNote]
) -> ConvertedTable:
    """A table of ours for a foreign one; WrongImport where its rows do not fit its dice."""
    title = _shortened(clean(table.name) or home[1], LONGEST_NAME)
    rows = [
        ConvertedRow(_text(row, home, title, names, manner, notes), row.line, None, row.weight)
        for row in table.rows
    ]
    is_rolled = any(row.range for row in table.rows)
    roll = _roll(table, title, notes) if is_rolled else ""
    if is_rolled:
        rows = _ranged(table, rows, roll, title, manner, notes)
    about = _shortened(clean(table.about), LONGEST_ABOUT)
    return ConvertedTable(home[1], title, about, roll, table.is_deck, tuple(rows))


def _roll(table: ForeignTable, title: str, notes: list[ImportNote]) -> str:
    """The dice that choose a row: those that the table names, else one die up to its highest result."""
    ends = [end for row in table.rows for end in row.range or () if end is not None]
    roll = table.dice or dice_of(table.name) or f"1d{max(ends, default=1)}"
    if roll == "1d66":
        notes.append(ImportNote(table.line, title, f"d66 is {D66}"))
        return D66
    count, _, sides = re.split(r"[+-]", roll)[0].partition("d")
    if not 0 < int(count) * int(sides) <= MOST_RESULTS:
        raise WrongImport(table.line, f"{roll} must have 1 to {MOST_RESULTS:,} results")
    return roll


def _ranged(
    table: ForeignTable,
    rows: Sequence[ConvertedRow],
    roll: str,
    title: str,
    manner: Manner,
    notes: list[ImportNote],
) -> list[ConvertedRow]:
    """The rows with their ranges, those of gaps too; WrongImport for results that no row or two rows have."""
    results = _results(roll)
    taken: dict[int, int] = {}
    ranged: list[ConvertedRow] = []
    for row, foreign in zip(rows, table.rows, strict=True):
        low, high = foreign.range or (1, 0)
        low, high = results[0] if low is None else low, results[-1] if high is None else high
        if low == 0 < high and results[0] == 1:
            notes.append(ImportNote(row.line, title, "a range from 0 begins at 1"))
            low = 1
        said = str(low) if low == high else f"{low} to {high}"
        inside = results[bisect_left(results, low) : bisect_right(results, high)]
        if not inside or low < results[0] or high > results[-1]:
            raise WrongImport(row.line, f"{roll} rolls {results[0]} to {results[-1]}, not {said}")
        for result in inside:
            if result in taken:
                raise WrongImport(row.line, f"{result} stands on line {taken[result]} too")
            taken[result] = row.line
        ranged.append(row._replace(range=(low, high)))
    for gap in _runs([result for result in results if result not in taken], results):
        low, high = gap[0], gap[-1]
        said = str(low) if low == high else f"{low} to {high}"
        at = bisect_left(results, low)
        line = taken[results[at - 1]] if at else table.line
        if not manner.gaps:
            raise WrongImport(line, f"no row for {said} on {roll}")
        gaps = clean(manner.gaps) or EMPTY
        text = gaps if manner.has_templates else gaps.replace("{", "{{").replace("}", "}}")
        ranged.append(ConvertedRow(text, line, (low, high), 1))
        notes.append(ImportNote(line, title, f"filled: no row for {said} on {roll}"))
    return sorted(ranged, key=lambda row: row.range or (0, 0))


def _results(roll: str) -> Sequence[int]:
    """All results of dice, lowest first."""
    if roll == D66:
        return [10 * tens + ones for tens in range(1, 7) for ones in range(1, 7)]
    dice, sign, bonus = re.split(r"([+-])", roll) if re.search(r"[+-]", roll) else (roll, "+", "0")
    count, _, sides = dice.partition("d")
    shift = int(f"{sign}{bonus}")
    return range(int(count) + shift, int(count) * int(sides) + shift + 1)


def _runs(missing: Sequence[int], results: Sequence[int]) -> Iterator[list[int]]:
    """Missing results in runs of those that follow each other on the dice."""
    places = {result: at for at, result in enumerate(results)}
    run: list[int] = []
    for result in missing:
        if run and places[result] != places[run[-1]] + 1:
            yield run
            run = []
        run.append(result)
    if run:
        yield run
