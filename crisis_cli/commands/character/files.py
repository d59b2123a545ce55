"""`crisis character check`, `copy`, `list` and `schema`."""

from __future__ import annotations

from collections.abc import Iterator

from ...play.shelves import Shelves
from ...render.style import Ink
from ...sheets.check import Sheet
from ...sheets.files import file_stem
from ...sheets.sheet_store import SheetStore
from ...sheets.shelf import Record
from .. import library, options


def _records(sheet: Sheet) -> Iterator[Record]:
    yield {key: sheet.values[key] for key in ("name", "system", "player")}


def _line(ink: Ink, record: Record) -> str:
    stem = ink.padded(str(record["file"]), 16)
    if "error" in record:
        return f"  {stem} {ink('red', 'broken')}: {record['error']}"
    side = "player" if record["player"] else "opponent"
    return f"  {stem} {ink.padded(str(record['name']), 20)} {record['system']:<8} {side}"


KIND = library.FileKind(
    "character",
    "names.sheets",
    Shelves.characters,
    lambda sheet: f"{sheet.values['name']}, {sheet.values['system']}",
    lambda path: {"file": file_stem(path)},
    _records,
    _line,
    folder=lambda ink, name: ink("dim", name),
    counted="shipped sheets",
)
check_command = library.check(
    KIND,
    """Check sheets, by default all: report every error with its line. Exit with status 4 if there is one.

    A doctrine that is in none of the folders of doctrines is an error too. Shipped sheets are listed only if they have
    errors or are named.

    \b
    Examples:
      crisis character check
      crisis character check characters/ada.toml
      crisis character check characters
    """,
)
copy_command = library.copy(
    KIND,
    """Copy a sheet into your characters folder, optionally under a NEW name; comments are kept.

    \b
    Examples:
      crisis character copy drone
      crisis character copy drone "Big Drone"
    """,
)
list_command = library.listing(
    KIND,
    """List all sheets, nearest folder first.

    \b
    Example:
      crisis character list
    """,
    options.system_option("List only sheets of this system."),
)
schema_command = library.schema(
    SheetStore.schema,
    """Print the JSON Schema of a system's sheets, for editors that check TOML while you type.

    \b
    Example:
      crisis character schema 3d6 > 3d6.schema.json
    """,
    options.system_argument,
)
