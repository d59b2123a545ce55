"""The actions without an attack (3D6-14): drawing, moving, hiding, rising, reloading."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ...engine.events import Event, change
from ...engine.scene import Fighter, Intent, Scene, distance
from ...engine.system import Action, Cost, Setup, refuse
from ...rules.equipment import drawing, reloading
from ...rules.situational import standing
from .checks import total

PACE = 5
"""3D6-14: metres of a move, besides speed; a sneak goes half as far."""


def pace(fighter: Fighter, sneaking: bool = False) -> int:
    """How far one move goes, in metres; sneaking halves the whole (a reading of 3D6-14)."""
    worth: int = fighter.sheet["abilities"]["speed"] + PACE + total(standing(fighter, "move", "move"), "move")
    return max(0, worth // 2 if sneaking else worth)


def _walk(scene: Scene, intent: Intent, sneaking: bool) -> Setup:
    fighter = scene.fighters[intent.actor]
    to, most = intent.get("to"), pace(fighter, sneaking)
    if to is not None and fighter.at is not None and distance(fighter.at, to) > most:
        refuse(
            intent,
            f"{fighter.name} can go {most} m in one go; that is {distance(fighter.at, to)} m away",
            "3D6-14",
            hint="go part of the way, and on with the next AP",
        )
    return Setup(most)


def move_stake(scene: Scene, intent: Intent) -> Setup:
    """3D6-14: up to speed + 5 metres."""
    return _walk(scene, intent, False)


def sneak_stake(scene: Scene, intent: Intent) -> Setup:
    """3D6-14: up to half of speed + 5 metres (a reading: speed / 2 + 5 would be another)."""
    return _walk(scene, intent, True)


def go(scene: Scene, intent: Intent, most: int, outcome: Any) -> Iterable[Event]:
    """The new position, where one is given."""
    to = intent.get("to")
    return () if to is None else change(scene, intent.actor, "at", tuple(to), "3D6-14")


def how_far(scene: Scene, intent: Intent, most: int, outcome: Any) -> Mapping[str, Any]:
    """The metres gone, or how many there could be."""
    here, to = scene.fighters[intent.actor].at, intent.get("to")
    return {"metres": distance(here, to)} if here and to else {"most": most}


def hide_stake(scene: Scene, intent: Intent) -> Setup:
    """3D6-14: not hidden yet; that nobody looks is the player's word."""
    if scene.fighters[intent.actor].has("hidden"):
        refuse(intent, f"{intent.actor} is hidden already", "3D6-14")
    return Setup(None)


def hide(scene: Scene, intent: Intent, stake: Any, outcome: Any) -> Iterable[Event]:
    """Hidden until it attacks or is noticed."""
    return change(scene, intent.actor, "condition:hidden", True, "3D6-14")


def prone_stake(scene: Scene, intent: Intent) -> Setup:
    """Lying or standing, whichever the action changes (3D6-14)."""
    lying, rising = scene.fighters[intent.actor].has("prone"), intent.action == "stand-up"
    if lying != rising:
        refuse(intent, f"{intent.actor} is {'prone already' if lying else 'not prone'}", "3D6-14")
    return Setup(not rising)


def lie(scene: Scene, intent: Intent, lying: bool, outcome: Any) -> Iterable[Event]:
    """Prone, or no longer (3D6-16)."""
    return change(scene, intent.actor, "condition:prone", lying, "3D6-16")


def _ap(amount: int) -> tuple[Cost, ...]:
    return (Cost("ap", amount),)


ACTS = {
    "draw": drawing("3D6-14", _ap(1)),
    "hide": Action("Hide where nobody looks", "3D6-14", hide_stake, hide, costs=_ap(3)),
    "move": Action("Move", "3D6-14", move_stake, go, costs=_ap(1), outputs=how_far, options=("to",)),
    "sneak": Action(
        "Move unheard", "3D6-14", sneak_stake, go, costs=_ap(1), outputs=how_far, options=("to",)
    ),
    "stand-up": Action("Stand up", "3D6-14", prone_stake, lie, costs=_ap(2)),
    "drop-prone": Action("Drop to the ground", "3D6-14", prone_stake, lie, costs=_ap(1)),
    "reload": reloading("3D6-14", (Cost("ap", 2, "reload"),), loads="rounds"),
}
