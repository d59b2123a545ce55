"""Archetypes: ready-made sheets that a new one can begin as, and what a step of power changes on one.

They stand in the folder of their system: `archetypes/NAME.toml`, each a whole sheet, and `power.toml`. Any other
sheet in reach can serve as an archetype too.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import count
from typing import Any

from .. import systems
from ..dice.generator import Seeded
from ..dice.table import Table
from ..engine.kinds import Fault, ListOf, Text, Whole
from ..engine.schema import Field, Section
from ..engine.system import System
from ..engine.wording import with_a
from ..errors import CrisisError, FileError, Refused, Usage
from ..values import NamedTuple
from .check import Sheet, checked, faults_of, read
from .files import file_stem
from .store import Folder, Store, sheets_in, values_in

ORDINARY = 2
"""The power of archetypes: that of an ordinary opponent."""


class PowerStep(NamedTuple):
    """What a step of power changes: values under some keys, by a number or by a step on a ladder."""

    keys: tuple[str, ...]
    """Dotted keys; `*` stands for any."""
    by: int = 1
    ladder: tuple[str, ...] = ()
    """Words from the weakest to the strongest, where the values are no numbers."""
    times: int = 1
    """How many of the values, chosen at random, change with a step."""


class Power(NamedTuple):
    """How sheets of a system are made stronger, weaker and different."""

    changes: tuple[PowerStep, ...] = ()
    rolled: tuple[str, ...] = ()
    """Keys that dice decide anew for each sheet."""


_words = ListOf(Text())
POWER = Section(
    {
        "rolled": Field(_words, "keys that dice decide for each sheet", default=[]),
        "change": Field(
            ListOf(
                Section(
                    {
                        "keys": Field(_words, "dotted keys; * stands for any", required=True),
                        "by": Field(Whole(-1000, 1000), "what a step adds", default=1),
                        "ladder": Field(_words, "words from the weakest to the strongest", default=[]),
                        "times": Field(Whole(1, 100), "how many of the values a step changes", default=1),
                    }
                )
            ),
            "what a step of power changes",
            default=[],
        ),
    }
)


def archetypes(system: str) -> tuple[str, ...]:
    """The archetypes of a system, by name; none where its package has no such folder."""
    folder = systems.folder(system)
    return tuple(sheets_in(os.path.join(folder, "archetypes"))) if folder else ()


def find(store: Store, name: str, system: str, usual: str = "") -> Sheet:
    """The archetype of that name, or the sheet; of one system where that is given, or else of the usual one among
    several that have the archetype.

    FileError where there is none; Usage where several systems have it, or where it is a sheet of another system.
    """
    some = [one for one in ([system] if system else systems.names()) if archetypes(one)]
    owners = [one for one in some if any(file_stem(path) == name.casefold() for path in archetypes(one))]
    owners = [usual] if usual in owners else owners
    if len(owners) > 1:
        raise Usage(
            f"{name} is an archetype of {', '.join(owners[:-1])} and {owners[-1]}",
            hint=f"say which: --system {owners[0]}",
            code="ambiguous",
        )
    folders = [
        Folder(os.path.join(systems.folder(one), "archetypes"), f"the archetypes of {one}")
        for one in owners or some
    ]
    own = ", ".join(file_stem(path) for path in archetypes(system)) if system else ""
    hint = f"archetypes of {system}: {own}" if own else ""
    try:
        found = Store((*folders, *store.folders), store.working_folder).read(name)
    except FileError as error:
        if error.code != "not_found" or not hint:
            raise
        raise FileError(error.message, hint=f"{error.hint}; {hint}", code=error.code) from error
    if system and found.values["system"] != system:
        raise Refused(
            f"{name} is {with_a(found.values['system'])} sheet, not one of {system}",
            hint=hint,
            code="other_system",
        )
    return found


def power_of(system: str) -> Power | None:
    """What a step of power changes in a system; None where its package does not say."""
    folder = systems.folder(system)
    path = os.path.join(folder, "power.toml")
    if not folder or not os.path.isfile(path):
        return None
    read: Callable[[dict[str, Any], list[Fault]], dict[str, Any]]
    read = lambda raw, faults: POWER.read(raw, (), faults)  # noqa: E731 (it has a type)
    values = checked(path, path, "power", read)
    changes = (
        PowerStep(tuple(one["keys"]), one["by"], tuple(one["ladder"]), one["times"])
        for one in values["change"]
    )
    return Power(tuple(changes), tuple(values["rolled"]))


def varied(
    system: System,
    sheet: Mapping[str, Any],
    changes: Sequence[PowerStep],
    steps: int,
    random: Callable[[], float],
) -> dict[str, Any]:
    """A sheet made so many steps stronger, or weaker below 0; a value that its system would not allow stays."""
    made = dict(sheet)
    for change in changes:
        for _ in range(abs(steps) * change.times):
            made = _stepped(system, made, change, 1 if steps > 0 else -1, random)
    return made


def _stepped(
    system: System, sheet: dict[str, Any], change: PowerStep, way: int, random: Callable[[], float]
) -> dict[str, Any]:
    """The sheet with one of the values changed, chosen among those that can be; the same where none can."""
    tried = [
        changed
        for path, value in _matches(sheet, change.keys)
        if (new := moved(value, way if change.ladder else way * change.by, change.ladder)) is not None
        if not faults_of(system, changed := with_value(sheet, path, new))[1]
    ]
    return tried[int(random() * len(tried))] if tried else sheet


def moved(value: Any, by: int, ladder: Sequence[str] = ()) -> Any:
    """A value after a change: a number plus `by`, a word so many places on along the ladder; None where there is no
    such value."""
    if isinstance(value, str):
        at = ladder.index(value) + by if value in ladder else -1
        return ladder[at] if 0 <= at < len(ladder) else None
    return value + by if isinstance(value, int) and not isinstance(value, bool) else None


def _matches(sheet: Mapping[str, Any], keys: Sequence[str]) -> Iterator[tuple[tuple[str, ...], Any]]:
    """The values under dotted keys, each with its path."""
    for key in keys:
        found: list[tuple[tuple[str, ...], Any]] = [((), sheet)]
        for part in key.split("."):
            found = [
                ((*path, name), table[name])
                for path, table in found
                if isinstance(table, dict)
                for name in (table if part == "*" else [part] if part in table else [])
            ]
        yield from found


def with_value(sheet: Mapping[str, Any], path: tuple[str, ...], value: Any) -> dict[str, Any]:
    """A copy of a sheet with another value under a key."""
    head, *rest = path
    return {**sheet, head: with_value(sheet[head], tuple(rest), value) if rest else value}


def any_template(store: Store, system: str, random: Callable[[], float]) -> Sheet:
    """An archetype of a system, or a sheet that comes with it; Usage where there is neither."""
    paths = archetypes(system) or [path for path, _ in _sheets_of(store, system, own=False)]
    if not paths:
        raise Usage(
            f"{system} has no archetypes",
            hint="begin as a sheet: crisis character new --like WHO --random",
            code="bad_value",
        )
    path = paths[int(random() * len(paths))]
    return read(path, store.display_path(path))


def _sheets_of(store: Store, system: str, *, own: bool) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The sheets of a system in reach, with their raw values; one's own among them if `own`."""
    for folder, path in store.all():
        if own or not folder.is_writable:
            with suppress(CrisisError):
                raw = values_in(path)
                if raw.get("system") == system:
                    yield path, raw


def samples(store: Store, system: str) -> list[Mapping[str, Any]]:
    """The sheets of a system that give the examples: its archetypes, and those in reach."""
    own = [values_in(path) for path in archetypes(system)]
    return [*own, *(raw for _, raw in _sheets_of(store, system, own=True))]


def with_power(
    system: System, sheet: dict[str, Any], power: int, at_random: bool, random: Callable[[], float]
) -> dict[str, Any]:
    """The sheet made as strong as wanted, and at random a little different; Usage if its system does not say how."""
    rules = power_of(system.name)
    if rules is None:
        if power != ORDINARY:
            raise Usage(
                f"{system.name} does not say what power changes", hint="leave --power out", code="bad_value"
            )
        return sheet
    for steps in (*((1, -1) if at_random else ()), power - ORDINARY):
        sheet = varied(system, sheet, rules.changes, steps, random)
    return {key: value for key, value in sheet.items() if not (at_random and key in rules.rolled)}


def rolled(system: System, sheet: Mapping[str, Any], random: Callable[[], float]) -> Mapping[str, Any]:
    """The values of a sheet that dice decide when it is made."""
    return system.sheet_rules.rolled(Table(Seeded(random)), sheet) if system.sheet_rules.rolled else {}


def unused_name(store: Store, random: Callable[[], float]) -> str:
    """A name for a foe that no sheet in reach has."""
    taken = store.names()
    left = [name for name in NAMES if name.casefold() not in taken]
    if left:
        return left[int(random() * len(left))]
    first = NAMES[int(random() * len(NAMES))]
    return next(name for number in count(2) if (name := f"{first} {number}").casefold() not in taken)


NAMES = (
    *("Ash", "Bane", "Burr", "Cinder", "Crow", "Dirk", "Ember", "Fang", "Flint"),
    *("Gall", "Grit", "Hack", "Hob", "Jackdaw", "Knell", "Lash", "Maul", "Nettle"),
    *("Onyx", "Pike", "Quill", "Rasp", "Rook", "Sable", "Scar", "Shale", "Slate"),
    *("Snare", "Thorn", "Tusk", "Umber", "Vex", "Wasp", "Wolfram", "Yarrow", "Zeal"),
)
"""Names of foes made at random."""
