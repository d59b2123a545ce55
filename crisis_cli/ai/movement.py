"""Where a mind could go: the places worth a thought, as far towards each as one action goes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import product
from math import ceil, floor
from typing import TYPE_CHECKING, Any

from ..engine.events import apply_all
from ..engine.legal_actions import Legal
from ..engine.resolve import consequences
from ..engine.scene import Fighter, Intent, Scene
from ..engine.system import nothing
from ..engine.validate import prepare
from ..errors import CrisisError

if TYPE_CHECKING:
    from ..engine.system import System

Place = tuple[float, float]


class Dice(Exception):
    """A die would have been thrown."""


class Still:
    """A table at which nothing is thrown: it tells what needs no dice from what does."""

    def __getattr__(self, name: str) -> Any:
        raise Dice


def is_sure(system: System, scene: Scene, intent: Intent) -> bool:
    """Whether no dice decide what comes of an action that is allowed."""
    row = system.actions[intent.action]
    if row.whole_rule is nothing:
        return True
    try:
        prepared = prepare(system, scene, intent)
        return prepared.rule(Still(), prepared.dice) is None
    except Dice:
        return False


def is_way(system: System, scene: Scene, one: Legal) -> bool:
    """Whether it is a plain way of going somewhere, no dice about it."""
    row = system.actions[one.intent.action]
    return "to" in row.options and row.targets == "none" and is_sure(system, scene, one.intent)


def after(system: System, scene: Scene, intent: Intent) -> Scene | None:
    """The scene after an action without dice; None where it is not allowed."""
    try:
        prepared = prepare(system, scene, intent)
        if prepared.payment.of:
            prepared = prepared._replace(payment=prepared.payment._replace(of=0))
        return apply_all(scene, consequences(system, scene, intent, prepared, None))
    except CrisisError:
        return None


def paid(system: System, scene: Scene, intent: Intent) -> Scene:
    """The scene in which an action is paid for, and nothing else has happened."""
    return apply_all(scene, prepare(system, scene, intent).payment.events)


def towards(system: System, scene: Scene, way: Intent, goal: Place) -> Intent | None:
    """As far towards a place as a way goes, stopping beside it; None where that is no step."""
    here = scene.fighters[way.actor].at
    assert here is not None
    gap = system.distance(here, goal)
    beside = system.unit.beside

    def missed(spot: Place) -> float:
        # To stand in someone's place is as far off as it gets.
        left = system.distance(spot, goal)
        return abs(left - beside) if left or not beside else gap

    return _farthest(system, scene, way, here, goal, gap - beside, gap, missed)


def away(system: System, scene: Scene, way: Intent, danger: Place) -> Intent | None:
    """As far from a place as a way goes."""
    here = scene.fighters[way.actor].at
    assert here is not None
    east, north = here[0] - danger[0], here[1] - danger[1]
    gap = (east * east + north * north) ** 0.5
    if not gap:
        east, north, gap = 1.0, 0.0, 1.0
    most = system.unit.farthest
    goal = here[0] + east / gap * most, here[1] + north / gap * most
    return _farthest(system, scene, way, here, goal, most, most, lambda spot: -system.distance(spot, danger))


def _farthest(
    system: System,
    scene: Scene,
    way: Intent,
    here: Place,
    goal: Place,
    most: int,
    gap: int,
    missed: Callable[[Place], float],
) -> Intent | None:
    """The longest step of one that is allowed, found by halving; to whole numbers beside it where those do as well."""

    def on_the_way(length: int) -> Place:
        return here[0] + (goal[0] - here[0]) * length / gap, here[1] + (goal[1] - here[1]) * length / gap

    def step(spot: Place) -> Intent:
        return way._replace(options={**way.options, "to": [_short(part) for part in spot]})

    low, high = 0, min(system.unit.farthest, most)
    while low < high:
        middle = (low + high + 1) // 2
        if _allowed(system, scene, step(on_the_way(middle))):
            low = middle
        else:
            high = middle - 1
    if not low:
        return None
    spot = on_the_way(low)
    taken = {one.at for one in scene.fighters.values() if one.name != way.actor and not one.gone}
    (west, east), (south, north) = ((float(floor(part)), float(ceil(part))) for part in spot)
    whole = [
        one
        for one in product((west, east), (south, north))
        if one != here and (one not in taken or not system.unit.beside) and missed(one) <= missed(spot) + 1
    ]
    ranked = sorted(dict.fromkeys(whole), key=lambda one: (missed(one), _square(one, spot)))
    return next((found for one in ranked if _allowed(system, scene, found := step(one))), step(spot))


def _square(one: Place, other: Place) -> float:
    return (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2


def _allowed(system: System, scene: Scene, intent: Intent) -> bool:
    try:
        prepare(system, scene, intent)
    except CrisisError:
        return False
    return True


def _short(part: float) -> float:
    short = round(part, 2)
    return int(short) if short == int(short) else short


def steps(
    system: System, scene: Scene, ways: Iterable[Legal], to: Iterable[Fighter], off: Iterable[Fighter]
) -> Iterator[Legal]:
    """Each way as far as it goes towards some and away from others, no place twice for a way."""
    near, far = list(to), list(off)
    for way in ways:
        if scene.fighters[way.intent.actor].at is None:
            return
        found = [towards(system, scene, way.intent, one.at) for one in near if one.at is not None]
        found += [away(system, scene, way.intent, one.at) for one in far if one.at is not None]
        seen = []
        for intent in found:
            if intent is not None and intent.options not in seen:
                seen.append(intent.options)
                yield way._replace(intent=intent)
