"""A plan of a fighter, and what it is worth: the harm done less the harm suffered, and where it leads."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from ...engine.legal_actions import LegalAction
from ...engine.scene import Intent, Scene
from ...values import NamedTuple
from .. import goals, movement, progress, resources
from ..arms import LIFE, Preparation, RepeatedAttack, beside
from ..forecast import PATIENCE, Body, MoveMode, PlanNumbers, PlanOutlook, course
from .planner import MAX_THREATS, Planner
from .threats import easing, threats_against

WAIT = "wait"
"""The words of a plan that does nothing."""
LONGEST = 8
"""Turns looked ahead if nobody can be hurt sooner."""
PATIENT_ROUNDS, IMPATIENCE, LEAST_CAUTION = 4, 0.1, 0.3
"""After so many rounds caution counts less with each round, by so much, but never less than that."""
STRAY_COST, PROTECT_DISTANCE = 0.05, 3
"""The cost of each metre away from the protected fighter, beyond so many."""
SWITCH_COST = POSTURE_COST = 0.05
"""What it costs to take another weapon in hand or to change posture, beside what that takes: nobody does so for next to
nothing."""
OF_USE = 0.05
"""The least harm of a full turn for which a fighter that does not look ahead keeps what it has in hand, and for which
others attack while they fall back."""
Cause = tuple[str, Mapping[str, Any]]
"""The key of the reason for an action, and its numbers."""
Decided = tuple[Intent, str, Mapping[str, Any]]
"""An action as it is done, the key of the reason for it, and the numbers of the reason."""


def percent(share: float) -> int:
    """A share in percent."""
    return round(100 * share)


class PlanParts(NamedTuple):
    """What a plan consists of, in the order in which it is done, and what is expected of it."""

    numbers: PlanNumbers
    target: str = ""
    attack: RepeatedAttack | None = None
    """The attack that the plan leads to."""
    steps: tuple[LegalAction, ...] = ()
    late: LegalAction | None = None
    """What is done after the attacks of this turn."""
    place: movement.Place | None = None
    """Where it goes first."""
    course: PlanOutlook = PlanOutlook(0.0, 0.0, 0.0, ())
    worth: float = 0.0
    eased: float = 0.0
    """How much less foes do to it with each attack in the posture of the plan."""


class Plan(PlanParts):
    """A plan of a fighter; each kind of plan is a class, which knows what it costs and why it goes somewhere or ends
    the turn."""

    is_idle = False
    """Whether the plan holds back on purpose."""
    is_hopeless_without_harm = False
    """Whether the plan leads nowhere if no harm is expected of it."""
    extra_cost = 0.0
    """What the plan costs beside the time and points that it takes."""
    lets_come = False
    """Whether the plan attacks from where the fighter is, and lets foes come."""
    ends_with_fight = True
    """Whether the plan is in vain if the fight is over before its attack."""

    @property
    def is_far(self) -> bool:
        """Whether the plan still has to come closer to the target."""
        goal, gap = self.numbers.goal, self.numbers.distance
        return goal is not None and gap is not None and gap > goal

    @property
    def strikes_now(self) -> bool:
        """Whether the plan attacks in this turn."""
        return any(self.course.strikes[:1])

    def is_too_late(self, planner: Planner) -> bool:
        """Whether the plan comes to its attack only once the fight is over."""
        is_cut = self.ends_with_fight and planner.left < LONGEST
        return is_cut and self.attack is not None and not any(self.course.strikes)

    def cause_of_going(self, planner: Planner) -> Cause:
        """Why the fighter goes to the place of the plan."""
        raise NotImplementedError

    def cause_of_ending(self, planner: Planner) -> str:
        """The key of the reason why the fighter does nothing more this turn."""
        if any(self.course.strikes):
            return "spent"
        if not any(planner.legal()):
            return "spent" if progress.has_acted(planner.past, planner.who) else "nothing"
        return "later"

    def words(self, planner: Planner) -> str:
        """The plan in a few words: `draw maul, close in, attack Ada with maul`."""
        numbers, space, parts = self.numbers, planner.space, []
        for step in self.steps:
            intent = step.intent
            thing = intent.get("thing") or intent.get("item") or intent.target
            parts.append(f"{intent.action} {thing}".strip().replace("-", " ", 1) if thing else intent.action)
        if self.place is not None:
            parts.append(f"go to {self.place_in_words(planner)}")
        if self.is_far:
            is_near = numbers.goal is not None and numbers.goal <= space.beside
            parts.append("close in" if is_near else f"come to {numbers.goal} {space.unit}")
        comes = self._counts_on_coming(space.beside)
        is_in_vain = comes and numbers.strikes.get(numbers.distance or 0) is None
        if is_in_vain:
            parts.append("let them come")
        if self.attack is not None and (planner.left >= LONGEST or any(self.course.strikes)):
            weapon = self.attack.intent.get("weapon")
            when = "later " if parts and self._strikes_later else ""
            parts.append(f"{when}attack {self.target}{f' with {weapon}' if weapon else ''}")
        if self.lets_come and comes and not is_in_vain:
            parts.append("let them come")
        if self.late is not None:
            parts.append(f"then {self.late.intent.action}")
        if numbers.falls_back:
            parts.append("fall back")
        if numbers.reserve:
            parts.append("keep something to react with")
        return ", ".join(parts) or WAIT

    def place_in_words(self, planner: Planner) -> str:
        """Where the plan goes first."""
        assert self.place is not None
        return f"{self.place[0]:g},{self.place[1]:g}"

    @property
    def _strikes_later(self) -> bool:
        """Whether the plan does not strike in this turn: no time is left, or the target is out of reach from there."""
        numbers = self.numbers
        is_out_of_reach = numbers.goal is None and numbers.strikes.get(numbers.distance or 0) is None
        is_far = numbers.distance is not None and len(numbers.strikes) > 1 and is_out_of_reach
        return not self.strikes_now or is_far

    def _counts_on_coming(self, near: int) -> bool:
        """Whether a plan that stays where it is attacks to some purpose only once the foe has come near."""
        numbers = self.numbers
        here, there = numbers.strikes.get(numbers.distance or 0), numbers.strikes.get(near)
        if (numbers.distance or 0) <= near or numbers.goal is not None or numbers.falls_back:
            return False
        return there is not None and (here is None or here.worth < OF_USE <= there.worth)


class FirstAction(NamedTuple):
    """What a plan does first."""

    intent: Intent
    explain: Callable[[Planner, Plan, Intent], Decided]
    """Gives the action with its last options, and the reason for it."""


PlanKind = TypeVar("PlanKind", bound=Plan)


def weighed(
    planner: Planner,
    plan: PlanKind,
    posture: Scene | None = None,
    ways: Sequence[MoveMode] | None = None,
    stands: Scene | None = None,
    far: bool = False,
    risen: Preparation | None = None,
) -> PlanKind:
    """A plan with what is expected of it; the fighter `stands` as in that scene when foes have their turns, and takes
    the `posture` of the other; with `far` the plan is weighed as plans are that lead to no strike within the horizon;
    the fighter goes to the place of the plan once it has `risen`."""
    fighter, numbers, weigh = planner.fighter, plan.numbers, planner.doctrine.weigh
    body = Body(
        planner.purse,
        planner.ways if ways is None else ways,
        LIFE,
        {pool: left for pool, left in fighter.pools.items() if planner.system.is_of_thing(pool)},
        len(planner.friends),
        plan.attack is not None and any(fighter.marks.get(mark) for mark, _ in plan.attack.value.marks),
    )
    threats = threats_against(planner, plan.target, stands or planner.spent, posture)
    done = weigh.done * planner.urgency(plan.target) if planner.goals else weigh.done
    haste = IMPATIENCE * max(0, planner.scene.round - PATIENT_ROUNDS)
    caution = 0.0 if planner.stalled else weigh.suffered * max(LEAST_CAUTION, 1 - haste)
    scale = max(1.0, len(planner.foes) / MAX_THREATS) if threats else 1.0
    near = planner.space.beside
    outlook = course(body, numbers, threats, planner.turns, near, done, caution * scale)
    if numbers.strikes and (far or not outlook.done):
        # Too far for any strike within the horizon: look on until there is one, the sooner the better.
        outlook = course(body, numbers, (), int(min(LONGEST, planner.left)), near, done, 0.0)
        first = next((turn for turn, times in enumerate(outlook.strikes) if times), LONGEST)
        outlook = outlook._replace(worth=outlook.worth / LONGEST * PATIENCE**first)
    worth = outlook.worth - _stray_cost(planner, plan) - _switch_cost(planner, plan)
    worth -= 0.0 if far else plan.extra_cost
    worth += _goal_worth(planner, plan, risen) if planner.goals else 0.0
    safer = 0.0 if posture is None else sum(map(easing, threats))
    return plan._replace(course=outlook, worth=worth, eased=safer)


def weighed_late(planner: Planner, plan: PlanKind) -> PlanKind:
    """A plan that comes closer, weighed as if it were so far away that it attacks only in a later turn."""
    while plan.strikes_now:
        numbers = plan.numbers._replace(distance=(plan.numbers.distance or 0) + 1)
        plan = weighed(planner, plan._replace(numbers=numbers))
    return plan


def _switch_cost(planner: Planner, plan: Plan) -> float:
    """The cost of beginning with another weapon than the one in hand."""
    held = planner.fighter.held
    things = {step.intent.get("thing") for step in plan.steps} - {None, *held}
    return SWITCH_COST if held and things else 0.0


def _stray_cost(planner: Planner, plan: Plan) -> float:
    """The cost for a guard of being away from the fighter under its protection."""
    if planner.ward is None or planner.ward.at is None or planner.fighter.at is None:
        return 0.0
    there = _end_of(planner, plan)
    apart = planner.space.distance(there, planner.ward.at) * planner.space.metres
    return STRAY_COST * max(0.0, apart - PROTECT_DISTANCE)


def _end_of(planner: Planner, plan: Plan) -> movement.Place:
    """Where the fighter is after a plan."""
    there, goal = plan.place or planner.fighter.at, plan.numbers.goal
    assert there is not None
    if goal is None or not plan.target:
        return there
    end = beside(planner.system, planner.scene, planner.who, plan.target, goal)
    return end.fighters[planner.who].at or there


def _goal_worth(planner: Planner, plan: Plan, risen: Preparation | None) -> float:
    """The worth of where a plan leads and how soon, for winning by a place and for holding one, beside that of
    staying."""
    here, field = planner.fighter.at, planner.scene.field
    if here is None or field is None:
        return 0.0
    there = _end_of(planner, plan)
    there = there if field.way(here, there) is not None else here
    return _worth_at(planner, here, there, risen) - _worth_at(planner, here, here)


def _worth_at(
    planner: Planner, here: movement.Place, there: movement.Place, risen: Preparation | None = None
) -> float:
    """The worth of going from one place to another, for winning and for holding, perhaps once the fighter has risen."""
    worth, scene = 0.0, risen.after if risen else planner.scene
    gone = _turns_to(planner, scene, here, (there,))
    gone += resources.turn_share(planner.system, planner.fighter, risen.action) if risen else 0.0
    for goal in planner.goals:
        left = _turns_to(planner, scene, there, goal.cells)
        # Who does something else first goes on after the turns that are looked ahead.
        turns = gone + (left + planner.turns if left else 0.0)
        if goal.side != planner.fighter.side:
            worth += goals.HOLDING * goal.soon * goals.LATER**turns
        elif planner.who in goal.turns:
            worth += goal.worth(planner.who, turns)
    return worth


def _turns_to(
    planner: Planner, scene: Scene, start: movement.Place, cells: Sequence[movement.Place]
) -> float:
    """In how many turns the fighter comes from a place to the nearest of some cells, in its posture of a scene."""
    return planner.evaluator.cached(
        ("turns-to", planner.who, start, tuple(cells)),
        scene,
        lambda: goals.turns_to(planner.evaluator, scene, planner.who, start, cells),
    )
