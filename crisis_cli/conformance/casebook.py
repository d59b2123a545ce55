"""Casebooks: every case of a TOML file performed on given dice, and compared.

A casebook is about one system, SYSTEM.toml. Its head holds `[sheets.NAME]`, sheets as players write
them; then each `[[case]]` holds

  rules     the ids it pins              what      the distribution, in one sentence
  cast      who is there: a sheet, or "sheet as Name" for one more of the same sheet
  set       by fighter, what that sheet says instead (laid over it, tables key by key)
  crisis    present: a crisis is open, with these fields of the scene (order, turn, round); absent: a one-off
  pools     by fighter, pools as they stand now
  after     by fighter, values afterwards (a pool, "condition:NAME", "held", "at", "side" …)
  scene     fields of the scene afterwards
  standing  by side, who can still fight afterwards
  faults    instead of all else: what is wrong with the sheets, part of each message

and one action, or under `do` several, one after the other:

  intent    action, actor, target or targets, options; `newcomers`: sheets that join
  dice      the faces in the order of throwing, no more and no fewer
  choices   what is decided on the way, in order; nothing said: whatever does nothing
  outcome   fields of the outcome        effects   by fighter, what = [was, now]: all that changed, no more
  parts     by fighter and pool, what its change adds up from: [name, value, rule], in order
  rolls     the rolls, in order; only the fields given are compared
  modifiers among those that counted     forced    part of what the GM overrode
  refused   rule, code, says (part of the message), hint (part of it), status (3 unless given): no face is read
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from ..ai.choosing import chooser
from ..dice.distribution import OddsTable
from ..dice.scripted import Scripted
from ..dice.table import Table
from ..engine.changes import LIMIT, all_parts, is_number, parts_of
from ..engine.events import Event, apply_all, held_now, plain, record_of
from ..engine.kinds import Fault
from ..engine.perform import perform
from ..engine.record import Entry, RecordedChoice, RollRecord
from ..engine.scene import Fighter, Intent, Scene
from ..engine.sides import standing
from ..engine.system import System
from ..engine.verify import remembered
from ..errors import WORDS, CrisisError, Refused, Usage
from ..sheets.check import Sheet, spelled
from ..sheets.fighters import fighter

FILES: dict[str, Path] = {}
"""The casebooks of this run of tests, by the system each is about."""
UNSEEN = ("mark:", "until:")
"""Small print of the core that a rulebook reader does not look for."""

Book = dict[str, Any]


def books() -> dict[str, Book]:
    """The casebooks of this run of tests, by the system each is about."""
    return {name: book(path) for name, path in sorted(FILES.items())}


@cache
def book(path: Path) -> Book:
    """The casebook in a file, which is read once and which nobody changes."""
    return tomllib.loads(path.read_text("utf-8"))


def laid_over(base: Mapping[str, Any], more: Mapping[str, Any]) -> dict[str, Any]:
    """A table with another laid over it, key by key."""
    laid = dict(base)
    for key, value in more.items():
        both = isinstance(value, Mapping) and isinstance(laid.get(key), Mapping)
        laid[key] = laid_over(laid[key], value) if both else value
    return laid


def sheet(system: System, raw: Mapping[str, Any]) -> tuple[Sheet, list[Fault]]:
    """A sheet as the program reads it, with what is wrong with it."""
    faults: list[Fault] = []
    values = system.sheet.read(dict(raw), (), faults)
    if not faults:
        faults += system.faults(values)
    return Sheet(Path(f"{raw['name']}.toml"), "", raw, values), faults


def cast(system: System, book: Book, words: list[str], changes: Mapping[str, Any]) -> dict[str, Fighter]:
    """The fighters of a case."""
    found: dict[str, Fighter] = {}
    for word in words:
        one, faults = sheet(system, raw_of(system, book, word, changes))
        assert not faults, faults
        found[one.values["name"]] = fighter(system, one)
    return found


def raw_of(system: System, book: Book, word: str, changes: Mapping[str, Any]) -> dict[str, Any]:
    """The sheet that a word of the cast names, with what the case changes on it."""
    stem, _, name = word.partition(" as ")
    raw = {"system": system.name, **book["sheets"][stem]}
    raw["name"] = name or raw["name"]
    return laid_over(raw, changes.get(raw["name"], {}))


def opening(system: System, book: Book, case: Mapping[str, Any]) -> Scene:
    """The scene in which a case begins."""
    fighters = cast(system, book, case["cast"], case.get("set", {}))
    for who, pools in case.get("pools", {}).items():
        assert not set(pools) - set(fighters[who].pools), f"{who} has no such pool"
        fighters[who] = fighters[who]._replace(pools={**fighters[who].pools, **pools})
    scene = Scene(system.name, fighters)
    if "crisis" not in case:
        return scene
    fields = {
        key: tuple(value) if isinstance(value, list) else value for key, value in case["crisis"].items()
    }
    return scene._replace(open=True, **fields)


def intent(system: System, book: Book, said: Mapping[str, Any]) -> Intent:
    """What the actor of a case means to do."""
    assert not set(said) - {"action", "actor", "target", "targets", "options", "newcomers"}, said
    targets = (said["target"],) if "target" in said else tuple(said.get("targets", ()))
    options = dict(said.get("options", {}))
    if "newcomers" in said:
        new = cast(system, book, said["newcomers"], {})
        options["fighters"] = [record_of(one) for one in new.values()]
        targets = tuple(new)
    return Intent(said["action"], said.get("actor", ""), targets, options)


KEYS = {"rules", "what", "cast", "set", "crisis", "pools", "after", "scene", "standing", "faults", "do"}
STEP = {"intent", "dice", "choices", "outcome", "effects", "parts", "rolls", "modifiers", "forced", "refused"}


def run(system: System, book: Book, case: Mapping[str, Any]) -> None:
    """Perform a case and compare."""
    assert not set(case) - KEYS - STEP, f"a case has no {set(case) - KEYS - STEP}"
    if "faults" in case:
        _faulty(system, book, case)
        return
    scene = opening(system, book, case)
    steps = case.get("do", [case] if "intent" in case else [])
    assert steps or "after" in case, "a case that says nothing"
    for number, step in enumerate(steps, start=1):
        assert not set(step) - KEYS - STEP, f"a step has no {set(step) - STEP}"
        scene = _stepped(system, book, scene, step, f"step {number}")
        _stands(system, scene, step, f"step {number}")
    _stands(system, scene, case, "the end")


def _faulty(system: System, book: Book, case: Mapping[str, Any]) -> None:
    faults = [
        f"{spelled(fault.path)}: {fault.message}"
        for word in case["cast"]
        for fault in sheet(system, raw_of(system, book, word, case.get("set", {})))[1]
    ]
    assert len(faults) == len(case["faults"]), faults
    for part in case["faults"]:
        assert any(part in one for one in faults), (part, faults)


def _stepped(system: System, book: Book, scene: Scene, step: Mapping[str, Any], at: str) -> Scene:
    dice = Scripted(step.get("dice", ()))
    meant = intent(system, book, step["intent"])
    if "refused" in step:
        _refused(system, scene, meant, dice, step["refused"], at)
        return scene
    decides = chooser(meant.get("react"), OddsTable(), bool, None)
    if "choices" in step:
        decides = remembered([RecordedChoice("", (), taken) for taken in step["choices"]], OddsTable())
    entry = perform(system, scene, meant, Table(dice, decides))
    dice.finish()
    _compared(entry, step, at)
    _adds_up(scene, entry, at)
    return apply_all(scene, entry.events)


def _refused(system: System, scene: Scene, meant: Intent, dice: Scripted, refused: Any, at: str) -> None:
    assert not set(refused) - {"rule", "code", "says", "hint", "status"}, refused
    before = plain(scene._asdict())
    try:
        perform(system, scene, meant, Table(dice, chooser(meant.get("react"), OddsTable(), bool, None)))
        dice.finish()
    except CrisisError as caught:
        error = caught
    else:
        raise AssertionError(
            f"{at}: {meant.action} is allowed; the case says that it is refused: {refused['says']!r}"
        )
    usual = Usage.status if error.code in WORDS else Refused.status
    assert error.status == refused.get("status", usual), f"{at}: {error.message}"
    for field in ("rule", "code"):
        if field in refused:
            assert getattr(error, field) == refused[field], f"{at}: {error.message}"
    assert refused["says"] in error.message, at
    assert refused.get("hint", "") in error.hint, at
    assert plain(scene._asdict()) == before, f"{at}: refused, and yet something changed"
    if isinstance(error, Refused):
        assert dice.used == 0, f"{at}: a face was read before the refusal"


def _compared(entry: Entry, step: Mapping[str, Any], at: str) -> None:
    for field, value in step.get("outcome", {}).items():
        assert entry.outcome.get(field) == value, f"{at}: {field} of {dict(entry.outcome)}"
    if "choices" in step:
        assert [choice.taken for choice in entry.choices] == step["choices"], at
    if "effects" in step:
        seen = [event for event in entry.events if event.who and not event.what.startswith(UNSEEN)]
        changed = {(event.who, event.what): [event.was, event.now] for event in seen}
        wanted = {(who, what): pair for who, all_ in step["effects"].items() for what, pair in all_.items()}
        assert changed == wanted, at
    for who, pools in step.get("parts", {}).items():
        for what, wanted_parts in pools.items():
            event = next(event for event in entry.events if (event.who, event.what) == (who, what))
            assert [[part.name, part.value, part.rule] for part in all_parts(event)] == wanted_parts, at
    if "rolls" in step:
        assert len(entry.rolls) == len(step["rolls"]), f"{at}: {entry.rolls}"
        for roll, wanted_roll in zip(entry.rolls, step["rolls"], strict=True):
            flat = _flat(roll)
            assert {key: flat.get(key) for key in wanted_roll} == wanted_roll, at
    for modifier in step.get("modifiers", ()):
        found = [one for one in entry.modifiers if modifier.items() <= one._asdict().items()]
        assert found, f"{at}: no {modifier} among {entry.modifiers}"
    assert len(entry.forced) == len(step.get("forced", ())), f"{at}: {entry.forced}"
    for said, part in zip(entry.forced, step.get("forced", ()), strict=True):
        assert part in said, at


def _adds_up(scene: Scene, entry: Entry, at: str) -> None:
    """Every change of a number by a rule is the sum of its parts, each by a rule; a limit is one that the pool has."""
    for event in entry.events:
        if not (is_number(event) and event.rule):
            continue
        parts = all_parts(event)
        assert sum(part.value for part in parts) == event.now - event.was, f"{at}: {event} is not {parts}"
        assert all(part.name and part.value and part.rule for part in parts), f"{at}: {event} is {parts}"
        one = scene.fighters.get(event.who)
        if any(part.name == LIMIT for part in parts) and one and event.what in one.pools:
            low, high = one.limits.get(event.what, (0, None))
            assert event.now in (low or 0, high), f"{at}: {event} meets no bound, and yet has one of {parts}"


def unexplained(system: System, entry: Entry) -> list[Event]:
    """The changes by the effects of dice of which no more is known than that a rule made them.

    A change by the pool's own rule explains itself: a magazine emptied.
    """
    return [
        event
        for event in entry.events
        if entry.rolls
        and event.what in system.pools
        and not system.pools[event.what].spent
        and event.rule != system.pools[event.what].rule
        and not parts_of(event)
    ]


def _flat(roll: RollRecord) -> dict[str, Any]:
    faces = [face for _, face in roll.faces]
    return {
        **roll.about,
        **roll.reckoning,
        "what": roll.what,
        "who": roll.who,
        "dice": roll.dice,
        "faces": faces,
    }


def _stands(system: System, scene: Scene, wanted: Mapping[str, Any], at: str) -> None:
    for who, values in wanted.get("after", {}).items():
        for what, value in values.items():
            assert plain(held_now(scene, who, what)) == value, f"{at}: {what} of {who}"
    for field, value in wanted.get("scene", {}).items():
        assert plain(getattr(scene, field)) == value, f"{at}: {field}"
    if "standing" in wanted:
        assert standing(system, scene) == wanted["standing"], at
