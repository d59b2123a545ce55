"""The causes of decisions that a sentence states, each compared again by the exact odds before it is said."""

from __future__ import annotations

from ...engine.scene import Scene
from ..arms import attack_on, beside
from ..evaluation import BudgetExceeded
from .plan import Plan
from .planner import Planner
from .threats import threats_in

BUDGET = 16
"""Distributions asked for to compare what a sentence says; without an answer it is not said."""
MARGIN = 1e-9
"""Chances that differ by less count as equal."""


def limit_odds(planner: Planner) -> None:
    """Let a cause ask for its few distributions, whatever the decision has asked for."""
    planner.evaluator.reset_budget(BUDGET)


def key_of_change(planner: Planner, plan: Plan, after: Scene | None, keys: tuple[str, str, str]) -> str:
    """Of the keys for a fighter that is harder to hit, that attacks better and for neither, the one that is true in the
    scene after a change."""
    limit_odds(planner)
    safer, better, neither = keys
    if after is None:
        return neither
    if plan.eased > 0 and _is_harder_to_hit(planner, after):
        return safer
    return better if _attacks_better(planner, plan, after) else neither


def _is_harder_to_hit(planner: Planner, after: Scene) -> bool:
    """Whether no foe hits the fighter better after a change, with what it holds from where it is, or beside the fighter
    where it cannot from there, or as the plan expects it to attack; and at least one worse."""
    ways = {(threat.name, threat.held, threat.closes) for threat in threats_in(planner, planner.spent)}
    try:
        for foe in planner.foes:
            reaches = _chance_against(planner, planner.scene, foe.name, foe.held, False) > 0
            ways.add((foe.name, foe.held, not reaches))
        chances = [
            [_chance_against(planner, scene, *way) for scene in (planner.scene, after)]
            for way in sorted(ways)
        ]
    except BudgetExceeded:
        return False
    is_never_easier = all(then <= before + MARGIN for before, then in chances)
    return is_never_easier and any(then < before - MARGIN for before, then in chances)


def _chance_against(planner: Planner, scene: Scene, foe: str, held: tuple[str, ...], near: bool) -> float:
    """The chance of a foe's best attack on the fighter with what it would hold, from where it is or beside it; 0 if it
    has none."""
    there = scene.with_fighter(scene.fighters[foe]._replace(held=held))
    gap = planner.distance(there, foe)
    if near and gap is not None and gap > planner.space.beside:
        there = beside(planner.system, there, foe, planner.who, planner.space.beside)
    attack = attack_on(planner.evaluator, there, foe, planner.who)
    return attack.value.chance if attack else 0.0


def _attacks_better(planner: Planner, plan: Plan, after: Scene) -> bool:
    """Whether a plan strikes in this turn, and its attack hits better from the same place after a change."""
    if plan.attack is None or not plan.strikes_now or (plan.late is not None and plan.place is None):
        # A late step is done after the attacks of this turn.
        return False
    chances, goal = [], plan.numbers.goal
    for scene in (planner.scene, after):
        gap = planner.distance(scene, plan.target)
        is_far = goal is not None and gap is not None and goal < gap
        there = planner.scene_at(scene, plan.target, goal) if goal is not None and is_far else scene
        attack = planner.known_attack(there, plan.target, False)
        chances.append(attack.value.chance if attack else 0.0)
    return chances[1] > chances[0] + MARGIN
