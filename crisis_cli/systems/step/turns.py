"""Turn order and what a turn begins with (STEP-11 to STEP-15, STEP-32)."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import Any, NamedTuple

from ...engine.events import Event, change, shift
from ...engine.record import Modifier
from ...engine.scene import Intent, Scene
from ...engine.system import Action, Setup, nothing
from ...engine.turn_order import Ordered, grouped, lined_up, settled, tie
from ...rules.situational import circumstance
from .aims import OVERWATCH
from .conditions import is_dead, is_dying
from .rolls import reached, roll, skilled, total

GAIN = 4
"""STEP-15: AP at the start of each own turn."""
TIES = 24
"""How often a tie is rolled again before the order of naming settles it."""


class Runner(NamedTuple):
    """What counts for one fighter's place in the turn order."""

    name: str
    sides: int
    bonus: int
    player: bool


def initiative_stake(scene: Scene, intent: Intent) -> Setup:
    """STEP-11: everyone's mind die and bonus; those who share a roll (STEP-13) are one."""
    modifiers: list[Modifier] = []
    runners = []
    for number, name in enumerate(grouped(scene, intent)):
        fighter = scene.fighters[name]
        sides, found = skilled(fighter, "initiative", "mind", "STEP-11")
        found += circumstance(intent, "initiative") if number == 0 else []
        modifiers += [one._replace(against=name) for one in found]
        runners.append(Runner(name, sides, total(found, "initiative"), fighter.player))
    return Setup((tuple(runners), tuple(intent.get("order", ()))), tuple(modifiers))


def initiative(table: Any, stake: tuple[tuple[Runner, ...], tuple[str, ...]]) -> Ordered:
    """STEP-11: everyone rolls mind, highest first; STEP-12: ties by side, by agreement, or by a new roll."""
    runners, agreed = stake
    scores = {runner.name: _rolled(table, runner) for runner in runners}
    placed = sorted(runners, key=lambda one: (-scores[one.name], not one.player))
    order: list[str] = []
    for (_, opponents), tied in groupby(placed, key=lambda one: (-scores[one.name], not one.player)):
        order += table.ask(settled, _rolled, tuple(tied), () if opponents else agreed, TIES)
    return Ordered(tuple(order), tuple((name, scores[name]) for name in order))


def _rolled(table: Any, runner: Runner, tied: tuple[str, ...] = ()) -> int:
    """STEP-5: a critical failure counts as 1 before modifiers here (a reading)."""
    table.label("initiative", runner.name, f"d{runner.sides}", **tie(tied))
    natural = table.ask(roll, runner.sides)
    score = reached(natural, runner.bonus)
    table.result(total=score, **({} if natural else {"critical_failure": True}))
    return score


def line_up(scene: Scene, intent: Intent, stake: Any, outcome: Ordered) -> Iterable[Event]:
    """The turn order; a player who comes in goes ahead of an opponent with as much (STEP-12)."""

    def ahead(new: str, other: str) -> bool:
        return scene.fighters[new].player and not scene.fighters[other].player

    return lined_up(scene, intent, outcome, "STEP-11", ahead)


INIT = Action(
    "Roll for the turn order",
    "STEP-11",
    initiative_stake,
    line_up,
    initiative,
    window="table",
    targets="many",
)


def no_stake(scene: Scene, intent: Intent) -> Setup:
    """Nothing to look at beforehand."""
    return Setup(None)


def begin(scene: Scene, intent: Intent, stake: Any, outcome: Any) -> Iterable[Event]:
    """STEP-15: 4 AP, also in an extra turn (STEP-14); STEP-32: the dying take a wound; overwatch is over."""
    fighter = scene.fighters[intent.actor]
    if is_dead(fighter):
        return
    if is_dying(fighter):
        yield from shift(scene, fighter.name, "health", -1, "STEP-32")
    if not fighter.has("stunned"):
        yield from shift(scene, fighter.name, "ap", GAIN, "STEP-15")
    yield from change(scene, fighter.name, f"mark:{OVERWATCH}", 0, "STEP-16")


PHASES = {
    "start-turn": Action("AP, and what dying takes", "STEP-15", no_stake, begin, nothing, window="table")
}
