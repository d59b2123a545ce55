"""Strict checks of journal records: a record that crisis would not have written is an error."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..errors import FileError
from .changes import Part, explained
from .events import SIDE, TERRAIN, Event, apply_all
from .record import Entry, Modifier, RecordedChoice, RollRecord, SheetChange
from .scene import Intent, Scene
from .shapes import (
    Shape,
    anything,
    checked,
    counter,
    face,
    flag,
    level,
    listed,
    mapped,
    maybe,
    natural,
    number,
    place,
    row,
    text,
    whole,
)
from .sheet import renamed

if TYPE_CHECKING:
    from .system import Start, System

LONGEST_TIME = 40
"""Most characters of the time at which a crisis was opened: it stands in the name of its archive."""
HEADER: dict[str, Shape] = {
    "crisis": whole,
    "program": text,
    "system": text,
    "package": text,
    "seed": natural,
    "opened": lambda value: text(value) and value.isascii() and len(value) <= LONGEST_TIME,
    "story": whole,
    "day": counter,
    "tension": counter,
    "sides": mapped(mapped(counter)),
    "fighters": listed(mapped(anything)),
    "field": mapped(anything),
    "encounter": mapped(anything),
    "seal": text,
}
FIELD: dict[str, Shape] = {
    "rows": listed(text),
    "legend": mapped(mapped(anything)),
    "scale": whole,
    "origin": row(counter, counter),
    "zones": flag,
    "covers": listed(text),
    "changed": mapped(text),
}
LEGEND: dict[str, Shape] = {
    "name": text,
    "stops": listed(text),
    "cover": text,
    "slow": flag,
    "place": text,
    "penetrable": flag,
}
FIGHTER: dict[str, Shape] = {
    "name": lambda value: text(value) and value != "" and not value.startswith(SIDE),
    "side": text,
    "player": flag,
    "sheet": mapped(anything),
    "pools": mapped(counter),
    "limits": mapped(row(maybe(counter), maybe(counter))),
    "conditions": mapped(level),
    "ends": mapped(row(text, counter)),
    "marks": mapped(counter),
    "held": listed(text),
    "at": place,
    "cover": mapped(text),
    "file": lambda value: text(value) and "\0" not in value,
    "gone": flag,
    "yielded": flag,
    "mind": text,
}
ENTRY: dict[str, Shape] = {
    "entry": whole,
    "intent": mapped(anything),
    "seed": maybe(natural),
    "forced": listed(text),
    "modifiers": listed(row(text, text, whole, text, text, text, whole, text, least=4)),
    "rolls": listed(mapped(anything)),
    "choices": listed(row(text, listed(text), text, mapped(number), flag, text, least=3)),
    "stake": anything,
    "outcome": mapped(anything),
    "day": counter,
    "sheets": mapped(mapped(anything)),
    "events": listed(
        row(text, text, anything, anything, text, listed(row(text, whole, text, text)), least=4)
    ),
    "seal": text,
}
YOUNG = {"yielded", "mind"}
"""What the fighters of older journals do not say."""
OPTIONAL = {
    *("encounter", "program", "package", "sides", "field", "seed", "forced", "modifiers", "rolls"),
    *("choices", "stake", "seal", "story", "day", "tension", "sheets"),
}
"""What a header or an entry may leave out; the seed of a header it may not."""
SHEET_CHANGE: dict[str, Shape] = {
    "file": lambda value: text(value) and "\0" not in value,
    "was": text,
    "now": text,
    "anew": flag,
}
"""The shape of a `SheetChange`."""
INTENT: dict[str, Shape] = {
    "action": text,
    "actor": text,
    "targets": listed(text),
    "options": mapped(anything),
}
ROLL: dict[str, Shape] = {
    "what": text,
    "who": text,
    "dice": text,
    "faces": listed(face),
    "about": mapped(anything),
    "reckoning": mapped(anything),
    "given": flag,
}
OUTCOME: dict[str, Shape] = {
    "success": maybe(flag),
    "word": text,
    "gear": text,
    "turn": text,
    "at": place,
    "scores": listed(row(text, whole)),
    "skipped": listed(row(text, text)),
    "surplus": listed(row(text, text)),
    "kept_out": counter,
}
"""The parts of an outcome whose types are checked; a system may add others of any type."""
SCENE: dict[str, Shape] = {
    "round": lambda value: counter(value) and value >= 0,
    "turn": text,
    "order": listed(text),
    "scores": mapped(whole),
    "early": listed(text),
    "teams": listed(listed(text)),
    "group": listed(text),
    "pending": listed(row(text, text, counter, text)),
    "in_sequence": flag,
    "over": flag,
    "terrain": text,
    "fired": listed(whole),
    "late": listed(text),
    "left": mapped(flag),
    "shares_rolls": flag,
    "counters": mapped(counter),
    "dealt": mapped(listed(text)),
}
"""What events about the scene itself may change; those of terrain name a place as well."""
GROUPS: dict[str, Shape] = {
    "condition": level,
    "until": maybe(row(text, counter)),
    "mark": counter,
    "cover": maybe(text),
}
"""What events named `group:key` hold."""
FIELDS = {field: FIGHTER[field] for field in ("at", "held", "gone", "player", "side", *YOUNG)}
"""What events about a field of a fighter hold."""


class JournalReader:
    """Reads the records of a journal whose header names the system."""

    def __init__(self, system: System):
        self.system = system
        self._sheets: dict[str, tuple[dict[str, Any], Start]] = {}
        """Sheets as the system reads them, and how their fighters begin, by their text: most fights have copies."""

    def header(self, record: Mapping[str, Any]) -> dict[str, Any]:
        """The header with its sheets measured; FileError where something in it is wrong."""
        checked(record, HEADER, "the header", OPTIONAL - {"seed"})
        if "field" in record:
            checked(record["field"], FIELD, "the field", {"zones", "covers", "changed"})
            for key, entry in record["field"]["legend"].items():
                checked(entry, LEGEND, f"{key[:40]} of the legend", LEGEND)
        if "encounter" in record:
            record = {**record, "encounter": self.encounter(record)}
        names = [fighter.get("name") for fighter in record["fighters"]]
        for at, name in enumerate(names):
            if name in names[:at]:
                raise FileError(f"two fighters are called {name!r}", code="bad_journal")
        for pool in (pool for pools in record.get("sides", {}).values() for pool in pools):
            if pool not in self.system.side_pools:
                raise FileError(f"a side in {self.system.name} has no pool {pool!r}", code="bad_journal")
        return {**record, "fighters": [self.fighter(fighter) for fighter in record["fighters"]]}

    def encounter(self, header: Mapping[str, Any]) -> dict[str, Any]:
        """The encounter of a header as the system reads it; FileError where something in it is wrong."""
        from .encounter_schema import faults_of_record, schema

        record, faults = header["encounter"], list[Any]()
        shapes = {"file": text, "values": mapped(anything), "changed": listed(text)}
        checked(record, shapes, "the encounter", {"changed"})
        values = schema(self.system).read(record["values"], (), faults)
        faults += () if faults else faults_of_record(values)
        for fault in faults:
            key = ".".join(str(part)[:40] for part in fault.path)
            raise FileError(f"the encounter, {key}: {fault.message}", code="bad_journal")
        return {**record, "values": values}

    def fighter(self, record: Mapping[str, Any]) -> dict[str, Any]:
        """A fighter's record with its sheet as the system reads it; FileError where something in it is wrong."""
        checked(record, FIGHTER, "a fighter", YOUNG)
        name, system = record["name"], self.system
        sheet, begin = self._sheet(name, record["sheet"])
        for held, needed, known in (
            ("pools", begin.pools, system.pools),
            ("limits", begin.limits, system.pools),
            ("conditions", (), system.conditions),
            ("ends", (), system.conditions),
        ):
            odd = [key for key in record[held] if key.partition(":")[0] not in known]
            lacking = [key for key in needed if key not in record[held]]
            if odd or lacking:
                raise FileError(
                    f"{held} of {name} {'have an unknown' if odd else 'lack'} {(odd + lacking)[0]!r}",
                    code="bad_journal",
                )
        return {**record, "sheet": sheet}

    def _sheet(self, name: str, record: Mapping[str, Any]) -> tuple[dict[str, Any], Start]:
        """A sheet as the system reads it, and how a fighter with it begins; FileError where something is wrong."""
        written = repr(record)
        if written not in self._sheets:
            faults: list[Any] = []
            sheet = self.system.sheet.read(renamed(record), (), faults)
            for fault in (one for one in faults or self.system.faults(sheet) if one.in_journals):
                key = ".".join(str(part)[:40] for part in fault.path)
                raise FileError(f"the sheet of {name}, {key}: {fault.message}", code="bad_journal")
            self._sheets[written] = sheet, self.system.start(sheet)
        return self._sheets[written]

    def entry(self, record: Mapping[str, Any]) -> Entry:
        """The entry that a record holds; FileError where its shape is wrong, or it is about unknown things."""
        entry = entry_of(record)
        came = False
        for who, what, *_ in entry.events:
            if what == "fighter":
                came = True
            elif not self._knows(who, what):
                raise FileError(f"{who[:40]} has no weapon or item called {what[:40]!r}", code="bad_journal")
        return entry._replace(events=tuple(map(self._measured, entry.events))) if came else entry

    def _measured(self, event: Event) -> Event:
        if event.what != "fighter":
            return event
        was = None if event.was is None else self.fighter(event.was)
        return event._replace(was=was, now=self.fighter(event.now))

    def _knows(self, who: str, what: str) -> bool:
        """Whether the system has such a pool or condition."""
        if not who:
            return True
        if who.startswith(SIDE):
            return what in self.system.side_pools
        group, _, key = what.partition(":")
        if group in ("condition", "until"):
            return key in self.system.conditions
        return group in GROUPS or what in FIELDS or group in self.system.pools


def entry_of(record: Mapping[str, Any]) -> Entry:
    """The entry that a record holds; FileError where its shape is wrong."""
    checked(record, ENTRY, "the entry", OPTIONAL)
    intent, outcome = record["intent"], record["outcome"]
    checked(intent, INTENT, "the intent")
    for key, shape in OUTCOME.items():
        if key in outcome and not shape(outcome[key]):
            raise FileError(f"{key} of the outcome has the wrong type", code="bad_journal")
    if outcome.get("word") == "paid" and not (whole(outcome.get("paid")) and whole(outcome.get("of"))):
        raise FileError("the outcome does not say what was paid", code="bad_journal")
    rolls = record.get("rolls", ())
    for roll in rolls:
        checked(roll, ROLL, "a roll", {"given"})
    return Entry(
        record["entry"],
        Intent(intent["action"], intent["actor"], tuple(intent["targets"]), intent["options"]),
        tuple(Modifier(*one) for one in record.get("modifiers", ())),
        tuple(RollRecord(**{**roll, "faces": tuple(map(tuple, roll["faces"]))}) for roll in rolls),
        tuple(
            RecordedChoice(who, tuple(offered), *rest) for who, offered, *rest in record.get("choices", ())
        ),
        record.get("stake"),
        outcome,
        tuple(map(_event, record["events"])),
        tuple(record.get("forced", ())),
        record.get("seed"),
        record.get("day", 0),
        sheet_changes(record.get("sheets", {})),
    )


def sheet_changes(record: Mapping[str, Any]) -> dict[str, SheetChange]:
    """The changes of sheets that a record holds, by fighter; FileError where their shape is wrong."""
    for name, change in record.items():
        checked(change, SHEET_CHANGE, f"the sheet of {name[:40]}", {"anew"})
    return {name: SheetChange(**change) for name, change in record.items()}


def _event(record: list[Any]) -> Event:
    event = Event(*record[:5])
    if len(record) > 5:
        event = explained(event, tuple(Part(*part) for part in record[5]))
    who, what, was, now, _ = event
    if who and what == "fighter":
        # In a story one who is known comes anew, as the sheet says then.
        if any(type(one) is not dict or one.get("name") != who for one in (now, now if was is None else was)):
            raise FileError(f"{who} joins under another name", code="bad_journal")
        return event
    of_scene = "terrain" if what.startswith(TERRAIN) else what
    shape = FIELDS.get(what) or GROUPS.get(what.partition(":")[0], counter) if who else SCENE.get(of_scene)
    if shape is None or not (shape(was) and shape(now)):
        raise FileError(f"{what[:40]} of {who or 'the scene'} has a wrong value", code="bad_journal")
    return event


def after(scene: Scene, events: tuple[Event, ...]) -> Scene:
    """The scene after the events of an entry; FileError where they are about things or people that are not there."""
    for event in events:
        kind, _, thing = event.what.partition(":")
        if thing and kind not in GROUPS:
            one = scene.fighters.get(event.who)
            if one is not None and event.what not in one.pools:
                raise FileError(
                    f"{event.who} has no weapon or item called {thing[:40]!r}", code="bad_journal"
                )
        scene = apply_all(scene, (event,))
    triggers = scene.encounter.triggers if scene.encounter else ()
    for fired in scene.fired:
        if not 1 <= abs(fired) <= len(triggers):
            raise FileError(f"the encounter has no event {fired}", code="bad_journal")
    teams = (name for team in scene.teams for name in team)
    waiting = (who for who, *_ in scene.pending)
    absent = (*scene.late, *scene.left)
    for name in (scene.turn, *scene.order, *scene.early, *scene.group, *absent, *teams, *waiting):
        if name and name not in scene.fighters:
            raise FileError(f"no fighter here is called {name[:40]!r}", code="bad_journal")
    return scene
