"""Conditions of `2d20`, injuries, and when a fighter can no longer act or fight (2D20-12, 2D20-22 to 2D20-24)."""

from __future__ import annotations

from collections.abc import Iterator

from ...engine.conditions import Condition
from ...engine.events import Event, change
from ...engine.scene import End, Fighter, Scene
from .words import PLACES

ARMS, LEGS = ("right-arm", "left-arm"), ("left-leg", "right-leg")
"""2D20-22: in the order of what they hold: the right arm the weapon in use, as long as it can (a reading)."""


def next_turn(scene: Scene, who: str) -> End | None:
    """2D20-22, 2D20-24: it is the next own turn that is lost; with the end of that it is over."""
    later = scene.acted(who) or who in scene.acting
    return ("end-turn", scene.round + later) if scene.open else None


CONDITIONS = {
    "prone": Condition("prone", "2D20-12"),
    "unconscious": Condition("unconscious", "2D20-23"),
    "dying": Condition("dying", "2D20-23"),
    "dead": Condition("dead", "2D20-23"),
    "stunned": Condition("stunned", "2D20-24", next_turn),
    "persistent": Condition("suffering on", "2D20-24", levels=True),
    **{f"injured-{place}": Condition(f"injured {place}", "2D20-22", levels=True) for place in PLACES},
}
OUT_COLD: End = ("end-crisis", 0)
"""2D20-27: until the crisis ends, at the latest (a reading)."""


def injuries(fighter: Fighter, *places: str) -> int:
    """How many injuries someone has, there or anywhere (2D20-22)."""
    levels = (fighter.conditions.get(f"injured-{place}", 0) for place in places or PLACES)
    return sum(int(level) for level in levels)


def is_dying(fighter: Fighter) -> bool:
    """2D20-23: at HP 0, and not dead."""
    return fighter.pools["hp"] <= 0 and not fighter.has("dead")


def fallen(fighter: Fighter) -> str:
    """ "dead", "dying" or "down": out of the fight (ALL-5, 2D20-23)."""
    if fighter.has("dead"):
        return "dead"
    if is_dying(fighter):
        return "dying"
    return "down" if fighter.has("unconscious") else ""


def idle(fighter: Fighter) -> tuple[str, str]:
    """Why a fighter cannot act, and the rule (2D20-23); the stunned can, if only what they buy (2D20-24)."""
    why = fallen(fighter)
    return ("unconscious" if why == "down" else why, "2D20-23") if why else ("", "")


def follow(scene: Scene, who: str) -> Iterator[Event]:
    """2D20-21, 2D20-23: HP is never above its maximum; at 0 one is dying, unconscious and prone; the dead are dead."""
    fighter = scene.fighters[who]
    highest = fighter.pools["max_hp"]
    hp = 0 if fighter.has("dead") else min(fighter.pools["hp"], highest)
    yield from change(scene, who, "hp", hp, "2D20-21" if hp else "2D20-23")
    down = hp <= 0 and not fighter.has("dead")
    yield from change(scene, who, "condition:dying", down, "2D20-23")
    if down:
        yield from change(scene, who, "condition:unconscious", True, "2D20-23")
        yield from change(scene, who, "until:unconscious", None, "2D20-23")
        yield from change(scene, who, "condition:prone", True, "2D20-23")
    if fighter.has("dead"):
        for over in ("unconscious", "stunned", "persistent"):
            yield from change(scene, who, f"condition:{over}", False, "2D20-23")
            yield from change(scene, who, f"until:{over}", None, "2D20-23")
