"""What it helps to step off: foes follow as far as they can and still attack."""

from __future__ import annotations

from collections.abc import Iterable

from ..engine.legal_actions import of
from ..engine.scene import Intent, Scene
from . import movement, resources
from .evaluation import Evaluator

STEPS = 4
"""So many steps of a foe are followed to see how far it comes."""


def farther(scales: Evaluator, was: Scene, scene: Scene, who: str) -> bool:
    """Whether a fighter is farther from its nearest foe than it was."""
    gaps = [_nearest(scales, one, who) for one in (was, scene)]
    return gaps[1] > gaps[0]


def _nearest(scales: Evaluator, scene: Scene, who: str) -> int:
    return next((scales.apart(scene, who, foe.name) or 0 for foe in scales.foes(scene, who)), 0)


def followed(scales: Evaluator, was: Scene, scene: Scene, who: str, fears: Iterable[Intent]) -> Scene:
    """The scene with those who are feared as near to a fighter as they were before, as far as they come."""
    here, fighters = scene.fighters[who].at, dict(scene.fighters)
    if here is None or here == was.fighters[who].at:
        return scene
    for fear in fears:
        foe = fighters[fear.actor]
        gap, now = scales.apart(was, who, foe.name), scales.apart(scene, who, foe.name)
        if foe.at is None or gap is None or now is None or now <= gap:
            continue
        share = min(stride(scales, was, fear), now - gap) / now
        east, north = (at + (to - at) * share for at, to in zip(foe.at, here, strict=True))
        fighters[foe.name] = foe._replace(at=(east, north))
    return scene._replace(fighters=fighters)


def stride(scales: Evaluator, scene: Scene, attack: Intent) -> int:
    """How far a fighter comes in a turn in which it can still pay for an attack, in the system's unit."""
    found: int = scales.once(("stride", attack.actor), scene, lambda: _stride(scales, scene, attack))
    return found


def _stride(scales: Evaluator, scene: Scene, attack: Intent) -> int:
    system, who = scales.system, attack.actor
    begun = scene.fighters[who].at
    assert begun is not None
    scene, far = movement.paid(system, resources.rested(system, scene, who, fresh=True), attack), 0
    for _ in range(STEPS):
        gone = [one for one in _steps(scales, scene, who, begun) if one[0] > far]
        if not gone:
            break
        far, scene = max(gone, key=lambda one: one[0])
    return far


def _steps(scales: Evaluator, scene: Scene, who: str, begun: movement.Place) -> Iterable[tuple[int, Scene]]:
    """Each step straight on from where a fighter began, with how far from there it leads."""
    system = scales.system
    for one in of(system, scene, who, lambda intent: "to" in system.actions[intent.action].options):
        step = (
            movement.away(system, scene, one.intent, begun) if movement.is_way(system, scene, one) else None
        )
        after = step and movement.after(system, scene, step)
        there = after.fighters[who].at if after else None
        if after and there:
            yield system.distance(begun, there), after
