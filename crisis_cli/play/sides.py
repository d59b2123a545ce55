"""The pools of sides: what they begin with, what is in them, how much they hold (ALL-3)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ..errors import Refused
from .events import SIDE, Event, change
from .scene import Scene

if TYPE_CHECKING:
    from ..systems.system import System


def left(scene: Scene, side: str, pool: str) -> int:
    """What is in a pool of a side."""
    return scene.sides.get(side, {}).get(pool, 0)


def pools(system: System, scene: Scene) -> dict[str, dict[str, int]]:
    """What is in every pool of every side that takes part."""
    sides = dict.fromkeys(one.side for one in scene.fighters.values())
    return {side: {pool: left(scene, side, pool) for pool in system.SIDE_POOLS} for side in sides}


def bounds(system: Any, scene: Scene, side: str, pool: str) -> tuple[int | None, int | None]:
    """The lowest and the highest that a pool of a side can hold, None for no bound."""
    limits: Mapping[str, tuple[int | None, int | None]] = system.side(scene, side).limits
    return limits.get(pool, (0, None))


def begun(system: Any, scene: Scene, sides: Iterable[str]) -> Iterator[Event]:
    """What the pools of some sides begin a crisis with."""
    if system.SIDE_POOLS:
        for side in dict.fromkeys(sides):
            for pool, value in system.side(scene, side).pools.items():
                yield from change(scene, SIDE + side, pool, value, system.SIDE_POOLS[pool].rule)


def within(what: str, who: str, number: int, limits: tuple[int | None, int | None]) -> None:
    """Refused where a pool cannot hold so much, or so little."""
    low, high = limits
    if (low is not None and number < low) or (high is not None and number > high):
        span = f"{'' if low is None else low}…{'' if high is None else high}"
        raise Refused(f"{what} of {who} is within {span}; {number} is not", code="out_of_bounds")
