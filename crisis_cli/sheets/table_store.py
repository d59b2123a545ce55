"""Finding and checking files of random tables, in the same way as sheets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ..engine.kinds import Either, Fault, Flag, ListOf, MapOf, Text, Whole, guess, shown, wrong
from ..engine.kinds import Path as KeyPath
from ..engine.schema import Field, Section
from ..errors import FileError, NotationError, TooWide
from ..notation.distribution import distribution_of
from ..notation.parser import Notation, parse
from ..random_tables.odds import below
from ..random_tables.table import RandomTable, Row
from ..random_tables.template import WrongTemplate, parse_template, references
from ..values import NamedTuple
from .check import checked
from .store import Folder, Store

SHIPPED = Path(__file__).parent.parent / "tables"
KIND = "table"
MOST_ROWS, MOST_TABLES = 1_000, 50
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
            or not value.isprintable()
        ):
            wrong(faults, path, f"1 to {MOST_TEXT:,} printable characters", value)
            return "?"
        try:
            parse_template(value)
        except WrongTemplate as error:
            faults.append(Fault(path, str(error)))
            return "?"
        return value

    def schema(self) -> dict[str, Any]:
        """A string."""
        return {"type": "string", "minLength": 1, "maxLength": MOST_TEXT}


class Faces(NamedTuple):
    """The results of the roll at which a row comes: `7` or `"2-3"`."""

    def read(self, value: Any, path: KeyPath, faults: list[Fault]) -> tuple[int, int]:
        """The lowest and the highest result."""
        words = [part.strip() for part in str(value).replace("–", "-").split("-")]
        if not isinstance(value, bool) and len(words) <= 2 and all(_is_number(word) for word in words):
            low, high = int(words[0]), int(words[-1])
            if low <= high:
                return low, high
        wrong(faults, path, 'results of the roll such as 7 or "2-3"', value)
        return 1, 1

    def schema(self) -> dict[str, Any]:
        """A whole number, or a string with one or two."""
        return {
            "anyOf": [
                {"type": "integer", "minimum": 0, "maximum": 999_999},
                {"type": "string", "pattern": r"^\d+(-\d+)?$"},
            ]
        }


def _is_number(word: str) -> bool:
    return word.isascii() and word.isdigit() and len(word) < 7


class DiceRoll(NamedTuple):
    """Dice notation that always ends: `2d6`."""

    def read(self, value: Any, path: KeyPath, faults: list[Fault]) -> str:
        """The notation."""
        try:
            found = distribution_of(parse(value)) if isinstance(value, str) else None
            if found is None or found.truncated:
                wrong(faults, path, "dice such as 2d6 that do not explode", value)
            elif len(found.ways) > MOST_RESULTS:
                wrong(faults, path, f"dice with at most {MOST_RESULTS:,} results", value)
            else:
                return str(value)
        except (NotationError, TooWide) as error:
            faults.append(Fault(path, f"must be dice such as 2d6: {error.message}"))
        return ""

    def schema(self) -> dict[str, Any]:
        """A string."""
        return {"type": "string"}


ROW = Section(
    {
        "text": Field(RowText(), "text of the row", required=True),
        "weight": Field(Whole(1, 1_000), "how many times as likely it is as a row without weight"),
        "range": Field(Faces(), "results of `roll` at which it comes"),
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


class TableStore:
    """The random tables in reach, each file read once."""

    def __init__(self, folders: tuple[Folder, ...], here: Path):
        shipped = Folder(SHIPPED, "the shipped tables", is_writable=False)
        self.store = Store((*folders, shipped), here, kind=KIND)
        self.files: dict[Path, dict[str, RandomTable]] = {}

    def named(self, name: str) -> RandomTable:
        """The table `NAME`, or `FILE/NAME` where a file holds several; FileError if there is none or it is invalid."""
        path, inner = self.file_of(name)
        found, stem = self.of_file(path), path.stem.casefold()
        own = f"{stem}/{inner}" if inner else stem
        if own not in found:
            tables = ", ".join(found)
            raise FileError(
                f"{self.store.display_path(path)} has no table called {inner or own!r}{guess(own, found)}",
                hint=f"its tables: {tables}",
                code="not_found",
            )
        return found[own]

    def file_of(self, name: str) -> tuple[Path, str]:
        """The file that a name of a table means, and the name behind the stroke in `FILE/NAME`, else empty; FileError
        if there is no such file."""
        stem, _, inner = name.casefold().partition("/")
        if not inner or name.casefold().endswith(".toml"):
            return self.store.find(name), ""
        return self.store.find(stem), inner

    def with_references(self, name: str) -> dict[str, RandomTable]:
        """The table of that name, first, and all that it draws from; FileError if one is missing, or leads back."""
        first = self.named(name)
        found = self.check_references(first)
        return {one: found[one] for one in (first.name, *below(found, first.name))}

    def check_references(self, one: RandomTable) -> dict[str, RandomTable]:
        """A table and all that it draws from, by name; FileError if one of them is missing, leads back to itself, or
        has too few rows."""
        found = {one.name: one}
        self._add_references(one, found, {}, (one.name,))
        return found

    def _add_references(
        self, one: RandomTable, found: dict[str, RandomTable], heights: dict[str, int], way: tuple[str, ...]
    ) -> None:
        """Find all that a table draws from; `way` leads to it. `heights` are how many tables stand below each of those
        that are done, so that none is walked twice."""
        height = 0
        for row in one.rows:
            for reference in references(row.template):
                if reference.table in way:
                    path = " → ".join((*way[way.index(reference.table) :], reference.table))
                    raise FileError(f"{reference.table} leads back to itself: {path}", code="wrong_table")
                if len(way) + heights.get(reference.table, 0) >= DEEPEST:
                    raise FileError(f"more than {DEEPEST} tables stand below each other", code="wrong_table")
                try:
                    other = found.get(reference.table) or self.named(reference.table)
                except FileError as error:
                    error.message = f"{one.name}, {{@{reference.table}}}: {error.message}"
                    raise
                if reference.times > 1 and (other.roll or reference.times > len(other.rows)):
                    why = "chooses by roll" if other.roll else f"has {len(other.rows)} rows"
                    raise FileError(
                        f"{one.name}, {{@{reference.table}:{reference.times}}}: {other.name} {why}",
                        code="wrong_table",
                    )
                found[other.name] = other
                if other.name not in heights:
                    self._add_references(other, found, heights, (*way, other.name))
                height = max(height, 1 + heights[other.name])
        heights[one.name] = height

    def named_tables(self) -> set[str]:
        """The names that `named` finds a table by, without reading the files: stems only."""
        return {path.stem.casefold() for _, path in self.store.all()}

    def of_file(self, path: Path) -> dict[str, RandomTable]:
        """The tables of a file by name, `stem` or `stem/name`; FileError listing every fault."""
        if path not in self.files:
            values = checked(path, self.store.display_path(path), KIND, _values)
            self.files[path] = dict(_tables(path.stem.casefold(), values))
        return self.files[path]

    def files_in_reach(self) -> Iterator[tuple[Folder, Path]]:
        """Every file with its folder, nearest first."""
        return self.store.all()


def _tables(stem: str, values: Mapping[str, Any]) -> Iterator[tuple[str, RandomTable]]:
    if "rows" in values:
        yield stem, _table(stem, values)
    for inner, part in values.get("tables", {}).items():
        name = stem if inner == stem and "rows" not in values else f"{stem}/{inner}"
        about = {"about": values.get("about", ""), "name": values.get("name", inner)} if name == stem else {}
        yield name, _table(name, {**about, **part})


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
    if not faults:
        if "rows" in values:
            _check(values, (), faults)
        for name, part in values.get("tables", {}).items():
            _check(part, ("tables", name), faults)
    return values


def _check(table: Mapping[str, Any], path: KeyPath, faults: list[Fault]) -> None:
    """Add the faults of rows that do not go with the roll of their table."""
    rows = [row if isinstance(row, dict) else {"text": row} for row in table["rows"]]
    if not rows:
        faults.append(Fault((*path, "rows"), "must have a row"))
    roll = table.get("roll")
    for at, row in enumerate(rows):
        if roll and "range" not in row:
            faults.append(Fault((*path, "rows", at), f"must have a range: the table is rolled with {roll}"))
        if not roll and "range" in row:
            faults.append(
                Fault((*path, "rows", at, "range"), "goes with `roll`; write a weight, or give the dice")
            )
        if roll and "weight" in row:
            faults.append(Fault((*path, "rows", at, "weight"), "goes with tables without `roll`"))
    if roll and table["deck"]:
        faults.append(Fault((*path, "deck"), "goes with tables without `roll`"))
    if roll and not faults:
        _check_ranges(rows, roll, path, faults)


def _check_ranges(rows: list[dict[str, Any]], roll: str, path: KeyPath, faults: list[Fault]) -> None:
    """Add the faults of results that no row or two rows have."""
    results = sorted(distribution_of(parse(roll)).ways)
    taken: dict[int, int] = {}
    for at, row in enumerate(rows):
        low, high = row["range"]
        here = (*path, "rows", at, "range")
        inside = [result for result in results if low <= result <= high]
        if not inside:
            faults.append(
                Fault(here, f"{roll} rolls {results[0]} to {results[-1]}, not {shown(f'{low}-{high}')}")
            )
        for result in inside:
            if result in taken:
                faults.append(Fault(here, f"{result} stands in row {taken[result] + 1} too"))
                break
            taken[result] = at
    left = [result for result in results if result not in taken]
    if left:
        faults.append(Fault((*path, "rows"), f"no row for {', '.join(map(str, left[:10]))} on {roll}"))
