"""Where a throw lands that misses (POOL-41)."""

from __future__ import annotations

from math import cos, pi, sin
from typing import Any, NamedTuple

from ...engine.scene import Intent, Scene

HOURS, METRES = 12, 6
"""The dice: neither explodes (a reading)."""


class Dial(NamedTuple):
    """The dial laid round the target: where its middle is, and which way its 12 points."""

    middle: tuple[float, float]
    east: float
    north: float


def dial_of(scene: Scene, intent: Intent) -> Dial:
    """12 points straight away from the thrower; without positions the target is 0, 0 and the thrower south of it."""
    here = scene.fighters[intent.actor].at
    there = intent.get("at") or (scene.fighters[intent.target].at if intent.target else None)
    middle = (0.0, 0.0) if there is None else (float(there[0]), float(there[1]))
    if here is None or there is None or tuple(here) == middle:
        return Dial(middle, 0.0, 1.0)
    east, north = middle[0] - here[0], middle[1] - here[1]
    long = (east**2 + north**2) ** 0.5
    return Dial(middle, east / long, north / long)


def deviation(table: Any, who: str) -> tuple[int, int]:
    """A rule: the hour and the metres."""
    table.label("scatter", who, "d12 + d6")
    hour, metres = table.die(HOURS), table.die(METRES)
    table.result(hour=hour, metres=metres)
    return hour, metres


def landed(dial: Dial, landing: tuple[int, int]) -> dict[str, Any]:
    """How far off it lands, and where: the hour × 30° clockwise."""
    hour, metres = landing
    angle = hour * 2 * pi / HOURS
    ahead, aside = metres * cos(angle), metres * sin(angle)
    at = (
        dial.middle[0] + ahead * dial.east + aside * dial.north,
        dial.middle[1] + ahead * dial.north - aside * dial.east,
    )
    return {"off": metres, "hour": hour, "at": [_neat(part) for part in at]}


def _neat(part: float) -> float:
    """A coordinate to the centimetre; a whole one stays whole."""
    rounded = round(part, 2) + 0.0
    return int(rounded) if rounded == int(rounded) else rounded
