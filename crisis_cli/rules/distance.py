"""How far the target is, in all systems: the distance, the increments it spans, the reach of a blow."""

from __future__ import annotations

from ..engine.scene import Intent, Scene
from ..engine.system import refuse


def target_distance(scene: Scene, intent: Intent) -> int | None:
    """The distance to the target: as said with the action, else between the positions (ALL-4)."""
    said = intent.get("range")
    return scene.distance(intent.actor, intent.target) if said is None else int(said)


def increments(distance: int | None, increment: int | None) -> int:
    """How many increments beyond the first a distance spans; 0 where either is unknown."""
    if not distance or not increment:
        return 0
    return -(-distance // increment) - 1


def within(scene: Scene, intent: Intent, reach: int, blow: str, rule: str, closer: str) -> None:
    """Refused where the target is farther away, in metres, than a blow reaches."""
    distance = target_distance(scene, intent)
    if distance is not None and distance > reach:
        far = f"{intent.target} is {distance} m away; {blow} reaches {reach} m"
        refuse(intent, far, rule, hint=closer)
