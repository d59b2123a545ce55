"""Requirements: each function here returns one for `Action.requires`, which refuses intents that fail it (ALL-7)."""

from __future__ import annotations

from collections.abc import Callable

from ..engine.scene import Fighter, Intent, Scene, slug
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
            refuse(intent, said, rule, hint.format(who=slug(one.name)), code="condition_forbids")

    return requirement


def out_of_sight(reach: int, rule: str, blind: Callable[[Fighter], bool]) -> Requirement:
    """No foe sees the actor: each has cover in between (`--cover`, else the cover set for the two), and none is within
    `reach`; foes that are `blind` do not count."""

    def requirement(scene: Scene, intent: Intent) -> None:
        one = scene.fighters[intent.actor]
        for foe in scene.foes(one.name):
            if foe.yielded or blind(foe):
                continue
            distance = scene.distance(one.name, foe.name)
            if distance is not None and distance <= reach:
                refuse(
                    intent,
                    f"{foe.name} is beside {one.name} and looks on",
                    rule,
                    "move away first",
                    code="condition_forbids",
                )
            if (intent.get("cover") or one.cover.get(foe.name, "none")) == "none":
                hint = f"crisis set {slug(one.name)} cover:{slug(foe.name)} light, or --cover light"
                refuse(
                    intent, f"{one.name} is in plain view of {foe.name}", rule, hint, code="condition_forbids"
                )

    return requirement


def noticed(unseen: str, reach: int, rule: str, hint: str) -> Requirement:
    """The target is not in the condition `unseen`, or within `reach`, where it is noticed. `hint` may name {who}."""

    def requirement(scene: Scene, intent: Intent) -> None:
        target = scene.fighters.get(intent.target)
        if target is None or not target.has(unseen):
            return
        distance = target_distance(scene, intent)
        if distance is None or distance > reach:
            said = f"{target.name} is {unseen}, and {intent.actor} has not noticed it"
            refuse(intent, said, rule, hint.format(who=slug(target.name)), code="condition_forbids")

    return requirement


def within(reach: int, rule: str, what: str, hint: str = "") -> Requirement:
    """A requirement: the target or patient is within `reach` metres; the message says `what` reaches that far."""

    def requirement(scene: Scene, intent: Intent) -> None:
        distance = target_distance(scene, intent)
        if distance is not None and distance > reach:
            far = f"{intent.patient} is {distance} m away; {what} reaches {reach} m"
            refuse(intent, far, rule, hint.format(who=slug(intent.actor)), code="out_of_reach")

    return requirement
