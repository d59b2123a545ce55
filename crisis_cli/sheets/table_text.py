"""The text of a file of tables that was made from another file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..random_tables.conversion import ConvertedFile, clean
from .toml_patch import key_text, value_text

NO_LICENCE = "not named in it; that of the source holds"


def table_text(file: ConvertedFile) -> str:
    """A converted file as TOML, with its source and licence in front; equal files have equal texts."""
    lines = [f"# Imported from {clean(file.source)} ({file.form})."]
    lines.append(f"# Licence of the source: {file.licence or NO_LICENCE}")
    values = file.values()
    for key, table in values.get("tables", {}).items():
        lines += ["", f"[{key_text(('tables', key))}]", *_lines(table)]
    return "\n".join([*lines, *([] if "tables" in values else _lines(values))]) + "\n"


def _lines(table: Mapping[str, Any]) -> Iterator[str]:
    """The keys of a table, each row on a line of its own."""
    for key, value in table.items():
        if key != "rows":
            yield f"{key} = {value_text(value)}"
    yield "rows = ["
    yield from (f"  {value_text(row)}," for row in table["rows"])
    yield "]"
