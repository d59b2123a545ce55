"""The fight at a glance: one line for each fighter, in the order in which they act."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from ..engine.geometry import distance
from ..engine.scene import Fighter, Scene
from ..engine.sides import decided, standing
from ..engine.system import System
from .board import gauges, measures
from .messages import listed, measured
from .style import Ink

ROOMS = (100, 70, 50)
"""Columns at which bars are as long as they are at most, and shorter."""
LEAST = 40
"""Columns below which nothing is left out any more to fit a line in."""


def glance(scene: Scene, system: System, ink: Ink, width: int, height: int) -> list[str]:
    """Round and turn, then a line for each fighter, none wider than `width`; those who have left are not shown.

    Where there are more of them than `height` leaves room for, those round whoever's turn it is are shown, and how
    many are not.
    """
    names = [name for name in (*scene.order, *_unplaced(scene)) if not scene.fighters[name].gone]
    told = [ink("bold", _head(scene, system)), *_sides(scene, system)]
    room = max(1, height - len(told))
    shown, hidden = names, 0
    if len(names) > room:
        room -= 1
        at = names.index(scene.turn) if scene.turn in names else 0
        start = max(0, min(at - room // 2, len(names) - room))
        shown = names[start : start + room]
        hidden = len(names) - len(shown)
    told += lines(shown, scene, system, ink, width, scene.acting, paid=False)
    if hidden:
        told.append(ink("dim", f"  … and {hidden} more: {ink.way('status')}"))
    return told


def _unplaced(scene: Scene) -> Iterator[str]:
    return (name for name in scene.fighters if name not in scene.order)


def _head(scene: Scene, system: System) -> str:
    if decided(system, scene):
        sides = list(standing(system, scene))
        return f"Round {scene.round} · " + (
            f"the {sides[0]} hold the field" if sides else "no fighter is left"
        )
    acting = listed(scene.acting)
    return f"Round {scene.round} · {acting}'s turn" if acting else f"Round {scene.round}"


def _sides(scene: Scene, system: System) -> list[str]:
    """What the sides have, on one line."""
    pools = [
        f"{side}: {system.side_pools[pool].label} {left}"
        for side, held in scene.sides.items()
        for pool, left in held.items()
    ]
    return ["  " + " · ".join(pools)] if pools else []


def lines(
    names: Sequence[str],
    scene: Scene,
    system: System,
    ink: Ink,
    width: int,
    marked: Container[str],
    paid: bool = True,
) -> list[str]:
    """A line for each of them, in columns where there is room for those, the same for all of them.

    Those marked show what they pay actions with, which gives way first unless it is told nowhere else (`paid`);
    then the bars become shorter, then what is held is left out. Where not even that lets everyone's line fit, what is
    least worth knowing is left out of it.
    """
    wide = max((len(name) for name in names), default=0)
    rooms = [room for room in ROOMS if room <= width] or [width]
    pips = (True,) if paid else (True, False)
    rows: list[_Row] = []
    for held, room, pip, column in (
        *product((True,), rooms, pips, (True, False)),
        *product((False,), (*rooms, LEAST), pips, (True, False)),
    ):
        rows = [_row(scene.fighters[name], scene, system, ink, wide, room, name in marked) for name in names]
        if not held:
            rows = [row._replace(held=[]) for row in rows]
        if not pip:
            rows = [row._replace(pips=[]) for row in rows]
        told = [_joined(row, _columns(rows, ink) if column else {}, ink) for row in rows]
        if all(ink.length(line) <= width for line in told):
            return told
    return [_fitted(row, ink, width) for row in rows]


class _Row(NamedTuple):
    """What there is to tell of a fighter, most worth knowing first."""

    head: str
    bars: dict[str, str]
    """By the pool."""
    pips: list[str]
    words: list[str]
    held: list[str]


def _row(one: Fighter, scene: Scene, system: System, ink: Ink, wide: int, room: int, marked: bool) -> _Row:
    fallen = system.fallen(one)
    return _Row(
        f"{'▸' if marked else ' '} " + ink("dim" if fallen else "bold", f"{one.name:<{wide}}"),
        measures(one, system, ink, room, spent=False),
        gauges(one, system, ink, room, spent=True) if marked else [],
        [*_state(one, fallen), *_where(one, scene, system)],
        [", ".join(one.held)] if one.held and not fallen else [],
    )


def _columns(rows: Sequence[_Row], ink: Ink) -> dict[str, int]:
    """How wide each pool's bars are."""
    wide: dict[str, int] = {}
    for row in rows:
        for pool, bar in row.bars.items():
            wide[pool] = max(wide.get(pool, 0), ink.length(bar))
    return wide


def _joined(row: _Row, columns: Mapping[str, int], ink: Ink) -> str:
    bars = [*row.bars.values()]
    if columns:
        cells = ((row.bars.get(pool, ""), wide) for pool, wide in columns.items())
        bars = [bar + " " * (wide - ink.length(bar)) for bar, wide in cells]
    said = " · ".join((*row.words, *(ink("dim", part) for part in row.held)))
    return "  ".join((row.head, *bars, *row.pips, *filter(None, [said]))).rstrip()


def _fitted(row: _Row, ink: Ink, width: int) -> str:
    bars = [*row.bars.items()]
    for parts in (
        row,
        row._replace(pips=[]),
        *(row._replace(pips=[], bars=dict(bars[:few])) for few in range(len(bars) - 1, 0, -1)),
        row._replace(pips=[], bars=dict(bars[:1]), words=row.words[:1]),
        row._replace(pips=[], bars={}, words=row.words[:1]),
    ):
        line = _joined(parts, {}, ink)
        if ink.length(line) <= max(width, LEAST):
            return line
    return row.head


def _state(one: Fighter, fallen: str) -> Iterator[str]:
    """Out of the fight first; then what else there is, a level only where it is more than one."""
    if fallen:
        yield fallen
    for condition, level in one.conditions.items():
        if condition != fallen:
            name = condition.replace("-", " ")
            yield name if level is True or level == 1 else f"{name} {level}"


def _where(one: Fighter, scene: Scene, system: System) -> Iterator[str]:
    """How far off a fighter is from whoever acts, and behind what."""
    actor = scene.turn
    if not actor or actor == one.name:
        return
    apart = distance(system, scene, actor, one.name)
    if apart is not None:
        yield measured(apart, system.unit.name)
    cover = one.cover.get(actor)
    if cover and cover != "none":
        yield f"{cover} cover"
