"""The distance to the target, and its number of range increments."""

from __future__ import annotations

from ..engine.scene import Intent, Scene


def target_distance(scene: Scene, intent: Intent) -> int | None:
    """The distance to the target: `--range`, or else that between the positions; None if neither is known (ALL-4)."""
    said = intent.get("range")
    return scene.distance(intent.actor, intent.patient) if said is None else int(said)


def increments(distance: int | None, increment: int | None) -> int:
    """The number of range increments beyond the first; 0 if the distance or the increment is unknown."""
    if not distance or not increment:
        return 0
    return -(-distance // increment) - 1
