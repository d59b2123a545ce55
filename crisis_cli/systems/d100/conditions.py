"""Conditions of `d100`, and when a fighter can no longer act or fight (D100-15, D100-27)."""

from __future__ import annotations

from collections.abc import Iterable

from ...engine.conditions import Condition
from ...engine.events import Event, change
from ...engine.scene import End, Fighter, Scene


def next_own_turn(scene: Scene, who: str) -> End | None:
    """D100-15: until the next own turn starts."""
    return ("start-turn", scene.round + 1) if scene.open else None


CONDITIONS = {
    "sneaking": Condition("sneaking", "D100-15", next_own_turn),
    "down": Condition("down", "D100-27"),
}


def fallen(fighter: Fighter) -> str:
    """D100-27: at Health 0 a fighter is down; nobody dies by rule."""
    return "down" if fighter.pools["health"] <= 0 else ""


def idle(fighter: Fighter) -> tuple[str, str]:
    """Why a fighter cannot act, and the rule (D100-27)."""
    return ("down", "D100-27") if fallen(fighter) else ("", "")


def follow(scene: Scene, who: str) -> Iterable[Event]:
    """D100-27: down is whoever has no Health left, and nobody else."""
    return change(scene, who, "condition:down", bool(fallen(scene.fighters[who])), "D100-27")


def revealed(scene: Scene, who: str) -> Iterable[Event]:
    """D100-15: sneaking is over (that attacking ends it is a reading)."""
    yield from change(scene, who, "condition:sneaking", False, "D100-15")
    yield from change(scene, who, "until:sneaking", None, "D100-15")
