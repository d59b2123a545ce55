"""Movement over terrain: the spots along a way, and places that are farther from danger."""

from __future__ import annotations

from math import ceil, dist, floor
from typing import TYPE_CHECKING

from ..engine.legal_actions import is_allowed, is_near_enough
from ..engine.reach import places_of_others
from ..engine.scene import Intent, Scene

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ..engine.field import BattleMap, Place
    from ..engine.system import System


NEAR = 3
"""How far from the end of a way that is taken a fighter looks for another place."""
MARGIN = 4
"""Cells by which what is left of a way may differ from the way from there on, which begins and ends within cells."""


def is_straight(field: BattleMap, start: Place, goal: Place) -> bool:
    """Whether nothing stands or slows between two places."""
    way = field.way(start, goal)
    return way is not None and len(way.places) == 1


def spots(field: BattleMap, start: Place, goal: Place) -> list[Place]:
    """The whole places along the way from a place to another, without the first; none if no way leads there."""
    way = field.way(start, goal)
    found: list[Place] = []
    at = start
    for place in way.places if way else ():
        east, north = place[0] - at[0], place[1] - at[1]
        steps = max(1, ceil(max(abs(east), abs(north))))
        for step in range(1, steps):
            spot = floor(at[0] + east * step / steps + 0.5), floor(at[1] + north * step / steps + 0.5)
            if not field.at(spot).stops_move:
                found.append(spot)
        found.append(place)
        at = place
    return list(dict.fromkeys(one for one in found if one != start))


def spot_at(system: System, scene: Scene, start: Place, goal: Place, gap: int) -> Place | None:
    """The first spot on the way from which no more than `gap` is left to go; None if no way leads there."""
    field = scene.field
    assert field is not None
    found = spots(field, start, goal)
    left = _left_to_go(field, found)
    # Those from which it is surely farther are passed over: working out the way from each of them takes long.
    near = (spot for spot in found if left[spot] <= gap + MARGIN * field.scale or field.is_clear(spot, goal))
    return next((spot for spot in near if scene.way(spot, goal, system.space.distance) <= gap), None)


def _left_to_go(field: BattleMap, found: Sequence[Place]) -> dict[Place, float]:
    """How far it is about from each spot on a way along it to the last one."""
    left: dict[Place, float] = {}
    further, then = 0.0, found[-1] if found else None
    for spot in reversed(found):
        assert then is not None
        further += dist(spot, then) * (1 + field.at(then).slow)
        left[spot], then = further, spot
    return left


def lookout(system: System, scene: Scene, start: Place, goal: Place) -> int | None:
    """How far it is still to go from the first spot on the way that sees its end; None if no way leads there."""
    field = scene.field
    assert field is not None
    found = (spot for spot in spots(field, start, goal) if field.sees(spot, goal))
    return next((scene.way(spot, goal, system.space.distance) for spot in found), None)


def towards(system: System, scene: Scene, way: Intent, goal: Place, stop: int) -> Intent | None:
    """The move as far as it goes along the way to a place, no nearer than `stop`; None if it cannot get closer."""
    field, start = scene.field, scene.fighters[way.actor].at
    assert field is not None and start is not None
    gap = scene.way(start, goal, system.space.distance)
    # No way is shorter than the distance, which is soon known.
    on_way = [
        spot
        for spot in spots(field, start, goal)
        if system.space.distance(spot, goal) >= stop or scene.way(spot, goal, system.space.distance) >= stop
    ]
    in_reach = _in_reach(system, scene, way, on_way)
    taken = places_of_others(system, scene, way.actor)
    for spot in (*reversed(in_reach), *_round_about(system, scene, start, goal, stop)):
        if spot not in taken and scene.way(spot, goal, system.space.distance) < gap:
            step = way.plus(to=list(spot))
            if is_allowed(system, scene, step):
                return step
    return None


def _in_reach(system: System, scene: Scene, way: Intent, places: Sequence[Place]) -> Sequence[Place]:
    """Those places, from the nearest on, that a move can reach."""
    low, high = 0, len(places)
    while low < high:
        middle = (low + high + 1) // 2
        if is_near_enough(system, scene, way.plus(to=list(places[middle - 1]))):
            low = middle
        else:
            high = middle - 1
    return places[:low]


def _round_about(system: System, scene: Scene, start: Place, goal: Place, stop: int) -> Iterator[Place]:
    """The places near a goal, the best first, for one whose way there is taken by others."""
    field = scene.field
    assert field is not None
    found = field.reachable(goal, stop + NEAR * max(1, system.space.beside))
    left = {spot: scene.way(spot, goal, system.space.distance) for spot in found}
    near = [spot for spot in left if left[spot] >= stop]
    yield from sorted(
        near, key=lambda spot: (left[spot], scene.way(start, spot, system.space.distance), spot)
    )


def away(system: System, scene: Scene, way: Intent, danger: Place) -> Intent | None:
    """The move to where the way to a place is longest; None if none is longer than now."""
    field, start = scene.field, scene.fighters[way.actor].at
    assert field is not None and start is not None
    # Other ways to go count from the danger: who flees round a corner is farther off than the map shows.
    found = field.reachable(start, system.space.farthest)
    near = sorted((place for place in found if place != start), key=lambda one: found[one])
    in_reach = _in_reach(system, scene, way, near)
    taken = places_of_others(system, scene, way.actor)

    def far(place: Place) -> tuple[int, bool, float]:
        return scene.way(danger, place, system.space.distance), not field.sees(place, danger), -found[place]

    here = scene.way(danger, start, system.space.distance)
    for place in sorted((one for one in in_reach if one not in taken), key=far, reverse=True):
        if scene.way(danger, place, system.space.distance) <= here:
            break
        step = way.plus(to=list(place))
        if is_allowed(system, scene, step):
            return step
    return None


def vantage_points(
    system: System, scene: Scene, who: str, target: Place, foes: Sequence[Place], most: int
) -> list[Place]:
    """The places within reach that see a target and are better than where a fighter stands: the best first.

    Better is where foes see it less or it has more cover, then where the target has less, then the nearest.
    """
    field, here = scene.field, scene.fighters[who].at
    assert field is not None and here is not None

    def shelter(place: Place, foe: Place) -> float:
        found = field.cover(place, foe)
        return 0.0 if found is None else (field.covers.index(found.level) + 1) / len(field.covers)

    def badness(place: Place) -> tuple[float, float]:
        exposed = sum(1 - 0.5 * shelter(place, foe) for foe in foes if field.sees(foe, place))
        return exposed, shelter(target, place)

    taken, now = places_of_others(system, scene, who), badness(here)
    blind = not field.sees(here, target)
    found = {
        place: (*badness(place), length)
        for place, length in field.reachable(here, most).items()
        if place != here and place not in taken and field.sees(place, target)
    }
    better = [place for place, (exposed, hidden, _) in found.items() if blind or (exposed, hidden) < now]
    return sorted(better, key=lambda place: (found[place], place))
