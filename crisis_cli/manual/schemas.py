"""The keys of sheets, read off the JSON Schema of each system: what they hold, within which bounds, and by default."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..engine.schema import Section
from ..engine.system import System
from ..render.prose import output_rows
from ..render.schema_words import tables_of
from . import mdoc


def keys(system: System) -> Iterator[str]:
    """The section of a system: its tables, each with its keys."""
    yield mdoc.section(f"keys of {system.name} sheets")
    yield from mdoc.paragraph(f"These are the sheets of `{system.name}`, {system.title}: see")
    yield f".Xr crisis-rules-{system.name} 7 ."
    yield from tables(system.sheet)


def outputs(systems: Iterable[System]) -> Iterator[str]:
    """The keys of outcomes: those of all systems, then those of some, each with the systems that report it."""
    yield from mdoc.terms((mdoc.words(key), list(mdoc.paragraph(said))) for key, said in output_rows(systems))


def tables(schema: Section) -> Iterator[str]:
    """The tables of a schema, each with its keys."""
    for table in tables_of(schema):
        yield mdoc.subsection(f"[{table.path}]" if table.path else "At the top")
        for said in table.alike:
            yield from mdoc.paragraph(said)
        if table.keys:
            yield from mdoc.terms(
                (f"Ic {mdoc.words(key)}", list(mdoc.paragraph(said))) for key, said in table.keys
            )
        for path, said in table.tables:
            yield ".Pp"
            yield from mdoc.paragraph(f"Table `[{path}]`: {said}.")
