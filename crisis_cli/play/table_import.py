"""Tables of other programs read, converted, checked and written into a folder of tables."""

from __future__ import annotations

import os
import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

from ..errors import FileError, Usage
from ..random_tables.foreign import ConvertedFile, ForeignFile, ForeignTable, ImportNote, WrongImport
from ..random_tables.foreign_json import ACTOR, read_json
from ..random_tables.foreign_text import read_csv, read_markdown, read_text
from ..sheets.files import STDIN, exists, export, file_stem, path_below, path_from, read_source
from ..sheets.foreign_tables import TableConversion, clean, distinct
from ..sheets.store import Folder
from ..sheets.table_store import MOST_TABLES, TableStore
from .desk import Desk

Reader = Callable[[str, str], Iterable[ForeignTable | ImportNote]]
READERS: dict[str, Reader] = {
    "txt": read_text,
    "csv": read_csv,
    "tsv": lambda text, stem: read_csv(text, stem, "\t"),
    "markdown": read_markdown,
    "json": read_json,
}
"""The reader of each form."""
ENDINGS = {**{f".{form}": form for form in READERS}, ".md": "markdown"}
LARGEST = 20_000_000
"""Most bytes of a file to be imported."""


def import_tables(
    desk: Desk,
    files: Sequence[str],
    form: str = "auto",
    name: str | None = None,
    folder: str | None = None,
    gaps: str = "",
    templates: bool = False,
    overwrite: bool = False,
    dry_run: bool = False,
    stdin: Iterable[str] | None = None,
) -> Iterator[tuple[str, ConvertedFile]]:
    """Convert files and write them: the path of each new file for messages, and what it holds. FileError, with nothing
    written, where a source is wrong or a new file exists; and after the last file, where a source has wrong tables
    beside those that were written. The names of parameters are those of options."""
    for option, value in (("--to", folder), ("--name", name)):
        if value == "":
            raise Usage(
                f"{option} is empty", hint=f"leave {option} out, or give it a value", code="bad_value"
            )
    if name and len(files) > 1:
        raise Usage("--name is for one file", hint="import the files one by one", code="conflicting_options")
    cwd, shelf = desk.places.cwd, desk.shelves.tables()
    searched = [searched.path for searched in shelf.store.folders]
    if folder:
        shelf = TableStore((Folder(path_from(cwd, folder), folder),), cwd)
    sources: dict[str, ForeignFile] = {}
    shown_files = ["stdin" if file == STDIN else file for file in files]
    for file, shown in zip(files, shown_files, strict=True):
        text = (stdin or ()) if file == STDIN else None
        data = read_source(path_from(cwd, file), shown, text, LARGEST, "wrong_import")
        stem = distinct(shelf.stem(name or file_stem(shown)), sources)
        sources[stem] = _source(data, shown, form, stem)
    conversion = TableConversion(sources, gaps, templates)
    made: dict[str, ConvertedFile] = {}
    for file, stem in zip(shown_files, sources, strict=True):
        path = os.path.join(shelf.store.folders[0].path, f"{stem}.toml")
        with _faults_of(file):
            made[path] = conversion.file(stem)
        if exists(path) and not (overwrite or dry_run):
            shown = shelf.store.display_path(path)
            raise FileError(f"{shown} exists", hint="to replace it: --overwrite", code="exists")
    for path, content in made.items():
        shown = shelf.store.display_path(path)
        if not dry_run and exists(path):
            export(path, content.text, shown, overwrite=overwrite)
        elif not dry_run:
            shelf.create(file_stem(path), content.text)
            if not folder and (hidden := shelf.hidden_by(path)):
                desk.warn(f"{file_stem(path)} is {shown} from now on; it hides that of {hidden}", "shadowed")
        is_found = any(path_below(searched_folder, path) for searched_folder in searched)
        yield shown, content if is_found else content._replace(is_found=False)
    wrong = [
        (file, one)
        for file, content in zip(shown_files, made.values(), strict=True)
        for one in content.left_out
    ]
    if wrong:
        raise _error(wrong)


@contextmanager
def _faults_of(file: str) -> Iterator[None]:
    """A block in which what is wrong in a file becomes a FileError with its line."""
    try:
        yield
    except (WrongImport, RecursionError) as error:
        wrong = error if isinstance(error, WrongImport) else WrongImport(1, "this is nested too deep")
        raise _error([(file, WrongImport(wrong.line, wrong.message))]) from error


def _error(wrong: Sequence[tuple[str, WrongImport]]) -> FileError:
    """The error for what is wrong in files, a line each."""
    said = [f"{one.message}; {one.table} is left out" if one.table else one.message for _, one in wrong]
    faults = [
        {"file": file, "line": one.line, "message": message}
        for (file, one), message in zip(wrong, said, strict=True)
    ]
    has_gap = any(one.message.startswith("no row for") for _, one in wrong)
    return FileError(
        "\n".join(f"{fault['file']}, line {fault['line']}: {fault['message']}" for fault in faults),
        hint="correct the file" + ("; --gaps TEXT fills results without a row" if has_gap else ""),
        code="wrong_import",
        faults=faults,
    )


def _source(data: bytes, file: str, form: str, stem: str) -> ForeignFile:
    """What a file holds; FileError where it holds no table."""
    with _faults_of(file):
        try:
            text = data.decode("utf-16" if data[:2] in (BOM_UTF16_BE, BOM_UTF16_LE) else "utf-8-sig")
        except UnicodeDecodeError as error:
            raise WrongImport(data.count(b"\n", 0, error.start) + 1, "this is no text in UTF-8") from error
        if form == "auto":
            form = ENDINGS.get(os.path.splitext(file)[1].lower()) or form_of(text)
        parts = [*READERS[form](text, stem)]
        tables = [part for part in parts if isinstance(part, ForeignTable) and part.rows]
        if len(tables) > MOST_TABLES:
            raise WrongImport(tables[MOST_TABLES].line, f"a file has at most {MOST_TABLES} tables")
    if not tables:
        has_actors = form == "json" and ACTOR.search(text)
        hint = "crisis-tables(5) says which forms are read; --format names one"
        raise FileError(
            f"{file} holds no table ({form})",
            hint=f"for characters: crisis character import {file}" if has_actors else hint,
            code="unknown_format",
        )
    notes = [part for part in parts if isinstance(part, ImportNote)]
    named = re.search(r'"license": *"([^"]*)"', text) if form == "json" else None
    licence = clean(named[1], 200) if named else ""
    return ForeignFile(os.path.basename(file), tables[0].form or form, tables, notes, licence)


def form_of(text: str) -> str:
    """The form that a text seems to have."""
    if text.lstrip()[:1] in ("{", "["):
        return "json"
    if re.search(r"^ {0,3}\|[ |:-]*-{3,}[ |:-]*$", text, re.MULTILINE):
        return "markdown"
    lines = [line for line in text.splitlines() if line.strip()]
    signs = [sign for sign in "\t,;" if lines and all(sign in line for line in lines)]
    return "txt" if not signs else "tsv" if signs[0] == "\t" else "csv"
