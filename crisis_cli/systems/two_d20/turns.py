"""The turn order, and what turns begin and end with (2D20-9 to 2D20-11, 2D20-22 to 2D20-24)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any, NamedTuple

from ...engine.events import Event, change, shift
from ...engine.record import Modifier
from ...engine.scene import Fighter, Intent, Scene
from ...engine.sides import left
from ...engine.system import Action, Setup
from ...engine.turn_order import Ordered, grouped, lined_up, settled, tie
from ...rules.ready_action import READIED
from ...rules.situational import standing
from .allies import obeyed
from .arms import DEFENDING
from .conditions import injuries, is_dying
from .damage import Toll, bled
from .harm import BROKEN, BURNING, doused, injured
from .luck import asked_of
from .pools import in_purse
from .rolls import ASSISTS, SIDES, Test, Tested, earned, tested, total
from .sheet import attribute, derived, rank, resistance

TIES = 7
"""How often equal d20s are rolled again before the order of naming settles it."""
BLEEDING = 2
"""2D20-22: combat dice of an injured torso, however often it is injured (a reading)."""
UNTIL_OWN_TURN = (READIED, ASSISTS)
"""Marks that begin with these last until the next own turn (2D20-11)."""


class Runner(NamedTuple):
    """What counts for one fighter's place in the turn order."""

    name: str
    initiative: int
    agility: int
    player: bool

    @property
    def rank(self) -> tuple[int, int, bool]:
        """2D20-9: by initiative, agility, players before opponents."""
        return (-self.initiative, -self.agility, not self.player)


def runner(fighter: Fighter) -> Runner:
    """A fighter in the turn order."""
    sheet = fighter.sheet
    return Runner(fighter.name, derived(sheet, "initiative"), attribute(sheet, "agi"), fighter.player)


def order_stake(scene: Scene, intent: Intent) -> Setup:
    """2D20-9: initiative as it is on the sheet; circumstance of the command is the first one's."""
    runners, modifiers = [], []
    for number, name in enumerate(grouped(scene, intent)):
        one = runner(scene.fighters[name])
        modifiers.append(Modifier("score", "initiative", one.initiative, "2D20-2", "per + agi", name))
        if not number and intent.get("mod"):
            more = intent.get("mod")
            modifiers.append(
                Modifier("score", "circumstance", more, "ALL-6", intent.get("why", "--mod"), name)
            )
            one = one._replace(initiative=one.initiative + more)
        runners.append(one)
    return Setup((tuple(runners), tuple(intent.get("order", ()))), tuple(modifiers))


def order(table: Any, stake: tuple[tuple[Runner, ...], tuple[str, ...]]) -> Ordered:
    """2D20-9: highest initiative first; those who are level in everything throw a d20 each."""
    runners, agreed = stake
    names: list[str] = []
    for _, tied in groupby(sorted(runners, key=lambda one: one.rank), key=lambda one: one.rank):
        names += table.ask(settled, _rolled, tuple(tied), agreed, TIES)
    scores = {one.name: one.initiative for one in runners}
    return Ordered(tuple(names), tuple((name, scores[name]) for name in names))


def _rolled(table: Any, one: Runner, tied: tuple[str, ...]) -> int:
    """2D20-9: a d20 to settle a tie."""
    table.label("initiative", one.name, f"d{SIDES}", **tie(tied))
    face: int = table.die(SIDES)
    table.result(total=face)
    return face


def line_up(scene: Scene, intent: Intent, stake: Any, outcome: Ordered) -> Iterable[Event]:
    """The turn order; newcomers come in by the same rule (2D20-9)."""

    def ahead(new: str, other: str) -> bool:
        return runner(scene.fighters[new]).rank[1:] < runner(scene.fighters[other]).rank[1:]

    return lined_up(scene, intent, outcome, "2D20-9", ahead)


INIT = Action("Line up by initiative", "2D20-9", order_stake, line_up, order, window="table", targets="many")


def dying_stake(scene: Scene, intent: Intent) -> Setup:
    """2D20-23: end + survival against the number of injuries, for whoever is dying; nothing for others."""
    fighter = scene.fighters[intent.actor]
    if not is_dying(fighter):
        return Setup(None)
    sheet = fighter.sheet
    target = attribute(sheet, "end") + rank(sheet, "survival")
    critical = max(1, rank(sheet, "survival")) if "survival" in sheet["tags"] else 1
    hard = standing(fighter, "difficulty", "dying", "end", "survival", sign=-1)
    difficulty = max(0, injuries(fighter) + total(hard, "difficulty"))
    asks = asked_of(scene, intent)
    return Setup(Test("resist", fighter.name, target, critical, difficulty, asks=asks))


def dying(table: Any, test: Test | None) -> Tested | None:
    """2D20-23: the test of whoever is dying."""
    return test and table.ask(tested, test)


def begin(scene: Scene, intent: Intent, test: Test | None, outcome: Tested | None) -> Iterator[Event]:
    """2D20-11: a Major and a Minor action, none for the stunned (2D20-24); 2D20-23: failing is death."""
    fighter = scene.fighters[intent.actor]
    normal = 0 if fighter.has("stunned") or fighter.has("dead") or is_dying(fighter) else 1
    yield from change(scene, fighter.name, "major", normal, "2D20-11")
    yield from change(scene, fighter.name, "minor", normal, "2D20-11")
    for mark in fighter.marks:
        if mark.partition(":")[0] in (*UNTIL_OWN_TURN, DEFENDING):
            yield from change(scene, fighter.name, f"mark:{mark}", 0, "2D20-11")
    if test and outcome:
        have = left(scene, fighter.side, "ap") + earned(test, outcome)
        yield from in_purse(scene, fighter.name, have, "2D20-5")
        yield from shift(scene, fighter.name, "luck", -outcome.luck, "2D20-8")
        if not outcome.success:
            yield from change(scene, fighter.name, "condition:dead", True, "2D20-23")


class Wound(NamedTuple):
    """Damage that comes again at the end of a turn."""

    dice: int
    resist: int
    place: str
    kind: str


class Lasting(NamedTuple):
    """All of that for one fighter."""

    who: str
    toll: Toll
    wounds: tuple[Wound, ...]


def lasting_stake(scene: Scene, intent: Intent) -> Setup:
    """2D20-22, 2D20-24: bleeding, then persistent damage; the dead suffer nothing."""
    fighter = scene.fighters[intent.actor]
    wounds = []
    if injuries(fighter, "torso"):
        wounds.append(Wound(BLEEDING, 0, "torso", "physical"))
    for mark in fighter.marks if fighter.has("persistent") else ():
        what, *rest = mark.split(":")
        if what == BURNING:
            kind, place, dice = rest
            gone = fighter.marks.get(f"{BROKEN}:{kind}:{place}", 0)
            resist = max(0, resistance(fighter.sheet, place, kind) - gone)
            wounds.append(Wound(int(dice), resist, place, kind))
    if not wounds or fighter.has("dead"):
        return Setup(None)
    toll = Toll(fighter.pools["hp"], fighter.pools["max_hp"])
    return Setup(Lasting(fighter.name, toll, tuple(wounds)))


def lasting(table: Any, stake: Lasting | None) -> Toll | None:
    """2D20-22, 2D20-24: each wound in its order."""
    if stake is None:
        return None
    toll = stake.toll
    for wound in stake.wounds:
        rays = wound.kind == "radiation"
        toll = table.ask(bled, toll, stake.who, wound.dice, wound.resist, wound.place, rays)
    return toll


def end(scene: Scene, intent: Intent, stake: Lasting | None, toll: Toll | None) -> Iterator[Event]:
    """2D20-24: persistent damage lasts a turn less; a command not obeyed is forgotten (2D20-11)."""
    name = intent.actor
    fighter = scene.fighters[name]
    for kind in ("major", "minor"):
        yield from change(scene, name, kind, 0, "2D20-11")
    if toll:
        yield from change(scene, name, "max_hp", toll.highest, "2D20-21")
        yield from change(scene, name, "hp", toll.hp, "2D20-22")
        yield from injured(scene, name, toll.injured)
    turns = int(fighter.conditions.get("persistent", 0))
    if turns > 1:
        yield from change(scene, name, "condition:persistent", turns - 1, "2D20-24")
    elif turns:
        yield from doused(scene, name)
    for other in scene.fighters:
        yield from obeyed(scene, other)


def _phase(title: str, rule_id: str, stake: Any, effects: Any, rule: Any) -> Action:
    return Action(title, rule_id, stake, effects, rule, window="table")


PHASES = {
    "start-turn": _phase(
        "A Major and a Minor action; the dying hold on", "2D20-11", dying_stake, begin, dying
    ),
    "end-turn": _phase("What goes on hurting", "2D20-22", lasting_stake, end, lasting),
}
