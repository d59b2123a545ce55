"""The journal of a crisis: lines to entries and back, and the fold that gives the scene; no files here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from ..errors import FileTrouble
from .events import Event, fighter_of, folded, record_of, undone
from .record import Decision, Entry, Modifier, Roll
from .scene import Fighter, Intent, Scene

FORMAT = 1
"""The version of the journal's format."""


class Crisis(NamedTuple):
    """A crisis as its journal tells it."""

    header: Mapping[str, Any]
    scene: Scene
    done: tuple[Entry, ...] = ()
    """The entries in force."""
    taken_back: tuple[Entry, ...] = ()
    """Entries that can be redone, the last undone last."""
    fresh: int = 0
    """How often an undo asked for new dice."""
    lines: int = 1

    @property
    def seed(self) -> int:
        """The seed of all its dice."""
        seed: int = self.header["seed"]
        return seed

    @property
    def start(self) -> Scene:
        """The scene before the first entry."""
        return opening(self.header)

    def after(self, entry: Entry) -> Crisis:
        """The crisis with one more entry; what could be redone no longer can."""
        return self._replace(
            scene=folded(self.scene, entry.events),
            done=(*self.done, entry),
            taken_back=(),
            lines=self.lines + 1,
        )

    def undo(self, fresh: bool = False) -> Crisis:
        """The crisis without its last entry."""
        entry = self.done[-1]
        return self._replace(
            scene=undone(self.scene, entry.events),
            done=self.done[:-1],
            taken_back=(*self.taken_back, entry),
            fresh=self.fresh + fresh,
            lines=self.lines + 1,
        )

    def redo(self) -> Crisis:
        """The crisis with the entry last undone in force again."""
        entry = self.taken_back[-1]
        return self._replace(
            scene=folded(self.scene, entry.events),
            done=(*self.done, entry),
            taken_back=self.taken_back[:-1],
            lines=self.lines + 1,
        )


def header(
    program: str, system: str, seed: int, opened: str, fighters: Iterable[Fighter], sides: Mapping[str, Any]
) -> dict[str, Any]:
    """The first line of a journal: versions, seed, time, and the full sheets."""
    return {
        "crisis": FORMAT,
        "program": program,
        "system": system,
        "seed": seed,
        "opened": opened,
        "sides": dict(sides),
        "fighters": [record_of(fighter) for fighter in fighters],
    }


def opening(head: Mapping[str, Any]) -> Scene:
    """The scene that a header describes."""
    fighters = [fighter_of(record) for record in head["fighters"]]
    return Scene(head["system"], {one.name: one for one in fighters}, open=True, sides=head.get("sides", {}))


def begun(head: Mapping[str, Any]) -> Crisis:
    """A crisis of which nothing but the header is written."""
    return Crisis(head, opening(head))


def line(record: Mapping[str, Any]) -> str:
    """A record as a line of a journal."""
    import json

    return json.dumps(record, ensure_ascii=False, separators=(",", ":"), allow_nan=False) + "\n"


def entry_record(entry: Entry) -> dict[str, Any]:
    """An entry as a record; the way back is `entry_of`."""
    record: dict[str, Any] = {"entry": entry.number, "intent": entry.intent._asdict()}
    if entry.seed is not None:
        record["seed"] = entry.seed
    if entry.forced:
        record["forced"] = entry.forced
    if entry.modifiers:
        record["modifiers"] = entry.modifiers
    if entry.rolls:
        record["rolls"] = [roll._asdict() for roll in entry.rolls]
    if entry.choices:
        record["choices"] = entry.choices
    if entry.stake is not None:
        record["stake"] = entry.stake
    return record | {"outcome": entry.outcome, "events": entry.events}


def entry_of(record: Mapping[str, Any]) -> Entry:
    """The entry that a record holds."""
    intent = record["intent"]
    return Entry(
        record["entry"],
        Intent(intent["action"], intent["actor"], tuple(intent["targets"]), intent["options"]),
        tuple(Modifier(*one) for one in record.get("modifiers", ())),
        tuple(
            Roll(**{**roll, "faces": tuple((sides, face) for sides, face in roll["faces"])})
            for roll in record.get("rolls", ())
        ),
        tuple(Decision(who, tuple(offered), taken) for who, offered, taken in record.get("choices", ())),
        record.get("stake"),
        record["outcome"],
        tuple(Event(*event) for event in record["events"]),
        tuple(record.get("forced", ())),
        record.get("seed"),
    )


def undo_record(number: int, fresh: bool) -> dict[str, Any]:
    """An undone entry as a record."""
    return {"undo": number, "fresh": True} if fresh else {"undo": number}


def redo_record(number: int) -> dict[str, Any]:
    """A redone entry as a record."""
    return {"redo": number}


def folded_lines(lines: Iterable[str]) -> Crisis:
    """The crisis that the lines of a journal tell; FileTrouble with the number of a line that does not fit."""
    import json

    crisis: Crisis | None = None
    for number, text in enumerate(lines, start=1):
        try:
            record = json.loads(text)
            crisis = _told(crisis, record)
        except FileTrouble as trouble:
            raise FileTrouble(
                f"line {number}: {trouble.message}", hint=trouble.hint, code="bad_journal"
            ) from trouble
        except (ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError) as trouble:
            raise FileTrouble(
                f"line {number} is not what a journal holds ({type(trouble).__name__}: {str(trouble)[:80]})",
                code="bad_journal",
            ) from trouble
    if crisis is None:
        raise FileTrouble("it is empty", code="bad_journal")
    return crisis


def _told(crisis: Crisis | None, record: Any) -> Crisis:
    if crisis is None:
        if record.get("crisis") != FORMAT:
            raise FileTrouble(
                f"it is no journal of format {FORMAT}",
                hint="a newer version of crisis may have written it" if "crisis" in record else "",
            )
        return begun(record)
    if "undo" in record:
        _expected(crisis.done, record["undo"], "undoes")
        return crisis.undo(record.get("fresh", False))
    if "redo" in record:
        _expected(crisis.taken_back, record["redo"], "redoes")
        return crisis.redo()
    entry = entry_of(record)
    if entry.number != len(crisis.done) + 1:
        raise FileTrouble(f"it holds entry {entry.number} where {len(crisis.done) + 1} is next")
    return crisis.after(entry)


def _expected(entries: tuple[Entry, ...], number: Any, does: str) -> None:
    last = entries[-1].number if entries else "none"
    if number != last:
        raise FileTrouble(f"it {does} entry {number}, but the last one is {last}")
