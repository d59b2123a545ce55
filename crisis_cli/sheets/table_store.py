"""Finding and checking files of random tables, in the same way as sheets."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from ..columns import is_printable
from ..dice.generator import Seeded, generator
from ..dice.table import Table
from ..engine.kinds import Either, Fault, Flag, ListOf, MapOf, Text, Whole, guess, shown, wrong
from ..engine.kinds import Path as KeyPath
from ..engine.schema import Field, Section
from ..errors import FileError, NotationError, TooWide
from ..notation.distribution import distribution_of
from ..notation.grammar import Notation
from ..notation.parser import parse
from ..notation.roller import total
from ..random_tables.odds import below
from ..random_tables.table import RandomTable, Row
from ..random_tables.template import WrongTemplate, dice_in, parse_template, references
from ..values import NamedTuple
from .check import MOST_FAULTS, fault_records, records_error, toml_of
from .files import file_stem, path_from, sibling
from .shelf import Record, Shelf, json_schema
from .store import Folder, Store, is_path

SHIPPED = os.path.join(os.path.dirname(os.path.dirname(__file__)), "tables")
KIND = "table"
MOST_ROWS, MOST_TABLES = 1_000, 500
MOST_RESULTS = 10_000
"""Most results that the dice which choose a row may have."""
MOST_TEXT = 1_000
"""Most characters of one row."""
DEEPEST = 32
"""Most tables that may stand below each other."""


class RowText(NamedTuple):
    """The text of a row, whose braces can be read."""

    def read(self, value: Any, path: KeyPath, faults: list[Fault]) -> str:
        """The text."""
        if (
            not isinstance(value, str)
            or not value.strip()
            or len(value) > MOST_TEXT
            or not is_printable(value)
        ):
            wrong(faults, path, f"1 to {MOST_TEXT:,} printable characters", value)
            return "?"
        try:
            template = parse_template(value)
        except WrongTemplate as error:
            faults.append(Fault(path, str(error)))
            return "?"
        table = Table(Seeded(generator(0).random))
        for notation in dice_in(template):
            if notation.repeat is not None:
                faults.append(
                    Fault(path, f"{{{notation.text}}}: braces print one roll; write each in its own")
                )
                return "?"
            if notation.is_number:
                faults.append(Fault(path, _without_dice(notation.text)))
                return "?"
            try:
                # Rolled once: what is too much for a roll is found here, with its line.
                total(table, notation.expression)
            except NotationError as error:
                faults.append(Fault(path, f"{{{notation.text}}}: {error.message}"))
                return "?"
        return value

    def schema(self) -> dict[str, Any]:
        """A string."""
        return {"type": "string", "minLength": 1, "maxLength": MOST_TEXT}


def _without_dice(text: str) -> str:
    """What is wrong with braces that hold numbers only: `{1 - 6}`."""
    span = re.fullmatch(r"1 *[-–] *([0-9]+)", text.strip())
    return f"{{{text}}} holds no dice; write {{1d{span[1]}}}" if span else f"{{{text}}} holds no dice"


RANGE = re.compile(r"(-?[0-9]{1,6})(?: *(?:[-–—]|\bto\b) *(-?[0-9]{1,6}))?")
"""One result of a roll, or the lowest and the highest of several: `7`, `2-3`, `2 to 3`, `-2--1`, `96-00`."""
PERCENTILE = "00"
"""How published tables write 100, the highest result of two ten-sided dice."""


class ResultRange(NamedTuple):
    """The results of the roll at which a row comes: `7` or `"2-3"`."""

    def read(self, value: Any, path: KeyPath, faults: list[Fault]) -> tuple[int, int]:
        """The lowest and the highest result."""
        found = None if isinstance(value, bool) else RANGE.fullmatch(str(value).strip())
        if found is not None:
            first, last = found[1], found[2] or found[1]
            # Where the lowest result is 00, the dice count from 0.
            low = 100 if first == last == PERCENTILE else int(first)
            high = 100 if last == PERCENTILE else int(last)
            if low <= high:
                return low, high
        wrong(faults, path, 'results of the roll such as 7 or "2-3"', value)
        return 1, 1

    def schema(self) -> dict[str, Any]:
        """A whole number, or a string with one or two."""
        return {
            "anyOf": [
                {"type": "integer", "minimum": -999_999, "maximum": 999_999},
                {"type": "string", "pattern": f"^ *{RANGE.pattern} *$"},
            ]
        }


class DiceRoll(NamedTuple):
    """Dice notation that always ends: `2d6`."""

    def read(self, value: Any, path: KeyPath, faults: list[Fault]) -> str:
        """The notation."""
        try:
            found = distribution_of(parse(value)) if isinstance(value, str) else None
            if isinstance(value, str) and parse(value).repeat is not None:
                faults.append(Fault(path, f"{value}: one roll chooses a row"))
            elif found is None or found.truncated:
                wrong(faults, path, "dice such as 2d6 that do not explode", value)
            elif len(found.ways) > MOST_RESULTS:
                wrong(faults, path, f"dice with at most {MOST_RESULTS:,} results", value)
            else:
                return str(value)
        except (NotationError, TooWide) as error:
            right = f"; {error.hint}" if error.hint.startswith("write ") else ""
            faults.append(Fault(path, f"must be dice such as 2d6: {error.message}{right}"))
        return ""

    def schema(self) -> dict[str, Any]:
        """A string."""
        return {"type": "string"}


ROW = Section(
    {
        "text": Field(RowText(), "text of the row", required=True),
        "weight": Field(Whole(1, 1_000), "how many times as likely it is as a row without weight"),
        "range": Field(ResultRange(), "results of `roll` at which it comes"),
    }
)
KEYS = {
    "name": Field(Text(most=60), "title"),
    "about": Field(Text(most=120), "what the table is for, one line"),
    "roll": Field(DiceRoll(), "dice that choose a row; every row then has a `range`"),
    "deck": Field(Flag(), "whether no row comes twice until the deck is shuffled", "", False),
}
ROWS = Field(
    ListOf(Either(RowText(), ROW), MOST_ROWS), "rows: texts, or tables with text and weight or range"
)
TABLE = Section({**KEYS, "rows": ROWS._replace(required=True)})
SCHEMA = Section(
    {
        **KEYS,
        "rows": ROWS,
        "tables": Field(MapOf(TABLE, lower=True, most=MOST_TABLES), "several tables in one file"),
    }
)
"""The schema of a file: one table, or several under `[tables.NAME]`."""


class TableFile(NamedTuple):
    """A file of tables that has been read."""

    tables: Mapping[str, RandomTable]
    text: str
    rows: Mapping[str, KeyPath]
    """Where the rows of each table stand in the text."""
    faults: Sequence[Fault]
    """What is wrong in the file itself; a default stands in its place."""


class WrongRow(NamedTuple):
    """A row of a table that draws from a table which cannot be drawn from."""

    table: RandomTable
    row: int
    """Counted from 0."""
    message: str


class TableStore(Shelf[Mapping[str, RandomTable]]):
    """The random tables in reach: each file, which holds tables by name, is found, read and checked once."""

    def __init__(self, folders: tuple[Folder, ...], here: str):
        shipped = Folder(SHIPPED, "the shipped tables", is_writable=False)
        super().__init__(Store((*folders, shipped), here, kind=KIND))
        self.known: dict[str, TableFile] = {}
        """The files that have been read, by path."""
        self.paths: dict[str, str] = {}
        """The files that names have been found to mean."""

    def named(self, name: str, within: str | None = None) -> RandomTable:
        """The table `NAME`, or `FILE/NAME` where a file holds several; FileError if there is none or it is invalid.

        What is wrong in the file `within` does not matter: it is being checked.
        """
        path, inner = self.file_of(name)
        found = self._file(path).tables if path == within else self.of_file(path)
        stem = file_stem(path).casefold()
        own = f"{stem}/{inner}" if inner else stem
        if own not in found:
            tables = ", ".join(found)
            raise FileError(
                f"{self.store.display_path(path)} has no table called {inner or own!r}{guess(own, found)}",
                hint=f"its tables: {tables}",
                code="not_found",
            )
        return found[own]

    def find(self, name: str) -> str:
        """The path of the file that a name of a table means; FileError if there is none or several."""
        return self.file_of(name)[0]

    def file_of(self, name: str) -> tuple[str, str]:
        """The file that a name of a table means, and the name behind the stroke in `FILE/NAME`, else empty; FileError
        if there is no such file."""
        stem, _, inner = name.casefold().partition("/")
        if not inner or name.casefold().endswith(".toml"):
            return self._path_of(name), ""
        return self._path_of(stem), inner

    def _path_of(self, name: str) -> str:
        """The path of the file that a name means; one beside a file that has been read if none is in reach."""
        if name not in self.paths:
            try:
                self.paths[name] = self.store.find(name)
            except FileError:
                beside = [sibling(path, f"{name}.toml") for path in self.known if not is_path(name)]
                path = next(
                    (path for path in beside if os.path.isfile(path) and not os.path.islink(path)), ""
                )
                if not path:
                    raise
                return path
        return self.paths[name]

    def files_at(self, name: str) -> list[str]:
        """The files that a word means: the one of a table, or those in a folder, or one whose path lacks `.toml`;
        FileError if there is none."""
        path = path_from(self.store.working_folder, name)
        try:
            return super().files_at(name)
        except FileError:
            if os.path.isfile(f"{path}.toml"):
                return [f"{path}.toml"]
            if is_path(name):
                # A path that leads nowhere, not a table of a file that is called as the first folder.
                return [self.store.find(name)]
            raise

    def with_references(self, name: str) -> dict[str, RandomTable]:
        """The table of that name, first, and all that it draws from; FileError listing every row that draws from one
        that is missing, leads back to itself, or has too few rows."""
        first = self.named(name)
        found = {first.name: first}
        self._require_no_faults(self._references(first, found, {}, (first.name,)))
        return {one: found[one] for one in (first.name, *below(found, first.name))}

    def examine(self, path: str) -> tuple[Mapping[str, RandomTable], Sequence[Record]]:
        """The tables of a file by name; FileError listing every fault of it, and of all that it draws from."""
        tables, heights = self._file(path).tables, dict[str, int]()
        wrong = (
            row
            for one in tables.values()
            if one.name not in heights
            for row in self._references(one, {one.name: one}, heights, (one.name,), path)
        )
        self._require_no_faults(wrong, path)
        return tables, ()

    @staticmethod
    def schema(system: str = "") -> dict[str, Any]:
        """The JSON Schema of files of tables, which are of no system."""
        return json_schema("random tables of crisis", SCHEMA.schema())

    def example(self, name: str, system: str) -> str:
        """The text of a table of that name with three rows."""
        from .examples import table

        return table(name)

    def _require_no_faults(self, wrong: Iterable[WrongRow], path: str | None = None) -> None:
        """Raise FileError, file by file, for rows that cannot draw, and for what is wrong in a file itself.

        No more rows are looked for than an error holds.
        """
        faults = {path: [*self.known[path].faults]} if path and self.known[path].faults else {}
        for one in islice(wrong, MOST_FAULTS + 1):
            home = self._home(one.table)
            fault = Fault((*self.known[home].rows[one.table.name], one.row), one.message)
            found = faults.setdefault(home, [])
            found += [fault] if fault not in found else []
        records = [
            record
            for home, found in faults.items()
            for record in fault_records(self.store.display_path(home), self.known[home].text, found)
        ]
        if records:
            raise records_error(records, KIND)

    def _references(
        self,
        one: RandomTable,
        found: dict[str, RandomTable],
        heights: dict[str, int],
        way: tuple[str, ...],
        within: str | None = None,
    ) -> Iterator[WrongRow]:
        """Find all that a table draws from, and give the rows that cannot draw; `way` leads to the table. `heights` are
        how many tables stand below each of those that are done, so that none is walked twice."""
        height = 0
        for number, row in enumerate(one.rows):
            for reference in references(row.template):
                said = f"{{@{reference.table}{f':{reference.times}' if reference.times > 1 else ''}}}"
                if reference.table in way:
                    path = " → ".join((*way[way.index(reference.table) :], reference.table))
                    yield WrongRow(one, number, f"{said}: {reference.table} leads back to itself: {path}")
                    continue
                if len(way) + heights.get(reference.table, 0) >= DEEPEST:
                    yield WrongRow(one, number, f"{said}: more than {DEEPEST} tables stand below each other")
                    continue
                try:
                    other = found.get(reference.table) or self._near(reference.table, one, within)
                except FileError as error:
                    yield WrongRow(one, number, f"{said}: {self._why_not(reference.table, one, error)}")
                    continue
                if reference.times > 1 and (other.roll or reference.times > len(other.rows)):
                    why = "chooses by roll" if other.roll else f"has {len(other.rows)} rows"
                    yield WrongRow(one, number, f"{said}: {other.name} {why}")
                found[other.name] = other
                if other.name not in heights:
                    yield from self._references(other, found, heights, (*way, other.name), within)
                height = max(height, 1 + heights[other.name])
        heights[one.name] = height

    def _home(self, one: RandomTable) -> str:
        """The file that a table has been read from."""
        return next(path for path, file in self.known.items() if file.tables.get(one.name) is one)

    def _near(self, name: str, one: RandomTable, within: str | None) -> RandomTable:
        """The table that a row of another names; FileError where it names a path that leads elsewhere."""
        if name.endswith(".toml"):
            self.store.require_near(name, os.path.dirname(self._home(one)))
        return self.named(name, within)

    def _why_not(self, name: str, home: RandomTable, error: FileError) -> str:
        """Why a table cannot be drawn from in a row of another, with the name that was probably meant."""
        first, *more = error.message.splitlines()
        beside = f"{home.name.partition('/')[0]}/{name}"
        if any(beside in file.tables for file in self.known.values()):
            first += f" (did you mean {beside}?)"
        elif error.code == "not_found" and "(did you mean" not in first:
            first += guess(name, self.names())
        return f"{first} (and {len(more)} more)" if more else first

    def of_file(self, path: str) -> Mapping[str, RandomTable]:
        """The tables of a file by name, `stem` or `stem/name`; FileError listing every fault in the file itself."""
        file = self._file(path)
        self._require_no_faults((), path)
        return file.tables

    def _file(self, path: str) -> TableFile:
        """A file as it stands, with all that is wrong in it; FileError if it cannot be read."""
        if path not in self.known:
            text, raw = toml_of(path, self.store.display_path(path), KIND)
            faults: list[Fault] = []
            values, stem = _values(raw, faults), file_stem(path).casefold()
            tables = dict(_tables(stem, values))
            self.known[path] = TableFile(tables, text, dict(_rows(stem, raw, values)), faults)
        return self.known[path]


def faults_in(raw: dict[str, Any]) -> list[Fault]:
    """All that is wrong in what a file of tables holds, but for tables that it draws from."""
    faults: list[Fault] = []
    _values(raw, faults)
    return faults


def _tables(stem: str, values: Mapping[str, Any]) -> Iterator[tuple[str, RandomTable]]:
    if "rows" in values:
        yield stem, _table(stem, values)
    for inner, part in values.get("tables", {}).items():
        name = stem if inner == stem and "rows" not in values else f"{stem}/{inner}"
        about = {"about": values.get("about", ""), "name": values.get("name", inner)} if name == stem else {}
        yield name, _table(name, {**about, **part})


def _rows(stem: str, raw: Mapping[str, Any], values: Mapping[str, Any]) -> Iterator[tuple[str, KeyPath]]:
    """Where the rows of each table stand in a file."""
    yield stem, ("rows",)
    for inner in values.get("tables", {}):
        path = ("tables", _written(raw["tables"], inner), "rows")
        yield (stem if inner == stem and "rows" not in values else f"{stem}/{inner}"), path


def _written(tables: Mapping[str, Any], name: str) -> str:
    """The name of a table as the file spells it."""
    return next(str(key) for key in tables if key.lower().replace("_", "-") == name)


def _table(name: str, values: Mapping[str, Any]) -> RandomTable:
    rows: list[Row] = []
    low = 1
    for raw in values["rows"]:
        row = raw if isinstance(raw, dict) else {"text": raw}
        low, high = row.get("range") or (low, low + row.get("weight", 1) - 1)
        rows.append(Row(low, high, row["text"], parse_template(row["text"])))
        low = high + 1
    roll: Notation | None = parse(values["roll"]) if values.get("roll") else None
    return RandomTable(
        name, values.get("name", name), values.get("about", ""), roll, tuple(rows), values["deck"]
    )


def _values(raw: dict[str, Any], faults: list[Fault]) -> dict[str, Any]:
    """The values of a file; what is wrong between its keys is added to the faults."""
    values = SCHEMA.read(raw, (), faults)
    if "rows" not in raw and "tables" not in raw:
        faults.append(Fault(("rows",), "is missing"))
    if "rows" in values:
        _check(values, (), faults)
    for name, part in values.get("tables", {}).items():
        _check(part, ("tables", _written(raw["tables"], name)), faults)
    return values


def _check(table: Mapping[str, Any], path: KeyPath, faults: list[Fault]) -> None:
    """Add the faults of rows that do not go with the roll of their table, but none that come of another one."""
    rows = [row if isinstance(row, dict) else {"text": row} for row in table["rows"]]
    roll, deep = table.get("roll"), len(path)
    known = {fault.path[deep:] for fault in faults if fault.path[:deep] == path and fault.path[-1] != "text"}
    if not rows and ("rows",) not in known:
        faults.append(Fault((*path, "rows"), "must have a row"))
    if ("roll",) in known:
        return
    found: list[Fault] = []
    for at, row in enumerate(rows):
        here = (*path, "rows", at)
        if any(place[:2] == ("rows", at) and len(place) > 2 for place in known):
            continue
        if roll and "range" not in row:
            found.append(Fault(here, f"must have a range: the table is rolled with {roll}"))
        if not roll and "range" in row:
            found.append(Fault((*here, "range"), "goes with `roll`; write a weight, or give the dice"))
        if roll and "weight" in row:
            found.append(Fault((*here, "weight"), "goes with tables without `roll`"))
    if roll and table["deck"] and ("deck",) not in known:
        found.append(Fault((*path, "deck"), "goes with tables without `roll`"))
    if (
        roll
        and rows
        and not any(place[:1] == ("rows",) for place in known)
        and all("range" in row for row in rows)
    ):
        _check_ranges(rows, roll, path, found)
    faults += found


def _check_ranges(rows: list[dict[str, Any]], roll: str, path: KeyPath, faults: list[Fault]) -> None:
    """Add the faults of results that no row or two rows have."""
    results = sorted(distribution_of(parse(roll)).ways)
    taken: dict[int, int] = {}
    for at, row in enumerate(rows):
        low, high = row["range"]
        here = (*path, "rows", at, "range")
        inside = [result for result in results if low <= result <= high]
        if not inside or low < results[0] or high > results[-1]:
            faults.append(
                Fault(here, f"{roll} rolls {results[0]} to {results[-1]}, not {shown(f'{low}-{high}')}")
            )
        twice = next((result for result in inside if result in taken), None)
        if twice is not None:
            faults.append(Fault(here, f"{twice} stands in row {taken[twice] + 1} too"))
        for result in inside:
            taken.setdefault(result, at)
    left = [result for result in results if result not in taken]
    if left:
        faults.append(Fault((*path, "rows"), f"no row for {', '.join(map(str, left[:10]))} on {roll}"))
