"""The spoils of the last fight: what it leaves, what of it is taken already, and who took what in a whole campaign."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from ..engine.journal import Crisis
from ..engine.loot import Loot, loot_of
from ..engine.record import Entry
from ..engine.sides import sides_of
from ..engine.system import System
from ..render.jsontext import VERSION
from ..render.loot import loot_record, loot_words, origin
from ..render.messages import listed
from ..render.sides import own_side
from ..render.style import Ink
from ..systems import load
from ..values import NamedTuple

FEW = 3
"""Things that are named where a few words must do."""


class Find(NamedTuple):
    """Something that was taken, with the fields that it has as JSON."""

    n: int
    """Its number among what the fight left."""
    fight: int
    """The number of the fight."""
    to: list[str]
    """The names of those who have it."""
    text: str
    day: int


class Spoils(NamedTuple):
    """What the last fight left."""

    title: str
    """The name of the fight."""
    file: str
    """The name of its journal."""
    number: int
    """Its number in the campaign; 0 outside a campaign."""
    system: System
    rows: tuple[Loot, ...]
    """All that the fight left."""
    taken: Mapping[int, Sequence[str]]
    """The names of those who have taken something, by its number."""
    parts: Mapping[int, int]
    """The parts of each row that were taken, by its number."""

    @property
    def untaken(self) -> list[Loot]:
        """The rows that nobody has taken yet; of ammunition the rounds that are left."""
        left = [(one, one.parts - self.parts.get(one.number, 0)) for one in self.rows]
        return [one.of_parts(parts) for one, parts in left if parts > 0]

    def few_words(self, rows: Iterable[Loot]) -> str:
        """Some rows in a few words: `a pass · a carbine, 3 rounds · 2 more`."""
        words = list(map(self.words, rows))
        more = [f"{len(words) - FEW} more"] if len(words) > FEW else []
        return " · ".join([*words[:FEW], *more])

    def words(self, loot: Loot) -> str:
        """A row in words."""
        return loot_words(loot, self.system)

    def origin(self, loot: Loot) -> str:
        """Where a row comes from, in words."""
        return origin(loot, self.title)

    def to_dict(self) -> dict[str, Any]:
        """The spoils as `crisis take --json` prints them."""
        return {
            "v": VERSION,
            "action": "take",
            "name": self.title,
            "file": self.file,
            "fight": self.number or None,
            "loot": self.records(self.rows),
        }

    def records(self, rows: Iterable[Loot]) -> list[dict[str, Any]]:
        """Some rows as JSON."""
        return [loot_record(one, self.system, self.taken.get(one.number, ())) for one in rows]

    def __str__(self) -> str:
        return "\n".join(spoils_lines(self, Ink()))


def last_spoils(done: Sequence[Entry], crisis_of: Callable[[Entry], Crisis | None]) -> Spoils | None:
    """What the last fight with foes left, and then what nobody has taken of earlier ones, by the entries of
    a story in force; `crisis_of` gives the crisis of a fight. None before any, and where its crisis is not known."""
    here: Spoils | None = None
    for at, entry in enumerate(done):
        if entry.intent.action == "fight":
            crisis = crisis_of(entry)
            if crisis is None or len(sides_of(crisis.scene)) > 1:
                here = crisis and spoils_of(entry, crisis, done[at + 1 :], here)
    return here


def spoils_of(fight: Entry, crisis: Crisis, later: Iterable[Entry], earlier: Spoils | None = None) -> Spoils:
    """What the fight of an entry left, given its crisis, the entries of the story after it, and what was left before
    it."""
    intent = fight.intent
    file = str(intent.get("file"))
    system, scene = load(crisis.scene.system), crisis.last_scene
    taken: dict[int, list[str]] = {}
    parts: dict[int, int] = {}
    for entry in later:
        if entry.intent.action == "take" and entry.intent.get("journal") == file:
            number_taken = int(entry.intent.get("n"))
            taken.setdefault(number_taken, []).extend(entry.intent.targets)
            parts[number_taken] = parts.get(number_taken, 0) + int(entry.intent.get("parts", 1))
    rows = [*loot_of(system, scene, own_side(scene))]
    if earlier and earlier.system is system:
        # Rewards first: in stories written before foes' things waited, too, a number means what it meant.
        waiting = sorted(earlier.untaken, key=lambda loot: bool(loot.source))
        rows += [
            loot._replace(number=number, fight=loot.fight or earlier.title)
            for number, loot in enumerate(waiting, len(rows) + 1)
        ]
    return Spoils(str(intent.get("title")), file, int(intent.get("value", 0)), system, (*rows,), taken, parts)


def finds_of(entries: Iterable[Entry]) -> Iterator[Find]:
    """Everything that was taken, awards left out, by the entries of a story, in order."""
    fight = 0
    for entry in entries:
        intent = entry.intent
        if intent.action == "fight":
            fight = int(intent.get("value", 0))
        elif intent.action == "take" and intent.get("amount") is None:
            yield Find(int(intent.get("n")), fight, [*intent.targets], str(intent.get("title")), entry.day)


def spoils_lines(spoils: Spoils, ink: Ink) -> Iterator[str]:
    """What the last fight left, a line each, with who has taken it, and how to take it."""
    if not spoils.rows:
        yield f"Nothing is left after {spoils.title}."
        return
    yield ink("bold", f"Left after {'earlier fights' if spoils.rows[0].fight else spoils.title}:")
    left = {one.number: one for one in spoils.untaken}
    words = [spoils.words(left.get(one.number, one)) for one in spoils.rows]
    wide = min(40, ink.widest(words))
    for loot, said in zip(spoils.rows, words, strict=True):
        takers = spoils.taken.get(loot.number)
        source = f"from {spoils.origin(loot)}" if loot.source or loot.fight else ""
        source += f", {loot.fight}" if loot.source and loot.fight else ""
        more = ", ".join(filter(None, (source, f"taken by {listed(takers)}" if takers else "")))
        yield f"  {loot.number:>2}  " + (f"{ink.padded(said, wide)}  {ink('dim', more)}" if more else said)
