"""Names that a word of the command line can be: sheets, fighters, things, skills; read and never written."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from importlib import import_module
from typing import Any, NamedTuple

from ...desk import Desk
from ...errors import CrisisError
from ...play.journal import Crisis
from ...play.scene import Fighter, Scene
from ...sheets.cast import is_here, named
from ...sheets.fighters import fighter
from ...sheets.store import copies
from ...show.ink import Ink
from ...show.text import headline
from ...systems import SYSTEMS, load
from ...systems.system import System

LARGEST = 8_000_000
"""Bytes of a journal that are still read while someone waits for a word."""


class Offer(NamedTuple):
    """A word that may stand here."""

    value: str
    help: str = ""
    kind: str = "plain"
    """"plain"; "open", where more follows in the same word; "file" and "dir", which the shell knows best."""


class Line:
    """The words before the one that is wanted."""

    def __init__(self, desk: Desk, verb: str, bare: list[str], said: Mapping[str, list[str]]):
        self.desk = desk
        self.verb = verb
        self.bare = bare
        """Words that are neither options nor their values."""
        self.said = said
        """Values of options by the option's name."""

    @cached_property
    def crisis(self) -> Crisis | None:
        """The open crisis, if there is one that can be read."""
        return self.desk.glimpse(largest=LARGEST)

    @cached_property
    def scene(self) -> Scene | None:
        """How things stand in it."""
        return self.crisis.scene if self.crisis else None

    @cached_property
    def actor(self) -> Fighter | None:
        """Who acts, as far as the words tell."""
        words = [*self.said.get("by", ()), *self.bare[:1]]
        found = self.fighter(words[0]) if words else None
        turn = self.scene.turn if self.scene and not self.said.get("by") else ""
        if (
            self.scene
            and turn
            and (found is None or (self.verb in ("attack", "throw") and found.name != turn))
        ):
            return self.scene.fighters[turn]
        return found

    def fighter(self, word: str) -> Fighter | None:
        """The fighter that a word names: of the crisis, else of a sheet."""
        try:
            if self.scene:
                return self.scene.fighters[named(self.scene, word)]
            sheet = self.desk.store().read(copies(word)[0])
            return fighter(load(sheet.values["system"]), sheet)
        except (CrisisError, OSError):
            return None

    @property
    def systems(self) -> tuple[System, ...]:
        """The system in play, else all of them."""
        if self.scene:
            return (load(self.scene.system),)
        one = self.actor or next(filter(None, map(self.fighter, self.bare[:1])), None)
        return (load(one.sheet["system"]),) if one else tuple(load(name) for name in SYSTEMS)


Source = Callable[[Line], Iterator[Offer]]


def sheets(line: Line) -> Iterator[Offer]:
    """Sheets in reach, by the stems of their files."""
    seen: set[str] = set()
    for folder, path in line.desk.store().all():
        stem = path.stem.casefold()
        if stem not in seen:
            seen.add(stem)
            yield Offer(stem, folder.name)


def everyone(line: Line) -> Iterator[Offer]:
    """The fighters of the open crisis; without one, sheets."""
    if line.scene is None:
        yield from sheets(line)
        return
    for one in line.scene.fighters.values():
        if not one.gone:
            yield Offer(spelled(line.scene, one.name), _told(one))


def people(line: Line) -> Iterator[Offer]:
    """Everyone who has not been named yet; of a sheet there may be several."""
    named_already = {word.casefold() for word in line.bare} if line.scene else set()
    yield from (offer for offer in everyone(line) if offer.value not in named_already)


def _told(one: Fighter) -> str:
    return ", ".join([one.side, *(name for name, level in one.conditions.items() if level)])


def spelled(scene: Scene, name: str) -> str:
    """A fighter's name as one types it: in lower case without spaces, where that is still clear."""
    word = name.casefold().replace(" ", "-")
    return word if is_here(scene, word) and named(scene, word) == name else name


def entries(line: Line) -> Iterator[Offer]:
    """The entries in force, the last first."""
    for entry in reversed(line.crisis.done if line.crisis and not line.bare else ()):
        said = headline(entry, line.crisis.scene, Ink()) if line.crisis else ""
        yield Offer(str(entry.number), said or "the next turn")


def newcomers(line: Line) -> Iterator[Offer]:
    """Who can join: those who have left, and sheets."""
    if line.scene:
        yield from (
            Offer(spelled(line.scene, one.name), "back") for one in line.scene.fighters.values() if one.gone
        )
    yield from sheets(line)


def places(line: Line) -> Iterator[Offer]:
    """`NAME=` for those who fight."""
    for offer in everyone(line):
        yield Offer(offer.value + "=", "X,Y", "open")


def weapons(line: Line) -> Iterator[Offer]:
    """The weapons of whoever acts."""
    yield from things(line, "weapons")
    yield Offer("unarmed", "bare hands")


def items(line: Line) -> Iterator[Offer]:
    """What whoever acts carries."""
    yield from things(line, "items")


def things(line: Line, listed: str) -> Iterator[Offer]:
    things: Mapping[str, Any] = line.actor.carried(listed) if line.actor else {}
    for name, thing in things.items():
        said = ", ".join(
            f"{key} {part}" for key, part in thing.items() if isinstance(part, (int, str)) and part
        )
        yield Offer(name.replace(" ", "-"), said)


def skills(line: Line) -> Iterator[Offer]:
    """Skills and abilities: of the fighter named last, and of its system."""
    owner = next(
        filter(None, map(line.fighter, reversed([*line.bare, *line.said.get("vs", ())]))), line.actor
    )
    tables = ("skills", "abilities", "attributes", "ratings")
    own = [name for table in tables if owner for name in owner.sheet.get(table, {})]
    listed = [name for system in line.systems for name in _listed(system)]
    yield from (Offer(name) for name in dict.fromkeys((*own, *listed)))


def _listed(system: System) -> tuple[str, ...]:
    """The skills that a system names, on the page of its sheet."""
    page = import_module(".sheet", system.__package__)  # type: ignore[attr-defined]
    return (*getattr(page, "SKILLS", ()), *getattr(page, "FIELDS", ()))
