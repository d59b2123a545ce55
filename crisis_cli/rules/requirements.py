"""Requirements: functions that return one for `Action.requires`, which refuses intents that fail it (ALL-7)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ..engine.scene import Fighter, Intent, Scene, slug
from ..engine.system import Action, Cost, Requirement, Says, refuse
from .movement import target_distance


def lacks(
    condition: str,
    rule: str,
    message: str = "",
    *,
    of: str = "actor",
    hint: str = "",
    code: str = "condition_forbids",
    final: bool = False,
    wanted: bool = False,
) -> Requirement:
    """A requirement: the actor (or `of="target"`, the target) does not have a condition.

    `message` and `hint` may use {who} and {action}. With `final`, `--force` does not override it.
    """
    words = condition.replace("-", " ")
    message = message or (f"{{who}} is not {words}" if wanted else f"{{who}} is {words} already")

    def requirement(scene: Scene, intent: Intent) -> None:
        one = scene.fighters[intent.actor if of == "actor" else intent.patient]
        if one.has(condition) != wanted:
            said = message.format(who=one.name, action=intent.action)
            refuse(intent, said, rule, hint.format(who=slug(one.name)), final=final, code=code)

    return requirement


has = partial(lacks, wanted=True)
"""A requirement: the actor (or `of="target"`) has a condition; otherwise like `lacks`."""


def in_crisis(rule: str, message: str = "") -> Requirement:
    """A requirement: a crisis is open; for actions whose effect comes later in the crisis.

    `message` is what a refusal says in place of the usual words.
    """

    def requirement(scene: Scene, intent: Intent) -> None:
        if not scene.open:
            what, hint = f"{intent.action} is only possible in a crisis", "crisis init WHO… --open"
            refuse(intent, message or what, rule, hint, final=True, code="no_crisis")

    return requirement


def out_of_sight(reach: int, rule: str, blind: Callable[[Fighter], bool]) -> Requirement:
    """A requirement: no foe sees the actor. Each has cover in between, and none is within `reach`.

    The cover is that of `--cover`, else that which was set for the two or stands on the map. Foes with `blind(foe)`,
    and foes behind something that stops sight, do not count.
    """

    def requirement(scene: Scene, intent: Intent) -> None:
        one = scene.fighters[intent.actor]
        for foe in scene.foes(one.name):
            if foe.yielded or blind(foe) or not scene.sees(foe.name, one.name):
                continue
            distance = scene.distance(one.name, foe.name)
            if distance is not None and distance <= reach:
                seen = f"{foe.name} is beside {one.name} and looks on"
                refuse(intent, seen, rule, "move away first", code="condition_forbids")
            if (intent.get("cover") or scene.cover_between(one.name, foe.name).level) == "none":
                hint = "go where no foe sees you, or say what is between: --cover light"
                seen = f"{one.name} is in plain view of {foe.name}"
                refuse(intent, seen, rule, hint, code="condition_forbids")

    return requirement


def noticed(unseen: str, reach: int, rule: str, hint: str) -> Requirement:
    """A requirement: no target has the condition `unseen`, except within `reach`, where it is noticed. `hint` may use
    {who}."""

    def requirement(scene: Scene, intent: Intent) -> None:
        for target in (scene.fighters[name] for name in intent.targets):
            distance = target_distance(scene, intent, target.name)
            if target.has(unseen) and (distance is None or distance > reach):
                said = f"{target.name} is {unseen}, and {intent.actor} has not noticed it"
                refuse(intent, said, rule, hint.format(who=slug(target.name)), code="condition_forbids")

    return requirement


def within(reach: int, rule: str, what: str, hint: str = "", first: str = "") -> Requirement:
    """A requirement: the target or patient is within `reach` metres of the actor. `what` is the noun of the refusal:
    "a bandage" reaches 1 m.

    `hint` may use {who} and {target}; `first` is the action that the hint says to take first.
    """

    def requirement(scene: Scene, intent: Intent) -> None:
        distance = target_distance(scene, intent)
        if distance is not None and distance > reach:
            far = f"{intent.patient} is {distance} m away; {what} reaches {reach} m"
            names = {"who": slug(intent.actor), "target": slug(intent.patient)}
            refuse(intent, far, rule, hint.format(**names), code="out_of_reach", first=first)

    return requirement


def condition_action(
    title: str, rule: str, costs: tuple[Cost, ...], says: str, *, begins: str = "", ends: str = ""
) -> Action:
    """The row of an action that begins the condition `begins`, or ends the condition `ends`; refused if that is so
    already."""
    requirement = lacks(begins, rule) if begins else has(ends, rule)
    sets = {begins: True} if begins else {ends: False}
    return Action(title, rule, costs=costs, requires=(requirement,), sets=sets, says=Says(says))
