"""The plans worth weighing of a fighter, the best first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress

from .. import progress
from ..evaluation import BudgetExceeded
from .attack import BETTER_CLOSER, AttackPlan, AwaitPlan, ClosePlan, attack_plans, is_better_there, wait
from .first_action import arrives
from .goals import GoalPlan, goal_plans
from .move import guard_plans, shelter_plans
from .plan import Plan, weighed_late
from .planner import Planner
from .prepare import prepared
from .treat import TreatPlan, treated

REFINED = {"action": 1, "turn": 1, "fight": 3}
"""Plans that are tried with a posture, with care taken, with something kept for reactions, or with a wound treated."""


def proposals(planner: Planner) -> list[Plan]:
    """The plans of a fighter: one whose moves take longer than its distance says comes where it belongs."""
    plans = _weighed_plans(planner)
    while not arrives(planner, plans[0]):
        plans = _best_first([weighed_late(planner, plans[0]), *plans[1:]])
    return plans


def _best_first(plans: Sequence[Plan]) -> list[Plan]:
    return sorted(plans, key=lambda plan: -plan.worth)


def _weighed_plans(planner: Planner) -> list[Plan]:
    """The plans, the best of them also refined; without those that lead a fight nowhere."""
    plans = _keeping_away(planner, list(_simple_plans(planner)))
    if planner.stalled:
        closer = _closing_in(planner, plans)
        plans = [*closer, *(plan for plan in plans if isinstance(plan, GoalPlan))] if closer else plans
    may_treat_itself = not (planner.has_treated_enough and any(plan.attack for plan in plans))
    if not may_treat_itself:
        # Nor does it wait, where it would wait for nothing but to treat itself again.
        plans = [plan for plan in plans if plan.attack or isinstance(plan, GoalPlan)]
    can_strike = any(plan.attack and plan.strikes_now for plan in plans)
    plans = _best_first(plans)
    if not planner.is_simple or isinstance(plans[0], ClosePlan):
        first_of_each = {repr((type(plan), plan.steps[:1], plan.target)): plan for plan in reversed(plans)}
        refined = list(first_of_each.values())[::-1][: REFINED[planner.doctrine.ahead]]
        with suppress(BudgetExceeded):
            for plan in refined:
                if not plan.numbers.ending:
                    plans += treated(planner, plan, may_treat_itself)
                    plans += prepared(planner, plan, can_strike)
    return _best_first([plan for plan in plans if _is_steady(planner, plan)] or plans)


def _simple_plans(planner: Planner) -> Iterator[Plan]:
    """The plans before they are refined, as far as odds are known."""
    targets = planner.targets()
    yield from attack_plans(planner, targets)
    if targets and planner.fighter.at is not None and planner.ways:
        for plans in (guard_plans, shelter_plans, goal_plans):
            with suppress(BudgetExceeded):
                yield from plans(planner, planner.fighter.at, targets)
    yield wait(planner, targets)


def _keeping_away(planner: Planner, plans: list[Plan]) -> list[Plan]:
    """The plans; for a doctrine that fights from afar those that lead beside a foe only where no other attacks, or
    the fight gets nowhere."""

    def comes_near(plan: Plan) -> bool:
        goal, gap, near = plan.numbers.goal, plan.numbers.distance, planner.space.beside
        return goal is not None and gap is not None and goal <= near < gap

    if planner.doctrine.range != "far" or planner.stalled:
        return plans
    away = [plan for plan in plans if not comes_near(plan)]
    return away if any(plan.attack and not isinstance(plan, AwaitPlan) for plan in away) else plans


def _closing_in(planner: Planner, plans: Sequence[Plan]) -> Sequence[Plan]:
    """The plans that come closer for a better attack."""
    closer = [plan for plan in plans if isinstance(plan, ClosePlan) and is_better_there(planner, plan)]
    if planner.scene.field is None:
        return closer
    # One who has come all the way round does not run after another foe past one in reach.
    rates = (plan.attack.rate for plan in plans if isinstance(plan, AttackPlan) and plan.attack)
    most = BETTER_CLOSER * max(rates, default=0.0)
    return [plan for plan in closer if plan.attack is None or plan.attack.rate > most]


def _is_steady(planner: Planner, plan: Plan) -> bool:
    """Whether a plan does not begin with drawing, for later, what was stowed unused before."""
    if not plan.steps or (plan.strikes_now and not isinstance(plan, TreatPlan)):
        return True
    thing = plan.steps[0].intent.get("thing")
    return thing not in progress.put_away_unused(planner.past, planner.who)
