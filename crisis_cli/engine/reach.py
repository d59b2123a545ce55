"""Where a fighter can go now on the map, and which fighters it sees."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..values import NamedTuple
from .legal_actions import is_allowed, is_near_enough
from .scene import Fighter, Intent, Scene

if TYPE_CHECKING:
    from .field import Place
    from .system import System


class Sighted(NamedTuple):
    """How one fighter is seen by another."""

    name: str
    hidden_by: Place | None = None
    """The place of what stops sight; None if it is seen."""
    cover: str = "none"
    """Its cover from the one who looks."""
    source: str = ""
    """Where the cover comes from."""


def sighted(scene: Scene, who: str) -> tuple[Sighted, ...]:
    """How all others with a position are seen by a fighter with one."""
    field, here = scene.field, scene.fighters[who].at
    if field is None or here is None:
        return ()
    found = []
    for one in scene.fighters.values():
        if one.name == who or one.gone or one.at is None:
            continue
        cover = scene.cover_between(one.name, who)
        source = cover.source if cover.level != "none" else ""
        found.append(Sighted(one.name, field.obstacle(here, one.at), cover.level, source))
    return tuple(found)


def reachable(system: System, scene: Scene, who: str) -> dict[str, dict[Place, float]]:
    """The places on the map that a fighter can go to now with one action, each with its distance, by the action."""
    field, here = scene.field, scene.fighters[who].at
    if field is None or here is None:
        return {}
    found = field.reachable(here, system.space.farthest)
    taken = places_of_others(system, scene, who)
    near = sorted(
        (place for place in found if place != here and place not in taken), key=lambda one: found[one]
    )
    reached = {}
    for action, row in system.actions.items():
        if "to" not in row.options or row.targets != "none" or row.window != "turn":
            continue
        low, high = 0, len(near)
        while low < high:
            middle = (low + high + 1) // 2
            if is_near_enough(system, scene, Intent(action, who, (), {"to": [*near[middle - 1]]})):
                low = middle
            else:
                high = middle - 1
        able = [
            place
            for place in near[:low]
            if is_allowed(system, scene, Intent(action, who, (), {"to": [*place]}))
        ]
        if able:
            reached[action] = {place: found[place] for place in able}
    return reached


def places_of_others(system: System, scene: Scene, who: str) -> set[Place]:
    """Where others stand, those who lie there aside, where nobody shares a place."""
    if not system.space.beside:
        return set()
    others: list[Fighter] = [one for one in scene.fighters.values() if one.name != who and not one.gone]
    return {one.at for one in others if one.at and not system.fallen(one)}
