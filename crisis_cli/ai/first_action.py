"""The first action of a plan that can be done now."""

from __future__ import annotations

from ..engine.scene import Intent
from ..values import NamedTuple
from . import movement, resources
from .arms import harm, turn_costs
from .evaluation import BudgetExceeded
from .forecast import Costs, Hand, at_distance
from .plans import Planner, Proposal

IDLE = ("wait", "await", "keep")
"""The kinds of plans that hold back on purpose."""
LEAST_HARM = 0.02
"""The harm that an attack must do to be made while a plan has to wait."""


_Step = tuple[int, float, int, Intent, Costs]
"""A move: how far is left after it, its share of the turn, its number, the move itself and its costs."""


class FirstAction(NamedTuple):
    """What a plan does first."""

    intent: Intent | None
    """None: the turn ends."""
    kind: str
    """"attack", "treat", "prepare", "posture", "close", "fall-back", "guard", "shelter", "seek", "hold", "refill" or
    "end"."""


def first_action(planner: Planner, proposal: Proposal) -> FirstAction:
    """The first action of a plan that can be done now."""
    plan = proposal.plan
    if proposal.place is not None and not proposal.steps:
        step = _go_to(planner, proposal.place)
        if step is not None:
            return FirstAction(step, proposal.kind)
    if proposal.steps:
        one = proposal.steps[0]
        if _is_legal(planner, one.intent):
            return FirstAction(one.intent, planner.kind_of(one))
    elif plan.goal is not None and plan.distance is not None and plan.distance > plan.goal:
        step = _approach(planner, proposal, plan.distance, plan.goal)
        if step is not None:
            return FirstAction(step, "close")
    else:
        reload = _reload(planner, proposal)
        if reload is not None:
            return FirstAction(reload, "refill")
        intent = _strike_now(planner, proposal)
        if intent is not None:
            return FirstAction(intent, "attack")
    if proposal.late is not None and _is_legal(planner, proposal.late.intent):
        return FirstAction(proposal.late.intent, "posture")
    if plan.falls_back:
        away = _retreat(planner)
        if away is not None:
            return FirstAction(away, "fall-back")
    if proposal.kind not in IDLE and not plan.reserve:
        intent = _meanwhile(planner)
        if intent is not None:
            return FirstAction(intent, "attack")
    return FirstAction(None, "end")


def proposals(planner: Planner) -> list[Proposal]:
    """The plans of a planner, the best first: one whose moves take longer than its distance says comes where it
    belongs."""
    found = planner.proposals()
    while not _arrives(planner, found[0]):
        found = sorted([planner.arriving_late(found[0]), *found[1:]], key=lambda one: -one.worth)
    return found


def _arrives(planner: Planner, proposal: Proposal) -> bool:
    """Whether a plan that comes closer and attacks in this very turn can do so by the moves that there are, square by
    square; true of every other plan, and of those that begin with dice."""
    plan, attack, scene, there = proposal.plan, proposal.attack, planner.scene, planner
    if plan.goal is None or not attack or not any(proposal.course.strikes[:1]):
        return True
    steps = [one.intent for one in proposal.steps]
    while steps or (planner.distance(scene, proposal.target) or 0) > plan.goal:
        gap = planner.distance(scene, proposal.target) or 0
        step = steps.pop(0) if steps else _approach(there, proposal, gap, plan.goal)
        if step and _is_legal(there, step) and not movement.needs_no_dice(planner.system, scene, step):
            return True
        after = step and movement.scene_after(planner.system, scene, step)
        if after is None:
            return False
        scene = after
        there = Planner(planner.evaluator, planner.doctrine, scene, planner.who, planner.past)
    return _can_attack(there, attack.intent)


def can_begin(planner: Planner, proposal: Proposal) -> bool:
    """Whether what a plan begins with can be done now; asks for no odds."""
    plan = proposal.plan
    if proposal.steps:
        return _is_legal(planner, proposal.steps[0].intent)
    if proposal.place is not None and proposal.place != planner.fighter.at:
        return _go_to(planner, proposal.place) is not None
    if plan.goal is not None and plan.distance is not None and plan.distance > plan.goal:
        return bool(planner.moves)
    if proposal.attack is None or _reload(planner, proposal) is not None:
        return True
    return _can_attack(planner, proposal.attack.intent)


def _can_attack(planner: Planner, intent: Intent) -> bool:
    """Whether a target can be attacked now in the way of an intent, with whatever weapon."""
    way = intent.action, intent.target
    return any((one.intent.action, one.intent.target) == way for one in planner.legal_on(intent.target))


def _meanwhile(planner: Planner) -> Intent | None:
    """The best attack with what would be lost at the end of the turn, where what a plan begins with must wait."""
    best, most = None, LEAST_HARM
    if not any(planner.fighter.pools.get(pool) for pool in planner.purse.renewed):
        return None
    foes = {one.name for one in planner.foes}
    for one in planner.legal(lambda intent: bool(intent.targets) and foes.issuperset(intent.targets)):
        costs = turn_costs(planner.system, one)
        if not costs or not planner.purse.renewed.issuperset(costs):
            continue
        try:
            value = planner.evaluator.action_value(planner.scene, one.intent)
        except BudgetExceeded:
            break
        if value is not None and not value.drops and harm(value) > most:
            best, most = one.intent, harm(value)
    return best


def _is_legal(planner: Planner, intent: Intent) -> bool:
    return any(one.intent == intent for one in planner.legal_on(intent.target))


def _strike_now(planner: Planner, proposal: Proposal) -> Intent | None:
    """The best attack on the target that can be paid now, what the plan keeps left aside."""
    if proposal.attack is None:
        return None
    best, most = None, 0.0
    pools = planner.fighter.pools
    for one in planner.legal_on(proposal.target):
        if planner.who in one.intent.targets:
            continue
        if planner.scene.fighters[one.intent.target].side == planner.fighter.side:
            continue
        costs = turn_costs(planner.system, one)
        if any(
            pools.get(pool, 0) - costs.get(pool, 0) < amount for pool, amount in proposal.plan.reserve.items()
        ):
            continue
        if one.intent == proposal.attack.intent:
            return one.intent
        try:
            value = planner.evaluator.action_value(planner.scene, one.intent)
        except BudgetExceeded:
            continue
        worth = harm(value) if value else 0.0
        if worth > most:
            best, most = one.intent, worth
    return best


def _reload(planner: Planner, proposal: Proposal) -> Intent | None:
    """Filling the weapon of the plan, if it is empty."""
    ammo = proposal.attack.strike.ammo if proposal.attack else ""
    if not ammo or proposal.attack is None:
        return None
    kind, _, thing = ammo.partition(":")
    if planner.fighter.pools.get(ammo, 0) >= proposal.attack.strike.uses:
        return None
    action = planner.system.pools[kind].refill
    found = (
        one.intent
        for one in planner.legal_on("")
        if one.intent.action == action and one.intent.get("thing") == thing
    )
    return next(found, None)


def _approach(planner: Planner, proposal: Proposal, gap: int, goal: int) -> Intent | None:
    """The move towards a target that leads as near as the plan wants it: the cheapest that does, else the longest."""
    there = planner.scene.fighters[proposal.target].at
    if there is None:
        return None
    steps: list[_Step] = planner.evaluator.cached(
        ("steps", planner.who, there, goal), planner.scene, lambda: _steps(planner, there, goal)
    )
    found = [one for one in steps if one[0] < gap - goal]
    if not found:
        return None
    strike = at_distance(proposal.plan.strikes, goal)
    hand = Hand(planner.purse, planner.purse.now)
    if strike is not None and hand.reach(planner.ways, gap - goal, strike.costs) >= gap - goal:
        # It gets there and can strike: no move that takes what the strike costs.
        pools = planner.fighter.pools
        cheap = [
            one
            for one in found
            if all(pools[pool] - one[4].get(pool, 0) >= amount for pool, amount in strike.costs.items())
        ]
        found = cheap or found
    return min(found)[3]


def _steps(planner: Planner, place: movement.Place, goal: int) -> list[_Step]:
    """The moves that lead nearer to a place, up to a distance."""
    found = list[_Step]()
    for way in planner.moves:
        step = movement.towards(planner.system, planner.scene, way.intent, place, goal)
        if step is None:
            continue
        left = planner.scene.way(step.options["to"], place, planner.system.space.distance)
        share = resources.turn_share(planner.system, planner.fighter, way)
        found.append((max(0, left - goal), share, len(found), step, turn_costs(planner.system, way)))
    return found


def _go_to(planner: Planner, place: movement.Place) -> Intent | None:
    """The move that leads nearest to a place."""
    found: Intent | None = planner.evaluator.cached(
        ("go-to", planner.who, place), planner.scene, lambda: _nearest_move(planner, place)
    )
    return found


def _nearest_move(planner: Planner, place: movement.Place) -> Intent | None:
    steps = [movement.towards(planner.system, planner.scene, way.intent, place, 0) for way in planner.moves]
    near = [
        (planner.scene.way(step.options["to"], place, planner.system.space.distance), at, step)
        for at, step in enumerate(steps)
        if step
    ]
    return min(near)[2] if near else None


def _retreat(planner: Planner) -> Intent | None:
    """The longest move away from the nearest foe."""
    near = planner.foes[0].at if planner.foes else None
    if near is None or planner.fighter.at is None:
        return None
    steps = [(movement.away(planner.system, planner.scene, way.intent, near), way) for way in planner.moves]
    here = planner.scene.way(planner.fighter.at, near, planner.system.space.distance)
    far = list[tuple[int, float, int, Intent]]()
    for at, (step, way) in enumerate(steps):
        if step is not None:
            share = resources.turn_share(planner.system, planner.fighter, way)
            far.append(
                (planner.scene.way(step.options["to"], near, planner.system.space.distance), -share, at, step)
            )
    best = max(far, default=None)
    return best[3] if best and best[0] > here else None
