"""The fight at a glance: one line for each fighter, in the order in which they act."""

from __future__ import annotations

from collections.abc import Iterator

from ..play.bearing import distance
from ..play.scene import Fighter, Scene
from ..play.sides import decided, standing
from ..systems.system import System
from .board import gauges
from .ink import Ink
from .phrases import listed
from .throws import measured

LEAST = 40
"""Columns below which nothing is left out any more to fit a line in."""


def glance(scene: Scene, system: System, ink: Ink, width: int, height: int) -> list[str]:
    """Round and turn, then a line for each fighter, none wider than `width`; those who have left are not shown.

    Where there are more of them than `height` leaves room for, those round whoever's turn it is are shown, and how
    many are not.
    """
    names = [name for name in (*scene.order, *_unplaced(scene)) if not scene.fighters[name].gone]
    wide = max((len(name) for name in names), default=0)
    lines = [ink("bold", _head(scene, system)), *_sides(scene, system)]
    room = max(1, height - len(lines))
    shown, hidden = names, 0
    if len(names) > room:
        room -= 1
        at = names.index(scene.turn) if scene.turn in names else 0
        start = max(0, min(at - room // 2, len(names) - room))
        shown = names[start : start + room]
        hidden = len(names) - len(shown)
    lines += (_line(scene.fighters[name], scene, system, ink, wide, width) for name in shown)
    if hidden:
        lines.append(ink("dim", f"  … and {hidden} more: status"))
    return lines


def _unplaced(scene: Scene) -> Iterator[str]:
    return (name for name in scene.fighters if name not in scene.order)


def _head(scene: Scene, system: System) -> str:
    if decided(system, scene):
        sides = list(standing(system, scene))
        return f"Round {scene.round} · " + (f"the {sides[0]} hold the field" if sides else "nobody is left")
    acting = listed(scene.acting)
    return f"Round {scene.round} · {acting}'s turn" if acting else f"Round {scene.round}"


def _sides(scene: Scene, system: System) -> list[str]:
    """What the sides have, on one line."""
    pools = [
        f"{side}: {system.SIDE_POOLS[pool].label} {left}"
        for side, held in scene.sides.items()
        for pool, left in held.items()
    ]
    return ["  " + " · ".join(pools)] if pools else []


def _line(one: Fighter, scene: Scene, system: System, ink: Ink, wide: int, width: int) -> str:
    """A fighter in one line: what is least worth knowing is left out until it fits."""
    acting = one.name in scene.acting
    fallen = system.fallen(one)
    name = f"{one.name:<{wide}}"
    head = f"{'▸' if acting else ' '} " + ink("dim" if fallen else "bold", name)
    bars = gauges(one, system, ink, width, spent=False)
    pips = gauges(one, system, ink, width, spent=True) if acting else []
    words = [*_state(one, fallen), *_where(one, scene, system)]
    last = [", ".join(one.held)] if one.held and not fallen else []
    for parts in (
        (bars, pips, words, last),
        (bars, pips, words, []),
        (bars, [], words, []),
        (bars[:2], [], words, []),
        (bars[:1], [], words, []),
        (bars[:1], [], words[:1], []),
        ([], [], words[:1], []),
    ):
        said = " · ".join((*parts[2], *(ink("dim", part) for part in parts[3])))
        line = "  ".join(filter(None, (head, *parts[0], *parts[1], said)))
        if ink.length(line) <= max(width, LEAST):
            return line
    return head


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
        yield measured(apart, system.UNIT)
    cover = one.cover.get(actor)
    if cover and cover != "none":
        yield f"{cover} cover"
