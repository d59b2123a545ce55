"""`crisis encounter check`, `copy`, `list`, `new` and `schema`."""

from __future__ import annotations

from collections.abc import Iterator

from ...play.shelves import Shelves
from ...render.rolls import how_many
from ...render.style import Ink
from ...sheets.encounter_store import EncounterFile, EncounterStore
from ...sheets.files import file_stem
from ...sheets.shelf import Record
from .. import library, options
from ..setup import encounters_option


def _summary(file: EncounterFile) -> str:
    groups, events = len(file.values["fighter"]), len(file.values.get("event", ()))
    return f"{file.system.name}, {how_many(groups, 'group')}, {how_many(events, 'event')}"


def _records(file: EncounterFile) -> Iterator[Record]:
    about, events = file.values.get("about", ""), len(file.values.get("event", ()))
    yield {"name": file.title, "system": file.system.name, "about": about, "events": events}


def _line(ink: Ink, record: Record) -> str:
    about = record.get("error") or record.get("about") or record.get("name")
    return f"  {ink.padded(str(record['file']), 14)} {record.get('system', ''):<7} {about}".rstrip()


KIND = library.FileKind(
    "encounter",
    "names.encounters",
    Shelves.encounters,
    _summary,
    lambda path: {"file": file_stem(path).casefold()},
    _records,
    _line,
)
check_command = library.check(
    KIND,
    """Check files of encounters, by default all: report every error with its line. Exit with status 4 if there is one.

    It finds unknown keys, names, sheets and doctrines, places that nobody can stand on, two fighters on one cell, and
    events that can never happen or would happen before anybody acts. What may be a slip and can be played is a warning.

    \b
    Examples:
      crisis encounter check
      crisis encounter check encounters/cellar.toml
    """,
    encounters_option,
)
copy_command = library.copy(
    KIND,
    """Copy the file of an encounter into ./encounters, optionally as NEW; comments are kept.

    \b
    Examples:
      crisis encounter copy bridge
      crisis encounter copy bridge night-bridge
    """,
    encounters_option,
)
list_command = library.listing(
    KIND,
    """List all encounters, nearest folder first.

    \b
    Example:
      crisis encounter list
    """,
    encounters_option,
)
new_command = library.new(
    KIND,
    """Make an encounter of your own in ./encounters: a file with a map, two sides and two events, to be edited.

    \b
    Example:
      crisis encounter new cellar --system 3d6
    """,
    options.system_option("The rule system.", required=True),
    encounters_option,
    use="play",
)
schema_command = library.schema(
    EncounterStore.schema,
    """Print the JSON Schema of the encounters of a system, for editors that check TOML while you type.

    \b
    Example:
      crisis encounter schema 3d6 > encounters.schema.json
    """,
    options.system_argument,
)
