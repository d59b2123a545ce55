"""Requirements: each function here returns one for `Action.requires`, which refuses intents that fail it (ALL-7)."""

from __future__ import annotations

from ..engine.scene import Intent, Scene, slug
from ..engine.system import Requirement, refuse
from .reach import target_distance


def lacks(condition: str, rule: str, message: str = "", *, of: str = "actor", hint: str = "") -> Requirement:
    """A requirement: the actor (or `of="target"`) lacks a condition. `message` and `hint` may use {who}, {action}."""
    return _is(
        False, condition, message or f"{{who}} is {condition.replace('-', ' ')} already", rule, of, hint
    )


def has(condition: str, rule: str, message: str = "", *, of: str = "actor", hint: str = "") -> Requirement:
    """A requirement: the actor (or `of="target"`) has a condition. `message` and `hint` may use {who}, {action}."""
    return _is(True, condition, message or f"{{who}} is not {condition.replace('-', ' ')}", rule, of, hint)


def _is(wanted: bool, condition: str, message: str, rule: str, of: str, hint: str) -> Requirement:
    def requirement(scene: Scene, intent: Intent) -> None:
        one = scene.fighters[intent.actor if of == "actor" else intent.patient]
        if one.has(condition) != wanted:
            said = message.format(who=one.name, action=intent.action)
            refuse(intent, said, rule, hint.format(who=slug(one.name)))

    return requirement


def within(reach: int, rule: str, what: str, hint: str = "") -> Requirement:
    """A requirement: the target or patient is within `reach` metres; the message says `what` reaches that far."""

    def requirement(scene: Scene, intent: Intent) -> None:
        distance = target_distance(scene, intent)
        if distance is not None and distance > reach:
            far = f"{intent.patient} is {distance} m away; {what} reaches {reach} m"
            refuse(intent, far, rule, hint.format(who=slug(intent.actor)))

    return requirement
