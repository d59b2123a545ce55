"""How far away the target is, and how many range increments that is."""

from __future__ import annotations

from ..engine.scene import Intent, Scene


def target_distance(scene: Scene, intent: Intent) -> int | None:
    """The distance to the target: as said with the action, else between the positions (ALL-4)."""
    said = intent.get("range")
    return scene.distance(intent.actor, intent.patient) if said is None else int(said)


def increments(distance: int | None, increment: int | None) -> int:
    """How many increments beyond the first a distance spans; 0 where either is unknown."""
    if not distance or not increment:
        return 0
    return -(-distance // increment) - 1
