"""Fights of three and four sides that are read back after every action, undone and redone on the way."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from random import Random
from typing import Any, NamedTuple

from ..dice.generator import Seeded
from ..dice.table import Table
from ..engine.events import plain
from ..engine.journal import Crisis, entry_record, header, read_back, redo_record, undo_record
from ..engine.legal_actions import of
from ..engine.perform import entry_dice, perform
from ..engine.record import Entry
from ..engine.scene import Fighter, Intent
from ..engine.sides import decided
from ..engine.system import System
from ..engine.verify import differences
from ..sheets.archetypes import archetypes
from ..sheets.check import Sheet, faults_of, read
from ..sheets.fighters import fighter, lasting, stated
from ..systems import load

SIDES = ("players", "opponents", "wolves", "town")
MOST_FIGHTERS = 6
STEPS = 80
"""Most entries of a fight."""


class RecordedFight(NamedTuple):
    """A fight as far as it has been fought, each of its lines read back as it was written."""

    lines: tuple[str, ...]
    crisis: Crisis

    def then(self, *records: Mapping[str, Any]) -> RecordedFight:
        """The fight with more lines; BrokenSystem where reading would not give them back."""
        text, crisis = read_back(records, load, self.crisis)
        return RecordedFight((*self.lines, *text.splitlines()), crisis)


@cache
def recruits(name: str) -> tuple[Sheet, ...]:
    """The archetypes of a system, which fight beside its shipped sheets."""
    return tuple(read(path, path) for path in archetypes(name))


def with_pair(raw: Mapping[str, Any]) -> dict[str, Any]:
    """A sheet as TOML gives it, whose first weapon comes twice; as it is where it has no weapons."""
    weapons = raw.get("weapons")
    if not isinstance(weapons, dict) or not weapons:
        return dict(raw)
    name, weapon = next(iter(weapons.items()))
    return {**raw, "weapons": {name: weapon, f"second {name}": weapon, **weapons}}


def drafted(system: System, sheets: tuple[Sheet, ...], dice: Random) -> dict[str, tuple[Sheet, Fighter]]:
    """Some fighters of three sides, seldom two or four, each with its sheet; of a sheet that comes again, copies."""
    sides = SIDES[: dice.choice((3, 3, 3, 4, 2))]
    apart = dice.choice((None, 1, 6))
    found: dict[str, tuple[Sheet, Fighter]] = {}
    for at in range(dice.randint(len(sides), MOST_FIGHTERS)):
        chosen = dice.choice(sheets)
        if dice.random() < 0.5:
            raw = with_pair(chosen.raw)
            values, faults = faults_of(system, raw)
            assert not faults, f"{raw['name']} with its first weapon twice: {faults[0].message}"
            chosen = Sheet("", "", raw, values)
        name = str(chosen.values["name"])
        copy = f"{name} {at + 1}" if name in found else ""
        side = sides[at % len(sides)]
        one = fighter(system, chosen, name=copy, side=side, player=side == "players")
        if apart is not None:
            one = one._replace(at=(float(at % len(sides) * apart), float(at // len(sides))))
        found[one.name] = chosen, one
    return found


def opening(system: System, seed: int, cast: Mapping[str, tuple[Sheet, Fighter]]) -> RecordedFight:
    """The fight with its header alone."""
    fighters = (one for _, one in cast.values())
    head = header("0", system.name, seed, "2026-01-01T00:00:00Z", fighters, {})
    text, crisis = read_back((head,), load)
    return RecordedFight(tuple(text.splitlines()), crisis)


def fought(system: System, sheets: tuple[Sheet, ...], seed: int) -> None:
    """Fight with some of the sheets on several sides, as the seed says.

    AssertionError with what to do to see the fight again, where something does not hold of it.
    """
    dice = Random(seed)
    cast = drafted(system, (*sheets, *recruits(system.name)), dice)
    steps = [
        f"{system.name}, seed {seed}: {', '.join(f'{name} ({one.side})' for name, (_, one) in cast.items())}"
    ]
    try:
        recorded = opening(system, seed, cast)
        pairs = [
            one
            for _, one in cast.values()
            if any(thing.startswith("second ") for thing in one.carried("weapons"))
        ]
        todo = [Intent("init", "", tuple(cast)), *(_drawn(one) for one in pairs)]
        while len(recorded.crisis.done) < STEPS and not (
            recorded.crisis.done and decided(system, recorded.crisis.scene)
        ):
            intent = todo.pop(0) if todo else _chosen(system, recorded.crisis, dice)
            steps.append(str(intent))
            recorded = _after(recorded, _performed(system, recorded.crisis, intent), dice)
        _checks(system, recorded, cast)
    except Exception as error:
        raise AssertionError("\n".join((*steps, repr(error)))) from error


def _drawn(one: Fighter) -> Intent:
    """The GM puts a pair of weapons into a fighter's hands."""
    weapons = one.carried("weapons")
    return Intent("set", "", (one.name,), {"what": "held", "value": list(weapons)[:2]})


def _performed(system: System, crisis: Crisis, intent: Intent) -> Entry:
    """The entry of an intent, by the dice that follow from the seed."""
    number = len(crisis.done) + 1
    table = Table(Seeded(entry_dice(crisis.seed, len(crisis.done), crisis.fresh).random))
    return perform(system, crisis.scene, intent, table, number)


def _after(recorded: RecordedFight, entry: Entry, dice: Random) -> RecordedFight:
    """The fight after an entry, which was undone and redone; now and then two are."""
    before = recorded.crisis.scene
    recorded = recorded.then(entry_record(entry))
    count = min(dice.choice((1, 1, 1, 2)), len(recorded.crisis.done))
    undone = recorded
    for _ in range(count):
        undone = undone.then(undo_record(len(undone.crisis.done), False))
    if count == 1:
        assert plain(undone.crisis.scene) == plain(before), "undo leads to another scene"
    redone = undone
    for number in range(len(undone.crisis.done) + 1, len(recorded.crisis.done) + 1):
        redone = redone.then(redo_record(number))
    assert plain(redone.crisis.scene) == plain(recorded.crisis.scene), "redo leads to another scene"
    return redone


def _chosen(system: System, crisis: Crisis, dice: Random) -> Intent:
    """Something that is legal for the fighter whose turn it is, seldom for another; else the end of the turn."""
    scene = crisis.scene
    who = scene.turn if dice.random() < 0.9 else dice.choice(scene.order)
    candidates = [one.intent for one in of(system, scene, who) if who == scene.turn or one.window != "turn"]
    if candidates and dice.random() < 0.8:
        return dice.choice(candidates)
    return Intent("next", scene.turn)


def _checks(system: System, recorded: RecordedFight, cast: Mapping[str, tuple[Sheet, Fighter]]) -> None:
    """What holds of the whole: verify finds nothing, and the sheets as the end would write them can be read."""
    found = list(differences(system, recorded.lines))
    assert not found, f"verify: {found[0]}"
    for name, one in recorded.crisis.scene.fighters.items():
        raw = stated(system, cast[name][0].raw, lasting(system, one))
        faults = faults_of(system, raw)[1]
        assert not faults, (
            f"the sheet of {name} could not be read after the fight: {faults[0].message} {raw['state']}"
        )
