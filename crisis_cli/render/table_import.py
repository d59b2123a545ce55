"""Imported tables as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..random_tables.foreign import ConvertedFile
from .rolls import how_many

MOST_NOTES = 20
"""Most notes of one file that are printed as text."""


def import_lines(shown: str, content: ConvertedFile, is_dry: bool) -> Iterator[str]:
    """A file that was written, or would be, as lines: what it holds, what is not carried exactly, how to go on."""
    rows = how_many(sum(len(table.lines) for table in content.tables), "row")
    counts = f"{how_many(len(content.tables), 'table')}, {rows} ({content.form})"
    notes = f"; {how_many(len(content.notes), 'note')}" if content.notes else ""
    yield f"{'would write' if is_dry else 'wrote'} {shown}: {counts}{notes}"
    for note in content.notes[:MOST_NOTES]:
        yield f"  line {note.line}, {note.table}: {note.message}"
    if len(content.notes) > MOST_NOTES:
        yield f"  and {len(content.notes) - MOST_NOTES} more: --json lists all"
    if not is_dry and (content.is_found or len(content.tables) == 1):
        yield f"try: crisis tables {content.tables[0].name if content.is_found else shown}"


def import_record(shown: str, content: ConvertedFile) -> dict[str, Any]:
    """A file that was written, or would be, as an object for JSON."""
    tables = [
        {"name": table.name, "rows": len(table.lines), "roll": table.values.get("roll", "")}
        for table in content.tables
    ]
    notes = [note._asdict() for note in content.notes]
    return {"file": shown, "source": content.source, "format": content.form, "tables": tables, "notes": notes}
