"""What automatic fighters make ready for the turns of others, and what they do when these act."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ..engine.legal_actions import of
from ..engine.record import Entry
from ..engine.responses import responses
from ..engine.scene import Fighter, Intent, Scene
from ..engine.sides import decided
from ..engine.system import nothing
from . import movement
from .arms import beside, harm
from .evaluation import BudgetExceeded, Evaluator
from .progress import watches

if TYPE_CHECKING:
    from ..engine.legal_actions import LegalAction
    from ..engine.system import System


def watch(system: System, scene: Scene, who: str, candidates: Sequence[LegalAction]) -> Intent | None:
    """The action of a fighter that has nothing to attack which lets it attack in the turns of others; None if there is
    none."""
    foes = [foe.name for foe in scene.foes(who)]
    attacks = [
        Intent(action, who, tuple(foes[:1])) for action in system.actions if _is_attack(system, action)
    ]
    if not foes or _is_watching(system, scene, attacks):
        return None
    for one in candidates:
        row = system.actions[one.intent.action]
        if row.targets != "none" or row.whole_rule is not nothing or "to" in row.options:
            continue
        after = movement.scene_after(system, scene, one.intent)
        if after is None or not _is_watching(system, after, attacks):
            continue
        if any(_could_attack(system, after, who, foe) for foe in foes):
            return one.intent
    return None


def _is_attack(system: System, action: str) -> bool:
    row = system.actions[action]
    return row.targets in ("one", "many") and row.ai.considered and row.whole_rule is not nothing


def _is_watching(system: System, scene: Scene, attacks: Sequence[Intent]) -> bool:
    """Whether a fighter may attack in the turns of others."""
    return any(system.actions[one.action].is_released(scene, one) for one in attacks)


def _could_attack(system: System, scene: Scene, who: str, foe: str) -> bool:
    """Whether a fighter could attack a foe in the foe's turn with what is left, from here or from beside the foe."""
    turn = scene._replace(turn=foe, group=())
    return any(
        foe in one.intent.targets
        for there in (turn, beside(system, turn, foe, who, system.space.beside))
        for one in of(system, there, who, None, lambda row: row.targets in ("one", "many"))
        if _is_attack(system, one.intent.action)
    )


def respond(evaluator: Evaluator, scene: Scene, action: Intent, past: Sequence[Entry]) -> Intent | None:
    """What an automatic fighter does before a foe's action takes effect; None if nobody does anything.

    It attacks where the foe attacks, or where the foe ends its turn or leaves: until then the foe may come nearer. Once
    the fight is decided nobody does anything.
    """
    system = evaluator.system
    if action.actor not in scene.fighters or not _is_due(scene, action) or decided(system, scene):
        return None
    for one in _watchers(scene, action.actor, past):
        evaluator.start_decision(scene)
        found: list[tuple[float, int, Intent]] = []
        for response in responses(system, scene, action, one.name, past):
            if response.inside or action.actor not in response.intent.targets:
                continue
            try:
                value = evaluator.action_value(scene, response.intent)
            except BudgetExceeded:
                break
            if value is not None and harm(value) > 0:
                found.append((harm(value), -len(found), response.intent))
        if found:
            return max(found)[2]
    return None


def _is_due(scene: Scene, action: Intent) -> bool:
    """Whether those who watch attack now, and wait for nothing better."""
    side = scene.fighters[action.actor].side
    hostile = any(name in scene.fighters and scene.fighters[name].side != side for name in action.targets)
    return hostile or action.action in ("next", "leave")


def _watchers(scene: Scene, actor: str, past: Sequence[Entry]) -> Iterator[Fighter]:
    """The automatic foes of a fighter that have made ready by their own decision, not by a command."""
    return (one for one in scene.foes(actor) if not one.player and one.marks and watches(past, one.name))
