"""Tables of other programs read, converted, checked and written into a folder of tables."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from typing import NoReturn

from ..engine.kinds import Path as KeyPath
from ..errors import FileError, Usage
from ..random_tables.conversion import LONGEST_KEY, ConvertedFile, Manner, convert
from ..random_tables.foreign import ForeignFile, WrongImport
from ..random_tables.foreign_json import read_json
from ..random_tables.foreign_text import read_csv, read_markdown, read_text
from ..sheets.check import MAX_BYTES, MOST_FAULTS
from ..sheets.files import exists, export, file_stem, path_from, read_bytes, stem_of
from ..sheets.store import Folder
from ..sheets.table_store import TableStore, faults_in
from ..sheets.table_text import table_text
from ..values import NamedTuple
from .desk import Desk

FORMS = ("auto", "txt", "csv", "tsv", "markdown", "json")
ENDINGS = {
    ".json": "json",
    ".csv": "csv",
    ".tsv": "tsv",
    ".md": "markdown",
    ".markdown": "markdown",
    ".txt": "txt",
}
LARGEST = 20_000_000
"""Most bytes of a file to be imported."""
WRONG = "wrong_import"


class TableImport(NamedTuple):
    """What is to be imported, and how."""

    files: tuple[str, ...]
    form: str = "auto"
    name: str = ""
    """The name of the new file; empty for that of each source."""
    folder: str = ""
    """Where the new files go; empty for the nearest folder of tables."""
    manner: Manner = Manner()
    overwrites: bool = False
    is_dry: bool = False
    """Whether nothing is written."""


class WrittenTables(NamedTuple):
    """A file of tables that was written, or would be."""

    path: str
    shown: str
    """Its path for messages."""
    content: ConvertedFile


def import_tables(desk: Desk, wanted: TableImport) -> list[WrittenTables]:
    """Convert and write tables, or only convert them; FileError, with nothing written, where a file is wrong or there
    is one already."""
    if wanted.name and len(wanted.files) > 1:
        raise Usage("--name is for one file", hint="import the files one by one", code="conflicting_options")
    shelf = desk.shelves.tables()
    if wanted.folder:
        path = path_from(desk.places.cwd, wanted.folder)
        shelf = TableStore((Folder(path, wanted.folder),), desk.places.cwd)
    read: list[tuple[str, str, ForeignFile]] = []
    for file in wanted.files:
        stem = _stem(shelf, wanted.name or file_stem(file), [stem for stem, _, _ in read])
        read.append(
            (stem, os.path.basename(file), _read(path_from(desk.places.cwd, file), file, wanted.form, stem))
        )
    made = []
    converted = convert(read, wanted.manner)
    for file in wanted.files:
        try:
            content = next(converted)
        except WrongImport as wrong:
            _refuse(file, [(wrong.line, wrong.message)])
        except RecursionError:
            _refuse(file, [(1, "this is nested too deep")])
        text = _checked_text(file, content)
        path = os.path.join(shelf.store.folders[0].path, f"{content.stem}.toml")
        made.append((WrittenTables(path, shelf.store.display_path(path), content), text))
    for written, _ in made:
        if exists(written.path) and not (wanted.overwrites or wanted.is_dry):
            raise FileError(f"{written.shown} exists", hint="to replace it: --overwrite", code="exists")
    for written, text in made if not wanted.is_dry else ():
        if wanted.overwrites and exists(written.path):
            export(written.path, text, written.shown, overwrite=True)
        else:
            shelf.create(written.content.stem, text)
        if not wanted.folder and (hidden := shelf.hidden_by(written.path)):
            said = f"{written.content.stem} is {written.shown} from now on; it hides that of {hidden}"
            desk.warn(said, "shadowed")
    return [written for written, _ in made]


def _stem(shelf: TableStore, name: str, taken: Sequence[str]) -> str:
    """The stem of a new file, which no other file of the run has."""
    stem = first = stem_of(name)[:LONGEST_KEY].strip("-")
    number = 2
    while stem in taken:
        stem, number = f"{first[: LONGEST_KEY - 4]}-{number}", number + 1
    return stem


def _read(path: str, shown: str, form: str, stem: str) -> ForeignFile:
    """What a file holds; FileError where it cannot be read, or holds no table."""
    data = read_bytes(path, shown, LARGEST, "file", WRONG)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        _refuse(shown, [(data.count(b"\n", 0, error.start) + 1, "this is not UTF-8")])
    if form == "auto":
        form = ENDINGS.get(os.path.splitext(path)[1].lower()) or form_of(text)
    try:
        foreign = _tables_in(text, stem, form)
    except WrongImport as wrong:
        _refuse(shown, [(wrong.line, wrong.message)])
    except RecursionError:
        _refuse(shown, [(1, "this is nested too deep")])
    if not foreign.tables:
        raise FileError(
            f"{shown} holds no table ({foreign.form})",
            hint="crisis-tables(5) says which forms are read; --format names one",
            code="unknown_format",
        )
    return foreign


def _tables_in(text: str, stem: str, form: str) -> ForeignFile:
    match form:
        case "json":
            return read_json(text, stem)
        case "markdown":
            return read_markdown(text, stem)
        case "csv" | "tsv":
            return read_csv(text, stem, form)
    return read_text(text, stem)


def form_of(text: str) -> str:
    """The form that a text seems to have."""
    if text.lstrip()[:1] in ("{", "["):
        return "json"
    if re.search(r"^ {0,3}\|[ |:-]*-{3,}[ |:-]*$", text, re.MULTILINE):
        return "markdown"
    lines = [line for line in text.splitlines() if line.strip()]
    shared = (sign for sign in "\t,;" if lines and all(sign in line for line in lines))
    sign = next(shared, "")
    return {"": "txt", "\t": "tsv"}.get(sign, "csv")


def _checked_text(file: str, content: ConvertedFile) -> str:
    """The text of the new file; FileError, with the lines of the source, for what no file of tables may hold."""
    values = content.values()
    lines: dict[KeyPath, int] = {}
    for table in content.tables:
        path: KeyPath = ("tables", table.key, "rows") if "tables" in values else ("rows",)
        lines |= {(*path, at): row.line for at, row in enumerate(table.rows)}
        lines[path] = table.rows[0].line if table.rows else 1
    faults = []
    for fault in faults_in(values):
        places = (
            lines[fault.path[:end]] for end in range(len(fault.path), 0, -1) if fault.path[:end] in lines
        )
        faults.append((next(places, 1), fault.message))
    if faults:
        _refuse(file, faults)
    text = table_text(content)
    if (size := len(text.encode())) > MAX_BYTES:
        _refuse(file, [(1, f"its tables have {size:,} bytes; a file of tables has {MAX_BYTES:,} at most")])
    return text


def _refuse(shown: str, faults: Sequence[tuple[int, str]]) -> NoReturn:
    """Raise FileError for faults of a file, each with its line; its message says the first."""
    line, message = faults[0]
    more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
    records = [{"file": shown, "line": line, "message": said} for line, said in faults[:MOST_FAULTS]]
    raise FileError(
        f"{shown}, line {line}: {message}{more}",
        hint="correct the file"
        + ("; --gaps TEXT fills results without a row" if "no row for" in message else ""),
        code=WRONG,
        faults=records,
    )
