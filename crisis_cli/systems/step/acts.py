"""The other actions (STEP-16): weapons and things in hand, hiding, taking aim, keeping watch."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ...engine.events import Event, change
from ...engine.scene import Intent, Scene
from ...engine.system import Action, Cost, Setup, refuse
from ...rules.equipment import draw_action, each, reload_action
from .aims import AIM, OVERWATCH, skill_of
from .moves import STEALTH

DRAW = {"light-weapons": 0, "heavy-weapons": 2}
"""STEP-16: AP of draw_action by the weapon's skill; 1 for the rest."""


def _to_draw(name: str, weapon: Mapping[str, Any]) -> tuple[Cost, ...]:
    """STEP-16: AP by the skill that the weapon is used with."""
    return (Cost("ap", DRAW.get(skill_of(weapon), 1), rule="STEP-16"),)


def _magazine(name: str, weapon: Mapping[str, Any]) -> tuple[Cost, ...]:
    """STEP-16: a magazine, where they are counted."""
    return (Cost(f"magazines:{name}", 1, rule="STEP-16"),) if "magazines" in weapon else ()


def use_stake(scene: Scene, intent: Intent) -> Setup:
    """STEP-16: a thing with uses left; what it does is the player's word."""
    fighter = scene.fighters[intent.actor]
    things = fighter.sheet["items"]
    name = intent.get("item") or (next(iter(things)) if len(things) == 1 else "")
    if name not in things:
        carried = ", ".join(things) or "nothing"
        refuse(
            intent,
            f"{fighter.name} must say what to use",
            "STEP-16",
            f"{fighter.name} carries {carried}",
            final=True,
        )
    uses = (Cost(f"uses:{name}", rule="STEP-16"),) if "uses" in things[name] else ()
    return Setup(name, (), uses, name)


def unchanged(scene: Scene, intent: Intent, stake: Any, outcome: Any) -> Iterable[Event]:
    """Nothing beside what it costs."""
    return ()


def hide_stake(scene: Scene, intent: Intent) -> Setup:
    """STEP-16: not hidden yet; that nobody looks is the player's word."""
    if scene.fighters[intent.actor].has("hidden"):
        refuse(intent, f"{intent.actor} is hidden already", "STEP-16")
    return Setup(None)


def hide(scene: Scene, intent: Intent, stake: Any, outcome: Any) -> Iterable[Event]:
    """Hidden until it attacks or is noticed."""
    yield from change(scene, intent.actor, "condition:hidden", True, "STEP-16")
    yield from change(scene, intent.actor, f"mark:{STEALTH}", 0, "STEP-16")


def no_stake(scene: Scene, intent: Intent) -> Setup:
    """Nothing to look at beforehand."""
    return Setup(None)


def take_aim(scene: Scene, intent: Intent, stake: Any, outcome: Any) -> Iterable[Event]:
    """+1 on the next ranged attack, on top of any aim before."""
    aim = scene.fighters[intent.actor].marks.get(AIM, 0)
    return change(scene, intent.actor, f"mark:{AIM}", aim + 1, "STEP-16")


def watch_stake(scene: Scene, intent: Intent) -> Setup:
    """STEP-16: overwatch is for a crisis, where there are others' turns."""
    if not scene.open:
        refuse(intent, "overwatch needs others' turns", "STEP-16", "open a crisis: crisis init WHO… --open")
    return Setup(None)


def watch(scene: Scene, intent: Intent, stake: Any, outcome: Any) -> Iterable[Event]:
    """The AP are kept for attacks in others' turns."""
    return change(scene, intent.actor, f"mark:{OVERWATCH}", 1, "STEP-16")


ACTS = {
    "draw": draw_action("STEP-16", price=_to_draw),
    "reload": reload_action(
        "STEP-16",
        (Cost("ap", 2, "reload"),),
        loads="rounds",
        title="Fill a weapon from a magazine",
        price=_magazine,
    ),
    "use-item": Action(
        "Use a thing carried",
        "STEP-16",
        use_stake,
        unchanged,
        costs=(Cost("ap", 2, "ap"),),
        gear="items",
        candidates=each("use-item", "items", "item"),
        options=("item",),
    ),
    "hide": Action("Hide where nobody looks", "STEP-16", hide_stake, hide, costs=(Cost("ap", 3),)),
    "take-aim": Action("Aim: +1 on the next shot", "STEP-16", no_stake, take_aim, costs=(Cost("ap", 2),)),
    "overwatch": Action(
        "End the turn, and attack in others' turns", "STEP-16", watch_stake, watch, ends_turn=True
    ),
}
