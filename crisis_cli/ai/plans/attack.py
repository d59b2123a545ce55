"""Plans to attack: from where the fighter is, from nearer, while it falls back, or once foes have come; and to wait."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from ...engine.legal_actions import LegalAction, upgrades
from ...engine.scene import Intent, Scene
from ...engine.validate import prepare
from .. import progress, resources
from ..arms import LIFE, Preparation, RepeatedAttack, harm
from ..evaluation import ActionValue, BudgetExceeded
from ..forecast import PlannedStrike, PlanNumbers, PlanStep
from .causes import limit_odds
from .plan import OF_USE, Decided, FirstAction, Plan, percent, weighed
from .planner import Planner
from .threats import threats_in

APPROACH_WORTH = 0.1
"""What coming beside a foe is worth that cannot be attacked from afar."""
IDLE_MOVE_COST = 0.05
"""What it costs to come closer for an attack that is worth no more there."""
BETTER_CLOSER = 1.1
"""How much more an attack must be worth elsewhere for a fighter that gets nowhere to go there."""
MAX_AWAITED = 1
"""Turns running in which a fighter lets foes come that stay where they are."""
BOLD, RETREAT_ROUNDS = 0.2, 8
"""The weight of harm suffered up to which nobody falls back, and the last round in which anybody does."""
LEAST_HARM = 0.02
"""The harm that an attack must do to be made while a plan has to wait."""
OPTIONS_BUDGET = 8
"""Distributions asked for to choose among the options of an attack."""


class AttackPlan(Plan):
    """Attacking from where the fighter is."""

    is_hopeless_without_harm = True
    lets_come = True


class FallBackPlan(Plan):
    """Attacking, and moving away with what is left of each turn."""

    is_hopeless_without_harm = True


class ClosePlan(Plan):
    """Coming closer to attack from there."""


class AwaitPlan(Plan):
    """Letting a foe come into reach, and attacking then."""

    is_idle = True

    def cause_of_ending(self, planner: Planner) -> str:
        return "awaits"


class WaitPlan(Plan):
    """Doing nothing."""

    is_idle = is_hopeless_without_harm = True

    def cause_of_ending(self, planner: Planner) -> str:
        key = super().cause_of_ending(planner)
        return "nothing-better" if key == "later" else key


def wait(planner: Planner, targets: Sequence[str]) -> WaitPlan:
    """Doing nothing, weighed against the first of some targets."""
    gap = planner.distance(planner.scene, targets[0]) if targets else None
    return weighed(planner, WaitPlan(PlanNumbers({}, distance=gap), targets[0] if targets else ""))


def attack_plans(planner: Planner, targets: Sequence[str]) -> Iterator[Plan]:
    """A plan for each weapon, each target and each distance; the weapon in hand first."""
    attacks = useful = False
    for drawn, scene in planner.arms:
        for plan in _against(planner, targets, drawn, scene):
            attacks = True
            useful = useful or (plan.attack is not None and plan.attack.rate >= OF_USE)
            yield plan
        if useful and planner.doctrine.ahead == "action":
            # A fighter who does not look ahead keeps the weapon in hand as long as it is of use.
            return
    if not attacks:
        # No attack as it stands: perhaps in another posture.
        for preparation in planner.preparations:
            if preparation.changes == "posture":
                yield from _against(planner, targets, preparation, planner.now(preparation.after))
        yield from _approaches(planner, targets)


def _against(
    planner: Planner, targets: Sequence[str], preparation: Preparation | None, scene: Scene
) -> Iterator[Plan]:
    """The plans to attack each target from a scene, which a preparation may lead to, as far as odds are known."""
    with suppress(BudgetExceeded):
        for target in targets:
            yield from _on_target(planner, preparation, scene, target)


def _on_target(
    planner: Planner, preparation: Preparation | None, scene: Scene, target: str
) -> Iterator[Plan]:
    attacks = planner.attacks_by_distance(scene, target)
    gap, near = planner.distance(scene, target), planner.space.beside
    strikes = {at: attack.strike for at, attack in attacks.items() if attack}
    drawn = set(scene.fighters[planner.who].held) - set(planner.fighter.held)
    used = {attack.intent.get(key) for attack in attacks.values() if attack for key in ("weapon", "item")}
    if not strikes or (drawn and used and not drawn & used):
        # With no attack, or where what it would draw is not what it would attack with.
        return
    steps = steps_of(planner, preparation)
    actions = (preparation.action,) if preparation else ()
    here = gap or 0
    ends = [at for at in strikes if at <= here] if planner.ways and gap is not None else [here]
    falls_back = gap is not None and gap in strikes and _may_fall_back(planner, attacks[gap], gap)
    if planner.doctrine.range == "melee" and planner.ways and gap is not None and min(strikes) in ends:
        ends = [min(strikes)]
    if gap is not None and gap not in strikes and near in strikes and _will_come(planner, target):
        # A fighter who comes into reach lets the other strike first.
        waiting: dict[int, PlannedStrike | None] = {gap: None, near + 1: None, near: strikes[near]}
        numbers = PlanNumbers(waiting, steps, distance=gap)
        yield weighed(planner, AwaitPlan(numbers, target, attacks[near], actions))
    for at, away in [*((at, False) for at in ends), *([(here, True)] if falls_back else [])]:
        if at not in strikes:
            continue
        if gap is not None and at == gap > near and near in strikes:
            best = _best_beside(planner, target) or strikes[near]
            strikes = {**strikes, near: max(strikes[near], best, key=lambda strike: strike.worth)}
        known = {key: strike for key, strike in strikes.items() if at == gap or key <= at}
        goal = None if at == here else at
        numbers = PlanNumbers(known, steps, distance=gap, goal=goal, falls_back=away)
        kind: type[Plan] = FallBackPlan if away else AttackPlan if goal is None else ClosePlan
        plan = weighed(planner, kind(numbers, target, attacks[at], actions))
        is_idle = goal is not None and not is_better_there(planner, plan)
        yield plan._replace(worth=plan.worth - IDLE_MOVE_COST * is_idle)


def _approaches(planner: Planner, targets: Sequence[str]) -> Iterator[Plan]:
    """Coming beside a foe that cannot be attacked from anywhere now: its cover may not help it there."""
    gap, near = planner.distance(planner.scene, targets[0]) if targets else None, planner.space.beside
    if gap is None or gap <= near or not planner.ways or planner.doctrine.range == "far":
        return
    if planner.is_way(planner.scene, planner.who, targets[0]):
        plan = weighed(planner, ClosePlan(PlanNumbers({}, distance=gap, goal=near), targets[0]))
        yield plan._replace(worth=plan.worth + APPROACH_WORTH)


def steps_of(planner: Planner, preparation: Preparation | None) -> tuple[PlanStep, ...]:
    """A preparation as the first step of a forecast; nothing for none."""
    return (PlanStep(planner.costs(preparation.action)),) if preparation else ()


def is_better_there(planner: Planner, plan: Plan) -> bool:
    """Whether attacks are worth clearly more where a plan goes than from here with what is in hand."""
    here, there = planner.known_attack(planner.scene, plan.target), plan.attack
    return here is None or there is None or there.rate > BETTER_CLOSER * here.rate


def _best_beside(planner: Planner, target: str) -> PlannedStrike | None:
    """The best attack hand to hand with anything the fighter carries: what it would draw when a foe has come."""
    strikes = []
    if planner.doctrine.ahead != "action":
        with suppress(BudgetExceeded):
            for _, scene in planner.arms:
                attack = planner.attacks_by_distance(scene, target).get(planner.space.beside)
                strikes += [attack.strike] if attack else []
    return max(strikes, key=lambda strike: strike.worth, default=None)


def _will_come(planner: Planner, target: str) -> bool:
    """Whether a foe is expected to come, for a doctrine that plans that far."""
    if planner.doctrine.ahead != "fight" or planner.stalled:
        return False
    if progress.awaited_turns(planner.past, planner.who) >= MAX_AWAITED:
        return False
    threats = threats_in(planner, planner.spent)
    return any(threat.name == target and threat.closes and threat.strikes for threat in threats)


def _may_fall_back(planner: Planner, attack: RepeatedAttack | None, gap: int) -> bool:
    """Whether the fighter moves away from foes that it attacks from so far: its doctrine ever does, it has not done so
    for long enough, its attack is of use from there, and foes do less to it from farther away."""
    kind, is_beside = planner.doctrine.range, gap <= planner.space.beside
    if not planner.ways or kind == "melee" or planner.doctrine.weigh.suffered <= BOLD:
        return False
    if is_beside or kind == "far":
        return not is_beside
    if planner.scene.round > RETREAT_ROUNDS or attack is None or attack.rate < OF_USE:
        # Where its own attacks hardly hit it would only have to come back.
        return False
    threats = threats_in(planner, planner.spent)
    return any(threat.closes or not any(threat.strikes.get(gap, (None,))) for threat in threats)


# First actions


def strike_now(planner: Planner, plan: Plan) -> FirstAction | None:
    """The best attack on the target that can be paid now, what the plan keeps left aside."""
    if plan.attack is None:
        return None
    best, most = None, 0.0
    pools, side = planner.fighter.pools, planner.fighter.side
    for action in planner.legal_on(plan.target):
        intent = action.intent
        if planner.who in intent.targets or planner.scene.fighters[intent.target].side == side:
            continue
        costs = planner.costs(action)
        reserve = plan.numbers.reserve.items()
        if any(pools.get(pool, 0) - costs.get(pool, 0) < amount for pool, amount in reserve):
            continue
        if intent == plan.attack.intent:
            return FirstAction(intent, attacks)
        try:
            value = planner.evaluator.action_value(planner.scene, intent)
        except BudgetExceeded:
            continue
        if value and harm(value) > most:
            best, most = FirstAction(intent, attacks), harm(value)
    return best


def strike_meanwhile(planner: Planner) -> FirstAction | None:
    """The best attack with what would be lost at the end of the turn, where what a plan begins with must wait."""
    best, most, renewed = None, LEAST_HARM, planner.purse.renewed
    if not any(planner.fighter.pools.get(pool) for pool in renewed):
        return None
    foes = {foe.name for foe in planner.foes}
    with suppress(BudgetExceeded):
        for action in planner.legal(lambda intent: bool(intent.targets) and foes.issuperset(intent.targets)):
            costs = planner.costs(action)
            if not costs or not renewed.issuperset(costs):
                continue
            value = planner.evaluator.action_value(planner.scene, action.intent)
            if value is not None and not value.drops and harm(value) > most:
                best, most = FirstAction(action.intent, attacks), harm(value)
    return best


def reload(planner: Planner, plan: Plan) -> FirstAction | None:
    """Filling the weapon of the plan, if it is empty."""
    ammo = plan.attack.strike.ammo if plan.attack else ""
    if plan.attack is None or not ammo or planner.fighter.pools.get(ammo, 0) >= plan.attack.strike.uses:
        return None
    kind, _, thing = ammo.partition(":")
    way = planner.system.pools[kind].refill, thing
    intents = (action.intent for action in planner.legal_on(""))
    return next(
        (FirstAction(intent, reloads) for intent in intents if (intent.action, intent.get("thing")) == way),
        None,
    )


# Causes


def attacks(planner: Planner, plan: Plan, intent: Intent) -> Decided:
    """An attack with its best options."""
    intent, value = with_best_options(planner, intent)
    return (
        intent,
        "attacks",
        {
            "chance": percent(value.chance),
            "harm": percent(value.done),
            "down": percent(value.down),
        },
    )


def reloads(planner: Planner, plan: Plan, intent: Intent) -> Decided:
    """Filling a weapon, which may take several turns."""
    payment, turns = prepare(planner.system, planner.scene, intent).payment, 1
    if payment.of:
        gain = planner.purse.turn.get(payment.pool, 1) or 1
        turns += -(-(payment.of - payment.paid) // gain)
    return intent, "reloads", {"turns": turns} if turns > 1 else {}


def closes_in(planner: Planner, plan: Plan, intent: Intent) -> Decided:
    """A move towards the target."""
    return (
        (intent, "stalled", {}) if planner.stalled else (intent, "closes-in", _nearer(planner, plan, intent))
    )


def _nearer(planner: Planner, plan: Plan, intent: Intent) -> Mapping[str, Any]:
    """The target of a plan with the chance to hit it from here and from where a move leads, if the plan attacks from
    there in the same turn."""
    limit_odds(planner)
    goal, scene = plan.numbers.goal, planner.after(intent)
    gap = planner.distance(scene, plan.target) if scene is not None else None
    if scene is None or goal is None or gap is None or gap > goal or plan.attack is None:
        return {}
    here, there = (planner.known_attack(at, plan.target, False) for at in (planner.scene, scene))
    if here is None or there is None or there.intent != plan.attack.intent:
        return {}
    pools = scene.fighters[planner.who].pools
    can_pay = all(pools.get(pool, 0) >= amount for pool, amount in there.strike.costs.items())
    before, then = percent(here.value.chance), percent(there.value.chance)
    return {"foe": plan.target, "here": before, "there": then} if can_pay and then > before else {}


def with_best_options(planner: Planner, intent: Intent) -> tuple[Intent, ActionValue]:
    """An action with the options that improve it most for what they cost (`upgrades`)."""
    evaluator, weigh = planner.evaluator, planner.doctrine.weigh
    evaluator.reset_budget(min(OPTIONS_BUDGET, evaluator.budget // 2))

    def worth(action: LegalAction, value: ActionValue) -> float:
        share = resources.consumed_share(planner.system, planner.fighter, action)
        return weigh.done * harm(value) + weigh.healed * LIFE * value.restored - weigh.spent / 10 * share

    legal = next(action for action in planner.legal_on(intent.target) if action.intent == intent)
    first = evaluator.action_value(planner.scene, intent)
    assert first is not None
    best, chosen = worth(legal, first), (intent, first)
    if planner.doctrine.ahead == "action":
        return chosen
    with suppress(BudgetExceeded):
        for action in upgrades(planner.system, planner.scene, legal):
            value = evaluator.action_value(planner.scene, action.intent)
            if value is not None and worth(action, value) > best:
                best, chosen = worth(action, value), (action.intent, value)
    return chosen
