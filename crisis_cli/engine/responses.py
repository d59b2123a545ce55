"""Responses: what fighters may do before another's action takes effect: readied actions, overwatch, kept actions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ..errors import CrisisError
from ..values import NamedTuple
from .changes import Changes
from .consequences import aftermath
from .interrupts import set_up
from .legal_actions import is_allowed, of
from .scene import Intent, Scene, slug
from .system import READIED, nothing
from .validate import prepare

if TYPE_CHECKING:
    from .record import Entry
    from .system import System


class Response(NamedTuple):
    """One way to respond to an action of somebody else."""

    intent: Intent
    """What the responder does."""
    inside: bool
    """Whether it falls in the middle of that action, by its option `answer`; otherwise it is an action before it."""


def responses(
    system: System, scene: Scene, action: Intent, who: str, past: Sequence[Entry] = ()
) -> Iterator[Response]:
    """All that `who` may do before `action` takes effect; `past` are the entries so far, with their triggers.

    A readied action is offered when its trigger is met, and overwatch against every action. What is kept for
    reactions is offered where the action is rolled or aimed at somebody, and so is what buys more of it.
    """
    fighter = scene.fighters[who]
    if who == action.actor or fighter.gone or fighter.yielded or system.idle(fighter)[0]:
        return
    if system.reactions is None:
        for one in of(system, scene, who, lambda intent: _is_released(system, scene, intent)):
            if (
                one.window == "out"
                and _is_about(one.intent, action)
                and _is_met(system, scene, action, who, past)
            ):
                yield Response(one.intent, False)
    elif action.targets and action.action in system.actions:
        yield from _answers(system, scene, action, who)


def answered(action: Intent, response: Response) -> Intent:
    """The action with a response in the middle of it."""
    answers = [*action.get("answer", ()), [response.intent.actor, response.intent.action]]
    return action._replace(options={**action.options, "answer": answers})


def trigger_of(who: str, action: str, past: Sequence[Entry]) -> str:
    """What `who` has readied an action for, as `--when` spells it; "any" where nothing was said."""
    for entry in reversed(past):
        if entry.intent.actor == who and entry.intent.get("deed") == action:
            return str(entry.intent.get("when") or "any")
    return "any"


def _is_released(system: System, scene: Scene, intent: Intent) -> bool:
    return system.actions[intent.action].is_released(scene, intent)


def _is_about(intent: Intent, action: Intent) -> bool:
    """Whether an action is aimed at nobody, or at the one to whose action it responds."""
    return not intent.targets or action.actor in intent.targets


def _is_met(system: System, scene: Scene, action: Intent, who: str, past: Sequence[Entry]) -> bool:
    """Whether the trigger of what `who` has readied is met by an action; without positions every place is near."""
    readied = [mark.partition(":")[2] for mark in scene.fighters[who].marks if mark.startswith(f"{READIED}:")]
    if not readied:
        return True
    kind, _, value = trigger_of(who, readied[0], past).partition(":")
    if kind == "attacks":
        return slug(value) in map(slug, action.targets)
    if kind in ("reach", "range"):
        reach = system.space.reach or system.space.beside
        return _is_near(system, scene, action, who, reach if kind == "reach" else int(value), past)
    return True


def _is_near(
    system: System, scene: Scene, action: Intent, who: str, most: int, past: Sequence[Entry]
) -> bool:
    """Whether the actor is at most so far away, and stays so or has just come; always without positions."""
    here, to = scene.fighters[who].at, action.get("to")

    def near(place: Sequence[float] | None) -> bool:
        return here is None or place is None or system.space.distance(here, place) <= most

    moves = [event for entry in past for event in entry.events if event[:2] == (action.actor, "at")]
    has_come = bool(moves) and not near(moves[-1].was)
    return near(scene.fighters[action.actor].at) and (near(to) or has_come)


def _answers(system: System, scene: Scene, action: Intent, who: str) -> Iterator[Response]:
    """The actions that `who` may do in the middle of an action, those with dice first; and what buys one."""
    reactions = system.reactions
    assert reactions is not None
    for name, row in sorted(system.actions.items(), key=lambda one: one[0] not in reactions.rolls):
        targets = (action.actor,) if row.targets == "one" else (who,) if row.targets == "patient" else ()
        response = Response(Intent(name, who, targets), True)
        quiet = name not in reactions.rolls
        if row.window != "turn" or (quiet and not _changes_something(system, scene, response.intent)):
            continue
        if is_allowed(system, scene, answered(action, response)):
            yield response
    if reactions.left(scene, scene.fighters[who]) < reactions.price:
        for one in of(system, scene, who, lambda intent: system.actions[intent.action].whole_rule is nothing):
            if (
                one.window != "turn"
                and reactions.left(scene, after(system, scene, one.intent).fighters[who]) >= reactions.price
            ):
                yield Response(one.intent, False)


def _changes_something(system: System, scene: Scene, intent: Intent) -> bool:
    """Whether an action without dice, done with nothing but its targets, would change anything but what it costs."""
    row, changes = system.actions[intent.action], Changes(scene, declared=system)
    if row.whole_rule is not nothing or "to" in row.options:
        return False
    try:
        row.effects(changes, intent, set_up(row, scene, intent), None)
    except CrisisError:
        return False
    fighter = scene.fighters[intent.actor]
    return bool(changes.events) or any(fighter.has(name) != bool(level) for name, level in row.sets.items())


def after(system: System, scene: Scene, intent: Intent) -> Scene:
    """The scene after an action without dice."""
    prepared = prepare(system, scene, intent)
    events = prepared.payment.events + prepared.effects(system, scene, intent, None)
    return aftermath(system, scene, events)[1]
