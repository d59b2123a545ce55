"""Plans that treat a wound of the fighter's side first."""

from __future__ import annotations

from collections.abc import Iterator

from ...engine.legal_actions import LegalAction, of
from ...engine.scene import Intent, Scene
from .. import resources
from ..arms import LIFE
from ..evaluation import OWN_SIDE_WEIGHT
from ..forecast import PlanStep
from .attack import with_best_options
from .plan import Decided, Plan, percent, weighed
from .planner import Planner

TREATMENT_COST = 0.05
"""What a treatment costs beside what it takes: nobody spends a turn on next to no chance."""
TREATABLE = 0.12
"""A fighter that has lost less than that is not treated."""


class TreatPlan(Plan):
    """A plan with a wound treated first."""


def treated(planner: Planner, base: Plan, may_treat_itself: bool) -> Iterator[Plan]:
    """A plan with each treatment that is worth something done first."""
    if not planner.doctrine.weigh.healed:
        return
    hurt = {
        friend.name
        for friend in planner.scene.of_side(planner.fighter.side)
        if planner.evaluator.vitality.lost_share(friend) >= TREATABLE
    }
    hurt -= set() if may_treat_itself else {planner.who}
    for treatment in planner.legal(lambda intent: intent.target in hurt) if hurt else ():
        if step := _step(planner, planner.scene, treatment):
            yield _with_steps(planner, base, (step,), (treatment,))
    if planner.who in hurt:
        yield from _with_remedy(planner, base)


def _with_remedy(planner: Planner, base: Plan) -> Iterator[Plan]:
    """A plan with something that heals it taken in hand first, and what it held taken in hand again."""
    who, system = planner.who, planner.system
    for drawn in planner.preparations:
        thing = drawn.action.intent.get("thing")
        if drawn.changes != "hands" or thing not in planner.fighter.sheet.get("items", ()):
            continue

        def takes(intent: Intent, thing: str = thing) -> bool:
            return intent.patient == who and thing in (intent.get("item"), intent.get("thing"))

        ready = resources.with_full_turn(system, drawn.after, who)
        draw = PlanStep(planner.costs(drawn.action))
        again = (draw,) if set(planner.fighter.held) - set(drawn.after.fighters[who].held) else ()
        for treatment in of(system, ready, who, takes):
            if step := _step(planner, ready, treatment):
                yield _with_steps(planner, base, (draw, step, *again), (drawn.action, treatment))


def _with_steps(
    planner: Planner, base: Plan, steps: tuple[PlanStep, ...], actions: tuple[LegalAction, ...]
) -> Plan:
    """A plan with some steps before its own."""
    numbers = base.numbers._replace(steps=(*steps, *base.numbers.steps))
    return weighed(planner, TreatPlan._make(base)._replace(numbers=numbers, steps=(*actions, *base.steps)))


def _step(planner: Planner, scene: Scene, treatment: LegalAction) -> PlanStep | None:
    """A treatment as a step of a forecast, worth what the doctrine takes it for less what it uses up; None if it
    is worth nothing. Only a doctrine that plans far enough sees life taken again that the fighter gives itself."""
    value = planner.evaluator.action_value(scene, treatment.intent)
    if value is None or value.restored <= 0:
        return None
    weigh, patient = planner.doctrine.weigh, treatment.intent.patient
    importance = 2.0 if planner.ward and planner.ward.name == patient else 1.0
    gain = LIFE * weigh.healed * value.restored * importance
    gain -= OWN_SIDE_WEIGHT * value.own + TREATMENT_COST
    gain -= weigh.spent / 10 * resources.consumed_share(planner.system, planner.fighter, treatment)
    sees_ahead = planner.doctrine.ahead == "fight" and patient == planner.who
    life = LIFE * value.restored if sees_ahead else 0.0
    return PlanStep(planner.costs(treatment), gain, life) if gain > 0 else None


def treats(planner: Planner, plan: Plan, intent: Intent) -> Decided:
    """A treatment with its best options."""
    intent, value = with_best_options(planner, intent)
    return intent, "treats", {"chance": percent(value.chance), "gain": percent(value.given)}
