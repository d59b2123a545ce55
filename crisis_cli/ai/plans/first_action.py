"""The first action of a plan that can be done now."""

from __future__ import annotations

from collections.abc import Iterator

from ...engine.legal_actions import LegalAction
from ...engine.scene import Intent
from .. import movement
from .attack import reload, strike_meanwhile, strike_now
from .move import approach, go, retreat
from .plan import FirstAction, Plan
from .planner import Planner
from .prepare import changes_posture, readies
from .treat import treats

REASONS = {"posture": changes_posture, "marks": changes_posture}
"""Why a preparation is made, by what it changes; others ready something."""


def first_action(planner: Planner, plan: Plan) -> FirstAction | None:
    """The first action of a plan that can be done now; None if the turn ends."""
    return next(filter(None, _actions(planner, plan)), None)


def _actions(planner: Planner, plan: Plan) -> Iterator[FirstAction | None]:
    """What a plan begins with, and what it does where that must wait; None for what cannot be done now."""
    if plan.steps:
        yield _step(planner, plan.steps[0])
    elif plan.is_far:
        yield approach(planner, plan, plan.numbers.distance or 0)
    else:
        yield go(planner, plan.place)
        yield reload(planner, plan)
        yield strike_now(planner, plan)
    if plan.late is not None and planner.is_legal(plan.late.intent):
        yield FirstAction(plan.late.intent, changes_posture)
    if plan.numbers.falls_back:
        yield retreat(planner)
    if not plan.is_idle and not plan.numbers.reserve:
        yield strike_meanwhile(planner)


def _step(planner: Planner, step: LegalAction) -> FirstAction | None:
    """A step of a plan, if it can be taken now."""
    preparations = (known for known in planner.preparations if known.action.intent == step.intent)
    explain = next((REASONS.get(known.changes, readies) for known in preparations), treats)
    return FirstAction(step.intent, explain) if planner.is_legal(step.intent) else None


def can_begin(planner: Planner, plan: Plan) -> bool:
    """Whether what a plan begins with can be done now; asks for no odds."""
    if plan.steps:
        return planner.is_legal(plan.steps[0].intent)
    if plan.place is not None and plan.place != planner.fighter.at:
        return go(planner, plan.place) is not None
    if plan.is_far:
        return bool(planner.moves)
    if plan.attack is None or reload(planner, plan) is not None:
        return True
    return _can_attack(planner, plan.attack.intent)


def arrives(planner: Planner, plan: Plan) -> bool:
    """Whether a plan that comes closer and attacks in this very turn can do so by the moves that there are, square by
    square; true of every other plan, and of those that begin with dice."""
    goal, scene, there = plan.numbers.goal, planner.scene, planner
    if goal is None or not plan.attack or not plan.strikes_now:
        return True
    steps = [step.intent for step in plan.steps]
    while steps or (planner.distance(scene, plan.target) or 0) > goal:
        gap = planner.distance(scene, plan.target) or 0
        move = None if steps else approach(there, plan, gap)
        step = steps.pop(0) if steps else move and move.intent
        if step and there.is_legal(step) and not movement.needs_no_dice(planner.system, scene, step):
            return True
        after = step and movement.scene_after(planner.system, scene, step)
        if after is None:
            return False
        scene = after
        there = Planner(planner.evaluator, planner.doctrine, scene, planner.who, planner.past)
    return _can_attack(there, plan.attack.intent)


def _can_attack(planner: Planner, intent: Intent) -> bool:
    """Whether a target can be attacked now in the way of an intent, with whatever weapon."""
    way = intent.action, intent.target
    return any(
        (action.intent.action, action.intent.target) == way for action in planner.legal_on(intent.target)
    )
