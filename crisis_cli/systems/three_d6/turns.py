"""Turn order and action points (3D6-6 to 3D6-13)."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import Any, NamedTuple

from ...engine.dice_amount import one_die
from ...engine.events import Event, shift
from ...engine.record import Modifier
from ...engine.scene import Fighter, Intent, Scene
from ...engine.system import Action, Setup, nothing
from ...engine.turn_order import Ordered, grouped, lined_up, settled, tie
from ...rules.situational import circumstance, standing
from .checks import burdened, total
from .conditions import fallen

GAIN, GAIN_SPENT = 4, 2
"""3D6-10: AP gained at the start of every turn; 3D6-13: with Endurance at 0."""
TIES = 12
"""How often a tie is rolled again before the order of naming settles it: less likely than 1e-9."""


class Runner(NamedTuple):
    """What counts for one fighter's place in the turn order."""

    name: str
    bonus: int
    intelligence: int
    speed: int


def initiative_stake(scene: Scene, intent: Intent) -> Setup:
    """3D6-6: everyone's bonus; those who share a roll (`--group`) are one."""
    modifiers: list[Modifier] = []
    runners = []
    for number, name in enumerate(grouped(scene, intent)):
        fighter = scene.fighters[name]
        found = quickness(fighter) + (circumstance(intent, "initiative") if number == 0 else [])
        modifiers += [one._replace(against=name) for one in found]
        abilities = fighter.sheet["abilities"]
        runners.append(
            Runner(name, total(found, "initiative"), abilities["intelligence"], abilities["speed"])
        )
    return Setup((tuple(runners), tuple(intent.get("order", ()))), tuple(modifiers))


def quickness(fighter: Fighter) -> list[Modifier]:
    """3D6-6: what a fighter adds to the roll for the turn order."""
    found = [
        Modifier("initiative", ability, fighter.sheet["abilities"][ability], "3D6-6", "ability")
        for ability in ("intelligence", "speed")
        if fighter.sheet["abilities"][ability]
    ]
    for name in ("initiative", "intelligence", "speed"):
        found += standing(fighter, "initiative", name)
    return found + burdened(fighter, "initiative")


def initiative(table: Any, stake: tuple[tuple[Runner, ...], tuple[str, ...]]) -> Ordered:
    """3D6-6: three dice and the bonus each, highest first; 3D6-7: ties by intelligence, speed, a new roll."""
    runners, agreed = stake
    scores = {runner.name: _rolled(table, runner) for runner in runners}
    placed = sorted(runners, key=lambda one: _rank(one, scores))
    order: list[str] = []
    for _, tied in groupby(placed, key=lambda one: _rank(one, scores)):
        order += table.ask(settled, _rolled, tuple(tied), agreed, TIES)
    return Ordered(tuple(order), tuple((name, scores[name]) for name in order))


def _rank(runner: Runner, scores: dict[str, int]) -> tuple[int, int, int]:
    return (-scores[runner.name], -runner.intelligence, -runner.speed)


def _rolled(table: Any, runner: Runner, tied: tuple[str, ...] = ()) -> int:
    table.label("initiative", runner.name, "3d6", **tie(tied))
    score: int = table.times(3, one_die, 6) + runner.bonus
    table.result(total=score)
    return score


def line_up(scene: Scene, intent: Intent, stake: Any, outcome: Ordered) -> Iterable[Event]:
    """The turn order, those who shared a roll side by side (3D6-6)."""
    return lined_up(scene, intent, outcome, "3D6-6")


INIT = Action(
    "Roll for the turn order", "3D6-6", initiative_stake, line_up, initiative, window="table", targets="many"
)


def no_stake(scene: Scene, intent: Intent) -> Setup:
    """Nothing to look at beforehand."""
    return Setup(None)


def gain(scene: Scene, intent: Intent, stake: Any, outcome: Any) -> Iterable[Event]:
    """3D6-8: all gain their AP together at the start of the round; in the extra one only those in it (3D6-9)."""
    for name, fighter in scene.fighters.items():
        if fighter.gone or fallen(fighter) or (scene.round == 0 and name not in scene.early):
            continue
        if fighter.has("stunned"):
            continue
        spent = fighter.pools["endurance"] <= 0
        yield from shift(scene, name, "ap", GAIN_SPENT if spent else GAIN, "3D6-13" if spent else "3D6-10")


PHASES = {"start-round": Action("All gain AP", "3D6-10", no_stake, gain, nothing, window="table")}
