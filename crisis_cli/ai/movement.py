"""Possible moves of a fighter: towards or away from others, as far as one action allows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import product
from math import ceil, floor
from typing import TYPE_CHECKING, Any

from ..engine.events import apply_all
from ..engine.legal_actions import LegalAction, is_allowed
from ..engine.resolve import consequences
from ..engine.scene import Fighter, Intent, Scene
from ..engine.system import nothing
from ..engine.validate import prepare
from ..errors import CrisisError
from . import terrain

if TYPE_CHECKING:
    from ..engine.system import System

Place = tuple[float, float]


class DiceRolled(Exception):
    """A die would have been rolled."""


class NoDice:
    """A table that raises DiceRolled at the first roll, to find out whether a rule needs dice."""

    def __getattr__(self, name: str) -> Any:
        raise DiceRolled


def needs_no_dice(system: System, scene: Scene, intent: Intent) -> bool:
    """Whether the result of a legal action does not depend on dice."""
    row = system.actions[intent.action]
    if row.whole_rule is nothing:
        return True
    try:
        prepared = prepare(system, scene, intent)
        return prepared.rule(NoDice(), prepared.dice) is None
    except DiceRolled:
        return False


def is_move(system: System, scene: Scene, one: LegalAction) -> bool:
    """Whether an action is a plain move, without targets and dice."""
    row = system.actions[one.intent.action]
    return "to" in row.options and row.targets == "none" and needs_no_dice(system, scene, one.intent)


def scene_after(system: System, scene: Scene, intent: Intent) -> Scene | None:
    """The scene after an action without dice; None if it is not allowed."""
    try:
        prepared = prepare(system, scene, intent)
        return apply_all(scene, consequences(system, scene, intent, prepared, None))
    except CrisisError:
        return None


def towards(system: System, scene: Scene, way: Intent, goal: Place, stop: int | None = None) -> Intent | None:
    """The move as far as possible towards a place, stopping beside it or at the distance `stop`; None if it cannot
    get closer."""
    start = scene.fighters[way.actor].at
    assert start is not None
    adjacent = system.space.beside if stop is None else stop
    if scene.field is None:
        return _straight_towards(system, scene, way, start, goal, adjacent)
    straight = terrain.is_straight(scene.field, start, goal)
    found = _straight_towards(system, scene, way, start, goal, adjacent) if straight else None
    return found or terrain.towards(system, scene, way, goal, adjacent)


def _straight_towards(
    system: System, scene: Scene, way: Intent, start: Place, goal: Place, adjacent: int
) -> Intent | None:
    """The longest move on the line to a place, no nearer than `adjacent`; None if it cannot get closer."""
    gap = system.space.distance(start, goal)

    def error(spot: Place) -> float:
        # The fighter's own position counts as a miss: nobody else can stand there.
        left = system.space.distance(spot, goal)
        return abs(left - adjacent) if left or not adjacent else gap

    return _farthest(system, scene, way, start, goal, gap - adjacent, gap, error)


def away(system: System, scene: Scene, way: Intent, danger: Place) -> Intent | None:
    """The move as far as possible from a place; None if it cannot move."""
    start = scene.fighters[way.actor].at
    assert start is not None
    found = _straight_away(system, scene, way, start, danger)
    if scene.field is None or found == _straight_away(system, scene._replace(field=None), way, start, danger):
        return found
    return terrain.away(system, scene, way, danger) or found


def _straight_away(system: System, scene: Scene, way: Intent, start: Place, danger: Place) -> Intent | None:
    """The longest move on the line from a place; None if it cannot move."""
    east, north = start[0] - danger[0], start[1] - danger[1]
    gap = (east * east + north * north) ** 0.5
    if not gap:
        east, north, gap = 1.0, 0.0, 1.0
    most = system.space.farthest
    goal = start[0] + east / gap * most, start[1] + north / gap * most
    return _farthest(
        system, scene, way, start, goal, most, most, lambda spot: -system.space.distance(spot, danger)
    )


def _farthest(
    system: System,
    scene: Scene,
    way: Intent,
    start: Place,
    goal: Place,
    most: int,
    gap: int,
    error: Callable[[Place], float],
) -> Intent | None:
    """The longest legal move, found by bisection; to a free square near it if that is as good."""

    def on_the_way(length: int) -> Place:
        return start[0] + (goal[0] - start[0]) * length / gap, start[1] + (goal[1] - start[1]) * length / gap

    def step(spot: Place) -> Intent:
        return way.plus(to=[_rounded(part) for part in spot])

    low, high = 0, min(system.space.farthest, most)
    while low < high:
        middle = (low + high + 1) // 2
        if is_allowed(system, scene, step(on_the_way(middle))):
            low = middle
        else:
            high = middle - 1
    if not low:
        return None
    spot, square = on_the_way(low), system.space.square
    others = [one.at for one in scene.fighters.values() if one.name != way.actor and not one.gone and one.at]

    def is_free(place: Place) -> bool:
        # Where fighters share places, as in zones, none is ever taken.
        return not system.space.beside or not any(_is_within(place, one, square) for one in others)

    def squares(more: int) -> list[Place]:
        """The squares around the place, the best first; with `more` those farther away too."""
        (west, east), (south, north) = (
            (float(floor(part / square) - more) * square, float(ceil(part / square) + more) * square)
            for part in spot
        )
        steps = range(int((east - west) / square) + 1), range(int((north - south) / square) + 1)
        whole = [(west + x * square, south + y * square) for x, y in product(*steps)]
        return sorted(whole, key=lambda one: (error(one), _square(one, spot)))

    good = [one for one in squares(0) if one != start and is_free(one) and error(one) <= error(spot) + square]
    found = next((found for one in good if is_allowed(system, scene, found := step(one))), None)
    if found is not None or is_free(spot):
        return found or step(spot)
    around = (one for one in squares(1) if is_free(one) and error(one) < error(start))
    return next((found for one in around if is_allowed(system, scene, found := step(one))), None)


def _is_within(place: Place, other: Place, square: int) -> bool:
    """Whether two places lie in one square."""
    return max(abs(place[0] - other[0]), abs(place[1] - other[1])) < square / 2


def _square(one: Place, other: Place) -> float:
    return (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2


def _rounded(part: float) -> float:
    short = round(part, 2)
    return int(short) if short == int(short) else short


def possible_moves(
    system: System,
    scene: Scene,
    ways: Iterable[LegalAction],
    to: Iterable[Fighter],
    away_from: Iterable[Fighter],
) -> Iterator[LegalAction]:
    """Each move as far as it goes towards some fighters and away from others, without duplicates."""
    near, far = list(to), list(away_from)
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
