"""The sides: which fighters can still fight, and the pools a side shares (ALL-3, ALL-5)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from ..errors import Refused
from .encounter import NOBODY, PLAYERS
from .events import SIDE, Event, change
from .scene import Fighter, Scene

if TYPE_CHECKING:
    from .system import System


def standing(system: System, scene: Scene) -> dict[str, list[str]]:
    """The fighters who can still fight, by side (ALL-5)."""
    sides: dict[str, list[str]] = {}
    for fighter in scene.fighters.values():
        if _stands(system, fighter):
            sides.setdefault(fighter.side, []).append(fighter.name)
    return sides


def sides_of(scene: Scene) -> dict[str, Sequence[str]]:
    """The names of the fighters by side, the player's side first; those who joined or left included."""
    fighters = scene.fighters.values()
    first = next((one.side for one in fighters if one.player), "")
    found: dict[str, list[str]] = {first: []} if first else {}
    for one in fighters:
        found.setdefault(one.side, []).append(one.name)
    return dict(found)


def decided(system: System, scene: Scene) -> bool:
    """Whether at most one side has someone who can still fight (ALL-5), or an event has decided the encounter.

    Without a last stand an encounter goes on until the side of the players is out.
    """
    if scene.won_by:
        return True
    fighters = scene.fighters.values()
    if scene.encounter is not None and not scene.encounter.last_stand:
        return not any(one.side == PLAYERS and _stands(system, one) for one in fighters)
    first = next((one.side for one in fighters if _stands(system, one)), "")
    return not any(one.side != first and _stands(system, one) for one in fighters)


def _stands(system: System, one: Fighter) -> bool:
    """Whether a fighter can still fight (ALL-5)."""
    return not one.gone and not one.yielded and not system.fallen(one)


def victor(system: System, scene: Scene) -> str:
    """The side that has won; empty before that, and where no side has."""
    if scene.won_by:
        return "" if scene.won_by == NOBODY else scene.won_by
    sides = list(standing(system, scene))
    return sides[0] if len(sides) == 1 and decided(system, scene) else ""


def rounds_played(scene: Scene) -> int:
    """The rounds of a crisis that were played: not one that began as an event ended it."""
    events = scene.encounter.triggers if scene.encounter else ()
    ended = any(events[one - 1].wins and events[one - 1].after for one in scene.fired if one > 0)
    return scene.round - ended


def left(scene: Scene, side: str, pool: str) -> int:
    """What is in a pool of a side."""
    return scene.side_pool(side, pool)


def pools(system: System, scene: Scene) -> dict[str, dict[str, int]]:
    """What is in every pool of every side that takes part."""
    sides = dict.fromkeys(one.side for one in scene.fighters.values())
    return {side: {pool: left(scene, side, pool) for pool in system.side_pools} for side in sides}


def bounds(system: System, scene: Scene, side: str, pool: str) -> tuple[int | None, int | None]:
    """The lowest and the highest that a pool of a side can hold, None for no bound."""
    return system.side_start(scene, side).limits.get(pool, (0, None))


def begun(system: System, scene: Scene, sides: Iterable[str]) -> Iterator[Event]:
    """What the pools of some sides begin a crisis with."""
    if system.side_pools:
        for side in dict.fromkeys(sides):
            for pool, value in system.side_start(scene, side).pools.items():
                yield from change(scene, SIDE + side, pool, value, system.side_pools[pool].rule)


def within(what: str, who: str, number: int, limits: tuple[int | None, int | None]) -> None:
    """Raise Refused if a value is beyond its lowest or highest one; None is no bound."""
    low, high = limits
    if (low is not None and number < low) or (high is not None and number > high):
        span = f"{'' if low is None else low}…{'' if high is None else high}"
        raise Refused(f"{what} of {who} must be within {span}, not {number}", code="out_of_bounds")
