"""Whom a doctrine aims at, and whom it protects."""

from __future__ import annotations

from collections.abc import Sequence

from ..engine.record import Entry
from ..engine.scene import Fighter, Scene
from .doctrine import Doctrine
from .evaluation import Evaluator

REMEMBERED = 60
"""So many entries back someone still knows who hurt them."""


def ward(scales: Evaluator, scene: Scene, who: str, doctrine: Doctrine) -> Fighter | None:
    """Whom a fighter protects; nobody where there is no such friend."""
    friends = scales.friends(scene, who)
    if doctrine.protect == "nobody" or not friends:
        return None
    if doctrine.protect == "weakest":
        return min(friends, key=lambda one: (_left(scales, one), one.name))
    wanted = doctrine.protect.casefold()
    return next((one for one in friends if one.name.casefold() == wanted), None)


def aimed(
    scales: Evaluator,
    scene: Scene,
    who: str,
    doctrine: Doctrine,
    reached: Sequence[str],
    past: Sequence[Entry],
) -> list[str]:
    """Of the foes that can be attacked those whom the doctrine wants to; all of them where it does not care."""
    foes = [one for one in scales.foes(scene, who) if one.name in reached]
    if not foes or doctrine.aim == "harm":
        return [one.name for one in foes]
    if doctrine.aim == "weakest":
        return [min(foes, key=lambda one: _left(scales, one)).name]
    if doctrine.aim == "dangerous":
        return [max(foes, key=lambda one: scales.prospect(scene, one.name, who).value).name]
    friend = ward(scales, scene, who, doctrine)
    if doctrine.aim in ("avenge", "guard"):
        hurt = friend.name if friend and doctrine.aim == "guard" else who
        names = [one.name for one in foes]
        found = next((name for name in _hurt_by(hurt, past) if name in names), None)
        if found:
            return [found]
        if friend:
            return [min(foes, key=lambda one: scales.apart(scene, friend.name, one.name) or 0).name]
    return [foes[0].name]


def _left(scales: Evaluator, one: Fighter) -> float:
    """How much a fighter has left, in points."""
    return float(sum(height - max(0, lost) for _, height, lost in scales.bodies.points(one)))


def _hurt_by(who: str, past: Sequence[Entry]) -> list[str]:
    """Who attacked someone and changed something, the last first."""
    return [
        entry.intent.actor
        for entry in reversed(past[-REMEMBERED:])
        if who in entry.intent.targets and any(event.who == who for event in entry.events)
    ]
