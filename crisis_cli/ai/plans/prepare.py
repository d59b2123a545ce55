"""Plans that ready something: another posture, care taken, rounds filled in, or something kept to react with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...engine.legal_actions import LegalAction
from ...engine.scene import Intent, Scene
from ...engine.validate import prepare
from ...errors import CrisisError
from .. import progress, resources
from ..arms import Preparation, RepeatedAttack, harm
from ..forecast import PlannedStrike, PlanNumbers, PlanStep, total
from .attack import AwaitPlan, ClosePlan, WaitPlan
from .causes import MARGIN, key_of_change, limit_odds
from .plan import LONGEST, POSTURE_COST, Decided, Plan, weighed
from .planner import Planner, farthest

StrikesByDistance = Mapping[int, PlannedStrike | None]


class PreparePlan(Plan):
    """A plan with rounds filled in, or with care taken before the attack."""

    is_hopeless_without_harm = True


class PosturePlan(Plan):
    """A plan with another posture, taken first or with what is left of a turn."""

    is_hopeless_without_harm = True
    extra_cost = POSTURE_COST


class ReservePlan(Plan):
    """A plan with what a reaction takes kept each turn."""

    is_idle = is_hopeless_without_harm = True

    def cause_of_ending(self, planner: Planner) -> str:
        reactions = planner.system.reactions
        left = planner.fighter.pools.get(reactions.pool, 0) if reactions else 0
        return "keeps-ready" if reactions and left >= reactions.price else "spent"


def prepared(planner: Planner, base: Plan, can_strike: bool) -> Iterator[Plan]:
    """A plan with each preparation that may better it; `can_strike` says whether any plan attacks in this turn."""
    has_changed = progress.has_changed_posture(planner.past, planner.who)
    for preparation in planner.preparations:
        if preparation.changes == "posture":
            if not has_changed and not (can_strike and isinstance(base, WaitPlan)):
                # Else it would take back what it has just paid for, or lie down to do nothing where it could attack.
                yield from _in_posture(planner, base, preparation)
        elif preparation.changes == "marks" and not planner.is_simple:
            if base.place is None and not isinstance(base, AwaitPlan):
                # Else what is prepared is lost before anybody has come, or on the way.
                yield from _with_care(planner, base, preparation)
        elif preparation.changes == "supplies" and not planner.is_simple:
            yield from _filled(planner, base, preparation)
    if planner.is_wary:
        yield from _with_reserve(planner, base)


def _filled(planner: Planner, base: Plan, filling: Preparation) -> Iterator[Plan]:
    """A plan with the weapon of its attack filled while there is time."""
    ammo = base.attack.strike.ammo if base.attack else ""
    rounds = filling.after.fighters[planner.who].pools
    if ammo and rounds.get(ammo, 0) > planner.fighter.pools.get(ammo, 0):
        step = PlanStep(planner.costs(filling.action))
        numbers = base.numbers._replace(steps=(*base.numbers.steps, step))
        plan = PreparePlan._make(base)._replace(numbers=numbers, steps=(filling.action, *base.steps))
        yield weighed(planner, plan)


def _with_care(planner: Planner, base: Plan, care: Preparation) -> Iterator[Plan]:
    """A plan with care taken before the attack, or for what foes do with what is left of a turn."""
    costs, numbers = planner.costs(care.action), base.numbers
    armed = _armed(planner, base, care)
    attack, strikes = _attack_from(planner, base, armed)
    better = {
        at: strike
        for at, strike in strikes.items()
        if strike and (before := numbers.strikes.get(at)) and strike.worth > before.worth + MARGIN
    }
    if better and attack:
        marks = _marks_of(planner, care)
        passes = all(planner.system.scope(mark) in resources.TURN_SCOPES for mark in marks)
        if _lasts(planner, armed, attack.intent, marks):
            once = PlanStep(costs, every_turn=passes)
            numbers = numbers._replace(strikes=better, steps=(*numbers.steps, once))
        else:
            each = {at: strike._replace(costs=total(strike.costs, costs)) for at, strike in better.items()}
            numbers = numbers._replace(strikes=each)
        plan = PreparePlan._make(base)._replace(
            numbers=numbers, attack=attack, steps=(*base.steps, care.action)
        )
        plan = weighed(planner, plan)
        if not passes or plan.strikes_now:
            # What ends with the turn is lost on a plan that strikes only later.
            yield plan
    if planner.is_wary:
        late = base.numbers._replace(late=PlanStep(costs, sets_posture=True, every_turn=True))
        yield _late(planner, base, care.action, late, _posture(planner, base, care))


def _in_posture(planner: Planner, base: Plan, change: Preparation) -> Iterator[Plan]:
    """A plan with another posture taken first, and one with the posture taken after the attacks of a turn."""
    numbers, state = base.numbers, change.after.fighters[planner.who]
    armed = _armed(planner, base, change)
    attack, strikes = _attack_from(planner, base, armed)
    if strikes and not any(strikes.values()):
        return
    is_passing = any(name in state.ends and name not in planner.fighter.ends for name in state.conditions)
    step = PlanStep(planner.costs(change.action), sets_posture=True, every_turn=is_passing)
    ways = planner.ways_in(armed)
    goes = isinstance(base, ClosePlan) or base.place is not None or numbers.falls_back
    slows = goes and farthest(ways) < farthest(planner.ways)
    quickens = farthest(ways) > farthest(planner.ways)
    if planner.is_simple and not quickens:
        return
    posture = _posture(planner, base, change)
    if not slows:
        answered = _answered(planner, base, strikes)
        first = numbers._replace(strikes=strikes, steps=(step, *numbers.steps), later_strikes=answered)
        plan = PosturePlan._make(base)._replace(
            numbers=first, attack=attack, steps=(change.action, *base.steps)
        )
        # A fighter that lies gets up for a long way.
        far = quickens and len(base.course.strikes) == LONGEST
        yield weighed(planner, plan, posture, ways, far=far)
    if planner.is_wary and not (slows and numbers.falls_back):
        late = numbers._replace(late=step, late_strikes=strikes)
        yield _late(planner, base, change.action, late, posture)


def _late(
    planner: Planner, base: Plan, action: LegalAction, numbers: PlanNumbers, posture: Scene | None
) -> Plan:
    """A plan with a preparation made after the attacks of a turn."""
    kind = PosturePlan if base.place is None else type(base)
    return weighed(planner, kind._make(base)._replace(numbers=numbers, late=action), posture)


def _with_reserve(planner: Planner, base: Plan) -> Iterator[Plan]:
    """A plan with what a reaction takes kept each turn."""
    reactions = planner.system.reactions
    if reactions is not None and base.numbers.strikes:
        kind = ReservePlan if base.place is None else type(base)
        numbers = base.numbers._replace(reserve={reactions.pool: reactions.price})
        kept = planner.with_pool(reactions.pool, reactions.price)
        yield weighed(planner, kind._make(base)._replace(numbers=numbers), stands=kept)


def _attack_from(
    planner: Planner, base: Plan, armed: Scene
) -> tuple[RepeatedAttack | None, StrikesByDistance]:
    """The attack of a plan in a scene after a preparation, and its strikes by distance."""
    if not base.target or not base.attack:
        return base.attack, base.numbers.strikes
    attacks = {at: planner.attack_at(armed, base.target, at, fresh=False) for at in base.numbers.strikes}
    end = base.numbers.goal or base.numbers.distance or 0
    nearest = attacks[min(attacks, key=lambda at: abs(at - end))]
    return nearest or base.attack, {at: attack and attack.strike for at, attack in attacks.items()}


def _answered(planner: Planner, base: Plan, strikes: StrikesByDistance) -> StrikesByDistance | None:
    """The attacks of a posture once a foe in reach has answered it with one of its own, for a doctrine that looks
    ahead: worth no more than without the posture."""
    gap = base.numbers.distance
    if planner.doctrine.ahead == "action" or gap is None or gap > planner.space.beside:
        return None
    plain = base.numbers.strikes
    return {
        at: strike and min(strike, plain.get(at) or strike, key=lambda each: each.worth)
        for at, strike in strikes.items()
    }


def _marks_of(planner: Planner, preparation: Preparation) -> list[str]:
    """The marks that a preparation sets."""
    begun, after = planner.fighter.marks, preparation.after.fighters[planner.who].marks
    return [mark for mark, count in after.items() if begun.get(mark) != count]


def _lasts(planner: Planner, scene: Scene, intent: Intent, marks: Sequence[str]) -> bool:
    """Whether none of some marks ends with an attack."""
    system, who = planner.system, planner.who
    try:
        ready = prepare(system, resources.with_full_turn(system, scene, who), intent)
        answer = next(iter(ready.odds(planner.evaluator.odds_table)))[0]
        events = ready.effects(system, scene, intent, answer)
    except CrisisError:
        return False
    ended = {event.what for event in (*ready.payment.events, *events) if event.who == who and not event.now}
    return not any(f"mark:{mark}" in ended for mark in marks)


def _armed(planner: Planner, base: Plan, preparation: Preparation) -> Scene:
    """The scene after a preparation, where the plan goes and with what it draws in hand."""
    state = preparation.after.fighters[planner.who]
    weapon = base.attack.intent.get("weapon") if base.steps and base.attack else None
    held = (weapon,) if weapon and weapon not in state.held else state.held
    armed = state._replace(pools=planner.fighter.pools, held=held)
    return planner.standing_at(planner.scene.with_fighter(armed), base.place)


def _posture(planner: Planner, base: Plan, preparation: Preparation) -> Scene | None:
    """The scene after a preparation when the fighter has spent its turn; None where harm to it does not count."""
    if not planner.is_wary:
        return None
    state, spent = preparation.after.fighters[planner.who], planner.spent.fighters[planner.who].pools
    pools = {**state.pools, **{pool: spent[pool] for pool in planner.purse.now}}
    after = planner.now(preparation.after).with_fighter(state._replace(pools=pools))
    return planner.standing_at(after, base.place)


# Causes


def changes_posture(planner: Planner, plan: Plan, intent: Intent) -> Decided:
    """A change of posture."""
    after = planner.after(intent)
    return intent, key_of_change(planner, plan, after, ("covers", "steadies", "settles")), {}


def readies(planner: Planner, plan: Plan, intent: Intent) -> Decided:
    """A preparation, as a thing drawn with which the fighter attacks better than with what is in hand."""
    limit_odds(planner)
    thing = intent.get("thing")
    if thing is None or thing in planner.fighter.held:
        return intent, "readies", {}
    other = _outdone(planner, plan, thing)
    return intent, "draws", {"thing": thing, **({"other": other} if other else {})}


def _outdone(planner: Planner, plan: Plan, thing: Any) -> str:
    """The weapon in hand in whose place a plan strikes from here and now with the one that is drawn, if that does more
    with each attack and in a turn; else empty."""
    attack, is_here = plan.attack, plan.place is None and not plan.is_far
    if attack is None or attack.intent.get("weapon") != thing or not plan.strikes_now:
        return ""
    if not is_here or len(plan.steps) > 1:
        return ""
    here = planner.distance(planner.scene, plan.target) or 0
    before = planner.attacks_by_distance(planner.scene, plan.target).get(here)
    if before is None:
        return ""
    other = str(before.intent.get("weapon", ""))
    is_more = attack.rate > before.rate + MARGIN and harm(attack.value) > harm(before.value) + MARGIN
    return other if is_more and other in planner.fighter.held else ""
