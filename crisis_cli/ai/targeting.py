"""The targets a doctrine prefers, and the fighter it protects."""

from __future__ import annotations

from collections.abc import Sequence

from ..engine.record import Entry
from ..engine.scene import Fighter, Scene
from .arms import attack_on
from .doctrine import Doctrine
from .evaluation import BudgetExceeded, Evaluator

HUNTED = 4
"""Metres that a hurt foe may be farther than the nearest to be hunted in its place."""
MAX_ENTRIES = 60
"""How many entries back a fighter remembers who hurt it."""


def protected_fighter(evaluator: Evaluator, scene: Scene, who: str, doctrine: Doctrine) -> Fighter | None:
    """The friend a fighter protects; None if the doctrine names none or it is not there."""
    friends = evaluator.friends(scene, who)
    if doctrine.protect == "nobody" or not friends:
        return None
    if doctrine.protect == "weakest":
        return min(friends, key=lambda one: (_points_left(evaluator, one), one.name))
    name = doctrine.protect.casefold()
    return next((one for one in friends if one.name.casefold() == name), None)


def choose_targets(
    evaluator: Evaluator,
    scene: Scene,
    who: str,
    doctrine: Doctrine,
    reachable: Sequence[str],
    past: Sequence[Entry],
) -> list[str]:
    """The names of reachable foes that the doctrine prefers as targets; all of them if it has no preference."""
    foes = [one for one in evaluator.foes(scene, who) if one.name in reachable]
    if not foes or doctrine.aim == "harm":
        return [one.name for one in foes]
    if doctrine.aim == "weakest":
        return [min(foes, key=lambda one: _points_left(evaluator, one)).name]
    if doctrine.aim == "prey":
        return [_prey(evaluator, scene, who, foes).name]
    if doctrine.aim == "dangerous":
        return [max(foes, key=lambda one: _danger(evaluator, scene, one.name, who)).name]
    protected_friend = protected_fighter(evaluator, scene, who, doctrine)
    if doctrine.aim in ("avenge", "guard"):
        hurt = protected_friend.name if protected_friend and doctrine.aim == "guard" else who
        names = [one.name for one in foes]
        found = next((name for name in _hurt_by(hurt, past) if name in names), None)
        if found:
            return [found]
        if protected_friend:
            return [
                min(
                    foes,
                    key=lambda one: evaluator.distance_between(scene, protected_friend.name, one.name) or 0,
                ).name
            ]
    return [foes[0].name]


def _danger(evaluator: Evaluator, scene: Scene, foe: str, who: str) -> float:
    """The harm that a foe could do to a fighter in a turn."""
    try:
        attack = attack_on(evaluator, scene, foe, who)
    except BudgetExceeded:
        return 0.0
    return attack.rate if attack else 0.0


def _prey(evaluator: Evaluator, scene: Scene, who: str, foes: Sequence[Fighter]) -> Fighter:
    """The most hurt of the foes that are hardly farther than the nearest."""
    near = evaluator.distance_between(scene, who, foes[0].name)
    if near is None:
        return min(foes, key=lambda one: _points_left(evaluator, one))
    most = near + HUNTED / evaluator.system.space.metres
    close = [one for one in foes if (evaluator.distance_between(scene, who, one.name) or 0) <= most]
    return min(close, key=lambda one: _points_left(evaluator, one))


def _points_left(evaluator: Evaluator, one: Fighter) -> float:
    """The points a fighter has left in all pools of its state."""
    return float(sum(height - max(0, lost) for _, height, lost in evaluator.vitality.points(one)))


def _hurt_by(who: str, past: Sequence[Entry]) -> list[str]:
    """The fighters whose actions on this one changed it, the latest first."""
    return [
        entry.intent.actor
        for entry in reversed(past[-MAX_ENTRIES:])
        if who in entry.intent.targets and any(event.who == who for event in entry.events)
    ]
