"""`crisis tables check`, `copy`, `list`, `new` and `schema`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ...play.shelves import Shelves
from ...random_tables.table import RandomTable
from ...render.rolls import how_many
from ...render.style import Ink
from ...sheets.files import file_stem
from ...sheets.shelf import Record
from ...sheets.table_store import TableStore
from .. import library

DICE = 8
"""Columns of the dice of a table, such as `2d6+1d20`."""


def _records(tables: Mapping[str, RandomTable]) -> Iterator[Record]:
    for table in tables.values():
        record = {"table": table.name, "about": table.about, "dice": table.dice}
        yield {**record, "rows": len(table.rows), "deck": table.deck}


def _line(ink: Ink, record: Record) -> str:
    name, dice = ink.padded(str(record["table"]), 20), f"{record.get('dice', ''):<{DICE}}"
    return f"  {name} {dice} {record.get('error') or record['about']}".rstrip()


KIND = library.FileKind(
    "tables",
    "names.tables",
    Shelves.tables,
    lambda tables: how_many(sum(len(table.rows) for table in tables.values()), "row"),
    lambda path: {"table": file_stem(path)},
    _records,
    _line,
)
check_command = library.check(
    KIND,
    """Check files of tables, by default all: report every error with its line. Exit with status 4 if there is one.

    \b
    Examples:
      crisis tables check
      crisis tables check tables/wounds.toml
      crisis tables check tables
    """,
    metavar="[NAME|PATH]...",
)
copy_command = library.copy(
    KIND,
    """Copy the file of a table into ./tables, optionally as NEW; comments are kept.

    \b
    Examples:
      crisis tables copy twists
      crisis tables copy twists city-twists
    """,
)
list_command = library.listing(
    KIND,
    """List all tables, nearest folder first.

    \b
    Example:
      crisis tables list
    """,
)
new_command = library.new(
    KIND,
    """Make a table of your own in ./tables: a file with three rows, to be edited.

    \b
    Example:
      crisis tables new wounds
    """,
    use="tables",
)
schema_command = library.schema(
    TableStore.schema,
    """Print the JSON Schema of tables, for editors that check TOML while you type.

    \b
    Example:
      crisis tables schema > tables.schema.json
    """,
)
