"""Conditions (3D6-15 to 3D6-17), and when a fighter can no longer act or fight (3D6-27)."""

from __future__ import annotations

from collections.abc import Iterable

from ...engine.events import Event, change
from ...engine.scene import End, Fighter, Scene
from ...engine.system import Condition


def stun_ends(scene: Scene, who: str) -> End | None:
    """3D6-17: at the end of this turn, or of the next one for whoever has acted already (a reading)."""
    return ("end-round", scene.round + scene.acted(who)) if scene.open else None


CONDITIONS = {
    "drunk": Condition("drunk", "3D6-15"),
    "prone": Condition("prone", "3D6-16"),
    "stunned": Condition("stunned", "3D6-17", stun_ends, lasting=False),
    "hidden": Condition("hidden", "3D6-14", lasting=False),
    "dead": Condition("dead", "3D6-27"),
}


def fallen(fighter: Fighter) -> str:
    """3D6-27: at Health 0 a fighter is dead."""
    return "dead" if fighter.pools["health"] <= 0 else ""


def idle(fighter: Fighter) -> tuple[str, str]:
    """Why a fighter cannot act, and the rule: the dead, and the stunned (3D6-17, 3D6-27)."""
    if fallen(fighter):
        return "dead", "3D6-27"
    return ("stunned", "3D6-17") if fighter.has("stunned") else ("", "")


def follow(scene: Scene, who: str) -> Iterable[Event]:
    """3D6-27: dead is whoever has no Health left, and nobody else."""
    return change(scene, who, "condition:dead", bool(fallen(scene.fighters[who])), "3D6-27")
