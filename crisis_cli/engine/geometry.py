"""Directions and distances on the field: how far someone is, where a thing lands that misses its mark."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .scene import Scene

if TYPE_CHECKING:
    from .system import System

EIGHT = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))
"""The eight directions, clockwise from north, with x east and y north (ALL-4)."""


def heading(here: Sequence[float], there: Sequence[float]) -> int:
    """Which of the eight directions leads from here to there, halves rounded clockwise; north for no way at all."""
    east, north = there[0] - here[0], there[1] - here[1]
    if not east and not north:
        return 0
    for at, (x, y) in enumerate(EIGHT):
        ahead, aside = east * x + north * y, north * x - east * y
        if ahead > 0 and _inside(ahead, aside):
            return at
    raise AssertionError("the eight sectors leave no gap")


def _inside(ahead: float, aside: float) -> bool:
    """Whether an angle, positive anticlockwise, lies in (−22.5°, +22.5°]: the upper half belongs here."""
    # tan 22.5° = √2 − 1 bounds each sector: |aside| / ahead ≤ √2 − 1 ⇔ (|aside| + ahead)² ≤ 2·ahead²
    if aside >= 0:
        return (aside + ahead) ** 2 <= 2 * ahead * ahead
    return (ahead - aside) ** 2 < 2 * ahead * ahead


SIX = ((0.0, 1.0), (0.87, 0.5), (0.87, -0.5), (0.0, -1.0), (-0.87, -0.5), (-0.87, 0.5))
"""The six directions of a field of hexagons, clockwise from north."""


def landed(
    thrower: Sequence[float] | None, mark: Sequence[float] | None, direction: int, off: int, ways: int = 8
) -> tuple[float, float] | None:
    """The place where a missed throw lands, `off` away from its mark; None where a position is not known.

    Direction 1 is straight back to the thrower, the others follow clockwise, of eight or of six `ways` (STEP-27,
    3D6-30).
    """
    if thrower is None or mark is None:
        return None
    if ways == 6:
        x, y = SIX[(_nearest_of_six(mark, thrower) + direction - 1) % 6]
        return (round(mark[0] + x * off, 2), round(mark[1] + y * off, 2))
    x, y = EIGHT[(heading(mark, thrower) + direction - 1) % 8]
    return (mark[0] + x * off, mark[1] + y * off)


def _nearest_of_six(here: Sequence[float], there: Sequence[float]) -> int:
    """Which of the six directions leads from here to there, halves rounded clockwise; north for no way at all."""
    from math import atan2, floor, pi

    east, north = there[0] - here[0], there[1] - here[1]
    if not east and not north:
        return 0
    return floor(round(atan2(east, north) / (pi / 3), 9) + 0.5) % 6


def walk(system: System, scene: Scene, one: str, other: str) -> int | None:
    """How far one fighter has to go to another, round what stands between; None without positions."""
    here, there = scene.fighters[one].at, scene.fighters[other].at
    return scene.way(here, there, system.space.distance) if here and there else None


def distance(system: System, scene: Scene, one: str, other: str) -> int | None:
    """How far two fighters are from each other in the system's own unit (ALL-4); None without positions."""
    here, there = scene.fighters[one].at, scene.fighters[other].at
    return system.space.distance(here, there) if here and there else None
