"""Plans to go to a place through which the fighter's side wins, or through which foes would."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress

from .. import goals, movement
from ..arms import Preparation, RepeatedAttack
from ..evaluation import BudgetExceeded
from ..forecast import PlanNumbers, PlanStep
from .attack import steps_of
from .plan import Cause, Plan, weighed
from .planner import Planner, farthest


class GoalPlan(Plan):
    """Going to a place through which a side wins."""

    ends_with_fight = False
    key = ""
    """The key of the reason for going there."""

    def cause_of_going(self, planner: Planner) -> Cause:
        return self.key, {"place": self.place_in_words(planner)}

    def place_in_words(self, planner: Planner) -> str:
        assert planner.scene.field is not None and self.place is not None
        return planner.scene.field.at(self.place).place


class SeekPlan(GoalPlan):
    """Going to a place through which the fighter's side wins."""

    key = "heads-for"


class HoldPlan(GoalPlan):
    """Going to a place through which foes would win."""

    key = "holds-place"


def goal_plans(planner: Planner, here: movement.Place, targets: Sequence[str]) -> Iterator[Plan]:
    """Going to each of the places that win, as the fighter is or in a posture in which it goes farther."""
    quicker = [
        change
        for change in (planner.preparations if planner.goals else ())
        if change.changes == "posture" and farthest(planner.ways_in(change.after)) > farthest(planner.ways)
    ]
    for goal in planner.goals:
        kind: type[GoalPlan] = SeekPlan if goal.side == planner.fighter.side else HoldPlan
        if kind is SeekPlan and planner.who not in goal.turns:
            continue
        place = goals.nearest(planner.system, planner.scene, planner.who, here, goal.cells)
        if place is None or goals.is_inside(planner.scene, here, goal.cells):
            continue
        is_won = kind is SeekPlan and goal.is_won_by(planner.who)
        target, drawn, attack = (targets[0], None, None) if is_won else _best_from(planner, place, targets)
        gap = planner.distance(planner.standing_at(planner.scene, place), target)
        strikes = {gap or 0: attack.strike} if attack else {}
        ending = goals.ENDING if is_won else 0.0
        for risen in (None, *quicker):
            ways = planner.ways_in(risen.after) if risen else planner.ways
            way = PlanStep(planner.cost_of_way(place, ways))
            steps = *steps_of(planner, risen), way, *steps_of(planner, drawn)
            numbers = PlanNumbers(strikes, steps, distance=gap, ending=ending)
            plan = kind(numbers, target, attack, (risen.action,) if risen else (), place=place)
            yield weighed(planner, plan, ways=ways, risen=risen)


def _best_from(
    planner: Planner, place: movement.Place, targets: Sequence[str]
) -> tuple[str, Preparation | None, RepeatedAttack | None]:
    """The target that the fighter attacks best from a place, as far as is weighed, with what it draws for that."""
    best: tuple[str, Preparation | None, RepeatedAttack | None] = targets[0], None, None
    with suppress(BudgetExceeded):
        for drawn, scene in planner.arms:
            there = planner.standing_at(scene, place)
            for target in targets:
                attack = planner.attack(there, target)
                if attack and (best[2] is None or attack.rate > best[2].rate):
                    best = target, drawn, attack
    return best
