"""What an importer is written with, which makes sheets of the actors of another program.

A rulebook names its importers as text, "module:NAME", so that nothing loads them but `crisis character import`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from html import unescape
from typing import Any, Literal

from ..columns import in_one_line
from ..values import NamedTuple

__all__ = [  # noqa: RUF022 – in the order in which they are read
    "Importer",
    "ForeignActor",
    "ForeignObject",
    "Imported",
    "SheetNote",
    "SheetDraft",
    "key_of",
    "objects_in",
]
MOST_READ, MOST_SAID = 10_000, 200
"""Characters of a text that are read, and those of one that a note repeats."""
LONGEST_VALUE = 40
"""Characters of a value that cannot be read, in its note."""
MOST_ENTRIES, LONGEST_KEY = 100, 40
"""Entries of a table of a sheet, and the characters of the name of one."""
TAG = re.compile(r"<[^<>]{0,1000}>")


class SheetNote(NamedTuple):
    """What an importer says of something that does not stand on the sheet as it stood in the source."""

    kind: Literal["changed", "lost", "ignored"]
    """"changed": carried, not exactly; "lost": it matters in a fight, and is not carried; "ignored": it does not."""
    key: str
    """Where it stands on the sheet, such as "weapons.bow", or what it is in the source: "perk"."""
    what: str = ""
    """What became of it, or its name, in a few words."""


class Imported(NamedTuple):
    """What an importer made of one actor."""

    sheet: dict[str, Any]
    """The sheet as a file has it, with "name" and "system"; empty for an actor of a kind that has no sheet."""
    notes: tuple[SheetNote, ...] = ()
    """What was changed, lost and ignored; keys that were never looked at are added as ignored, and those whose values
    are of another kind than wanted as lost."""


class ForeignActor(NamedTuple):
    """An actor that an importer has found in a file."""

    ident: str
    """What the source calls it in all its files; empty for nothing, and the name counts."""
    name: str
    """Its name in the source."""
    raw: Mapping[str, object]
    """The actor as the file has it."""


class ForeignObject:
    """An object of a file of another program, read without trust: a value of another kind than wanted is absent.

    It remembers which keys were asked for and which were read, so that the others can be named.
    """

    def __init__(self, raw: object) -> None:
        # Older files have a bare number where newer ones have {"value": number}.
        self._raw = raw if isinstance(raw, Mapping) else {} if raw is None else {"value": raw}
        self._is_bare = not isinstance(raw, Mapping)
        self._asked: set[str] = set()
        self._seen: dict[str, list[ForeignObject]] = {}

    def __contains__(self, key: str) -> bool:
        return key in self._raw

    def text(self, key: str) -> str:
        """A text on one line, without markup and what no screen can show; empty where there is none."""
        value = self._asked_for(key)
        if not isinstance(value, str):
            return ""
        self._seen[key] = []
        return in_one_line(unescape(TAG.sub(" ", value[:MOST_READ])))

    def whole(self, key: str, default: int = 0) -> int:
        """A whole number, also one that is written as text or with a point; the default where there is none."""
        value = self._asked_for(key)
        try:
            number = int(value) if isinstance(value, (str, int)) else round(value)
        except (TypeError, ValueError, OverflowError):
            return default
        self._seen[key] = []
        return max(-(10**9), min(10**9, number))

    def flag(self, key: str) -> bool:
        """Whether a value is true."""
        value = self._asked_for(key)
        if isinstance(value, (bool, int)):
            self._seen[key] = []
        return value in (True, 1)

    def part(self, key: str) -> ForeignObject:
        """The object under a key; an empty one where there is none."""
        if not self._seen.get(key):
            self._seen[key] = [ForeignObject(self._asked_for(key))]
        return self._seen[key][0]

    def parts(self, key: str) -> list[ForeignObject]:
        """The objects of a list; none where there is no list."""
        value = self._asked_for(key)
        if not self._seen.get(key) and isinstance(value, list):
            self._seen[key] = [ForeignObject(one) for one in value]
        return self._seen.get(key, []) if isinstance(value, list) else []

    def entries(self) -> Iterator[tuple[str, ForeignObject]]:
        """All that is in it by key, each as an object."""
        yield from ((key, self.part(key)) for key in self._raw)

    def unread(self) -> Iterator[str]:
        """The paths of all that holds something and that nobody asked for."""
        return (path for path, _, is_asked in self._left("") if not is_asked)

    def unreadable(self) -> Iterator[tuple[str, str]]:
        """The paths and the values, shortened, of all that was asked for and is of another kind than wanted."""
        return ((path, str(value)[:LONGEST_VALUE]) for path, value, is_asked in self._left("") if is_asked)

    def _asked_for(self, key: str) -> Any:
        self._asked.add(key)
        return self._raw.get(key)

    def _left(self, path: str) -> Iterator[tuple[str, object, bool]]:
        """The paths and values of all that holds something and was not read, and whether it was asked for."""
        for key, value in self._raw.items():
            if value in (None, "", [], {}):
                continue
            # Whatever was asked of a bare value was asked of what it stands for.
            place = path.removesuffix(".") if self._is_bare and path else f"{path}{key}"
            if key not in self._seen:
                yield place, value, bool(self._asked) if self._is_bare else key in self._asked
            for part in self._seen.get(key, ()):
                yield from part._left(f"{place}.")


class SheetDraft:
    """A sheet that an importer is making, with its notes."""

    def __init__(self) -> None:
        self.sheet: dict[str, Any] = {}
        """What it has so far, by key."""
        self.notes: list[SheetNote] = []
        """Its notes so far; a note may stand there twice."""

    def changed(self, key: str, what: str) -> None:
        """Note that something is carried, but not exactly."""
        self.note("changed", key, what)

    def lost(self, key: str, what: str) -> None:
        """Note that something is not carried that matters in a fight."""
        self.note("lost", key, what)

    def ignored(self, key: str, what: str = "") -> None:
        """Note that something is not carried, and does not matter in a fight."""
        self.note("ignored", key, what)

    def note(self, kind: Literal["changed", "lost", "ignored"], key: str, what: str) -> None:
        """Add a note of one of the three kinds."""
        self.notes.append(
            SheetNote(kind, key, what if len(what) <= MOST_SAID else f"{what[: MOST_SAID - 1]}…")
        )

    def within(self, key: str, value: int, low: int, high: int) -> int:
        """A number within the bounds that the sheet allows; it is noted if it had to change."""
        fitting = max(low, min(high, value))
        if fitting != value:
            self.changed(key, f"{value} becomes {fitting}")
        return fitting

    def add(self, table: str, name: str, entry: Mapping[str, object]) -> str:
        """Put an entry into a table of the sheet; its key there, which is in no other table, empty if that is full."""
        made = self.sheet.setdefault(table, {})
        if len(made) >= MOST_ENTRIES:
            self.lost(f"{table}.{key_of(name)}", "the table is full")
            return ""
        taken = {key for one in self.sheet.values() if isinstance(one, dict) for key in one}
        key, number = key_of(name), 2
        while key in taken:
            key, number = f"{key_of(name, LONGEST_KEY - len(str(number)) - 1)}-{number}", number + 1
        made[key] = dict(entry)
        return key

    def imported(self) -> Imported:
        """What has been made: no empty tables and lists, and every note once."""
        sheet = {key: value for key, value in self.sheet.items() if value not in ({}, [])}
        return Imported(sheet, tuple(dict.fromkeys(self.notes)))


def key_of(name: str, most: int = LONGEST_KEY) -> str:
    """The key for a name on a sheet: its letters and digits in lower case, words joined by hyphens."""
    words = "".join(sign if sign.isalnum() else " " for sign in name[:MOST_READ].casefold()).split()
    return "-".join(words)[:most].strip("-") or "nameless"


def objects_in(data: object, *under: str) -> Iterator[Mapping[str, object]]:
    """The objects of a parsed file: itself or those of its list, and behind each those of its lists under some keys."""
    for one in data if isinstance(data, list) else [data]:
        if isinstance(one, Mapping):
            yield one
            for key in under:
                inner = one.get(key)
                yield from (
                    part for part in (inner if isinstance(inner, list) else ()) if isinstance(part, Mapping)
                )


class Importer(NamedTuple):
    """Makes sheets of the actors in files of another program."""

    name: str
    """What `--from` takes: "foundry-fallout"."""
    title: str
    """What it reads, in a few words."""
    licence: str
    """The licence of what it reads, in one line, which every sheet repeats."""
    actors: Callable[[object], Iterator[ForeignActor]]
    """`actors(data)` gives the actors that it knows in a parsed file, none where the file is not of its kind."""
    sheet: Callable[[ForeignObject], Imported]
    """`sheet(actor)` makes a sheet of an actor, or of a weapon the table "weapons" alone."""
    weapons: Callable[[object], Iterator[ForeignActor]] = lambda data: iter(())
    """`weapons(data)` gives the weapons that stand in a file by themselves (`--weapons`)."""
