"""Pursuit: foes follow a fighter that steps away, as far as they can and still attack."""

from __future__ import annotations

from collections.abc import Iterable

from ..engine.legal_actions import of
from ..engine.scene import Intent, Scene
from . import movement, resources
from .evaluation import Evaluator

MAX_STEPS = 4
"""Most moves of one turn used to find how far a foe gets."""


def is_farther(evaluator: Evaluator, was: Scene, scene: Scene, who: str) -> bool:
    """Whether a fighter is farther from its nearest foe than it was."""
    gaps = [_nearest(evaluator, one, who) for one in (was, scene)]
    return gaps[1] > gaps[0]


def _nearest(evaluator: Evaluator, scene: Scene, who: str) -> int:
    return next(
        (evaluator.distance_between(scene, who, foe.name) or 0 for foe in evaluator.foes(scene, who)), 0
    )


def scene_with_pursuit(
    evaluator: Evaluator, was: Scene, scene: Scene, who: str, expected_attacks: Iterable[Intent]
) -> Scene:
    """The scene after the expected attackers have followed a fighter, up to their distance before."""
    here, fighters = scene.fighters[who].at, dict(scene.fighters)
    if here is None or here == was.fighters[who].at:
        return scene
    for fear in expected_attacks:
        foe = fighters[fear.actor]
        gap, now = (
            evaluator.distance_between(was, who, foe.name),
            evaluator.distance_between(scene, who, foe.name),
        )
        if foe.at is None or gap is None or now is None or now <= gap:
            continue
        share = min(distance_per_turn(evaluator, was, fear), now - gap) / now
        east, north = (at + (to - at) * share for at, to in zip(foe.at, here, strict=True))
        fighters[foe.name] = foe._replace(at=(east, north))
    return scene._replace(fighters=fighters)


def distance_per_turn(evaluator: Evaluator, scene: Scene, attack: Intent) -> int:
    """How far a fighter can move in a turn and still pay for an attack, in the system's unit."""
    found: int = evaluator.cached(
        ("stride", attack.actor), scene, lambda: _distance_per_turn(evaluator, scene, attack)
    )
    return found


def _distance_per_turn(evaluator: Evaluator, scene: Scene, attack: Intent) -> int:
    system, who = evaluator.system, attack.actor
    begun = scene.fighters[who].at
    assert begun is not None
    scene, far = (
        movement.scene_after_paying(system, resources.with_full_turn(system, scene, who, fresh=True), attack),
        0,
    )
    for _ in range(MAX_STEPS):
        gone = [one for one in _steps(evaluator, scene, who, begun) if one[0] > far]
        if not gone:
            break
        far, scene = max(gone, key=lambda one: one[0])
    return far


def _steps(
    evaluator: Evaluator, scene: Scene, who: str, begun: movement.Place
) -> Iterable[tuple[int, Scene]]:
    """Each possible move straight away from `begun`: the distance from there, and the scene after it."""
    system = evaluator.system
    for one in of(system, scene, who, lambda intent: "to" in system.actions[intent.action].options):
        step = (
            movement.away(system, scene, one.intent, begun) if movement.is_move(system, scene, one) else None
        )
        after = step and movement.scene_after(system, scene, step)
        there = after.fighters[who].at if after else None
        if after and there:
            yield system.distance(begun, there), after
