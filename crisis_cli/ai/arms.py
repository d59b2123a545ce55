"""What a fighter could do in a scene, for a forecast: attacks it can repeat, ways to move, and what it pays with."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING

from ..engine.consequences import effects
from ..engine.cost import PAID
from ..engine.legal_actions import LegalAction, of
from ..engine.scene import Fighter, Intent, Scene
from ..engine.system import READIED, Action, nothing
from ..errors import CrisisError
from ..values import NamedTuple
from . import movement, resources, terrain
from .evaluation import OWN_SIDE_WEIGHT, ActionValue, BudgetExceeded, Evaluator
from .forecast import Costs, MoveMode, PlannedStrike, Purse

if TYPE_CHECKING:
    from ..engine.system import System

LIFE, SIDE_EFFECTS = 2.0, 0.2
"""The worth of all the life that a fighter has left, and the weight of what else it loses."""
SPENT_WEIGHT = 0.1
"""Weight of a whole supply that an attack uses up, for a doctrine that weighs it fully."""


class RepeatedAttack(NamedTuple):
    """An attack that could be repeated each turn."""

    intent: Intent
    value: ActionValue
    strike: PlannedStrike
    rate: float
    """Harm in a full turn."""


class Preparation(NamedTuple):
    """An action without dice on oneself, and the scene after it."""

    action: LegalAction
    after: Scene
    changes: str
    """"hands", "supplies", "posture" (conditions), or "marks"."""


def harm(value: ActionValue) -> float:
    """What an attack is worth in a forecast: life taken above all, and whatever else foes lose, less what it takes from
    its own side."""
    own = LIFE * value.lost + SIDE_EFFECTS * value.own
    return LIFE * value.taken + SIDE_EFFECTS * value.done - OWN_SIDE_WEIGHT * own


def turn_costs(system: System, action: LegalAction) -> Costs:
    """What an action costs of the pools that come back each turn."""
    return {pool: amount for pool, amount in action.costs if amount > 0 and resources.is_spent(system, pool)}


def purse(evaluator: Evaluator, scene: Scene, who: str, begun: bool = True) -> Purse:
    """What a fighter pays with; what a turn brings if its own has not `begun`."""
    system, fighter = evaluator.system, scene.fighters[who]
    turn = turn_gain(evaluator, scene, who)
    most = {pool: max(fighter.full(pool), gain) for pool, gain in turn.items()}
    now = {pool: fighter.pools[pool] if begun else gain for pool, gain in turn.items()}
    renewed = frozenset(pool for pool in turn if system.pools[pool.partition(":")[0]].renewed)
    return Purse(now, turn, most, renewed)


def turn_gain(evaluator: Evaluator, scene: Scene, who: str) -> Mapping[str, int]:
    """What a turn brings a fighter that has nothing left, by pool."""
    fighter = scene.fighters[who]
    key = (evaluator.sheet_key(fighter), tuple(fighter.conditions.items()))
    if key not in evaluator.gains:
        evaluator.gains[key] = _turn_gain(evaluator.system, scene, fighter)
    return evaluator.gains[key]


def _turn_gain(system: System, scene: Scene, fighter: Fighter) -> Mapping[str, int]:
    spent = [pool for pool in fighter.pools if resources.is_spent(system, pool)]
    usual = {pool: resources.amount_per_turn(system, fighter, pool) for pool in spent}
    row = system.phases.get("start-turn")
    if row is None or row.whole_rule is not nothing:
        return usual
    empty = fighter._replace(pools={**fighter.pools, **dict.fromkeys(spent, 0)})
    begins = scene.with_fighter(empty)._replace(turn=fighter.name)
    intent = Intent("start-turn", fighter.name, (fighter.name,))
    found = {
        event.what: event.now
        for event in effects(system, begins, intent, row, row.setup(begins, intent), None)
        if event.who == fighter.name and event.what in spent
    }
    return {pool: found.get(pool, 0) for pool in spent} if any(found.values()) else usual


def attack_on(
    evaluator: Evaluator, scene: Scene, who: str, target: str, spent_weight: float = 0.0, fresh: bool = True
) -> RepeatedAttack | None:
    """The best attack of a fighter on a target with a full turn to pay with; None if there is none.

    Without `fresh`, marks of the turn under way count: aiming, and attacks that cannot be repeated.
    """
    return evaluator.cached(
        ("attack", who, target, fresh),
        scene,
        lambda: _attack_on(evaluator, scene, who, target, spent_weight, fresh),
    )


def _attack_on(
    evaluator: Evaluator, scene: Scene, who: str, target: str, spent_weight: float, fresh: bool
) -> RepeatedAttack | None:
    system = evaluator.system
    ready = resources.loaded(system, resources.with_full_turn(system, scene, who, fresh), who)
    fighter = ready.fighters[who]
    best: RepeatedAttack | None = None
    gain = turn_gain(evaluator, scene, who)
    opens = bool(resources.opened_pools(system, fighter))
    for one in of(
        system,
        ready,
        who,
        lambda intent: all(scene.fighters[name].side != fighter.side for name in intent.targets),
        lambda row: row.ai.considered and row.targets != "none",
        target,
    ):
        if one.window != "turn":
            continue
        try:
            value = evaluator.action_value(ready, one.intent)
        except BudgetExceeded:
            if best is None:
                raise
            break
        if value is None:
            continue
        worth = harm(value)
        worth -= SPENT_WEIGHT * spent_weight * resources.consumed_share(system, fighter, one)
        if worth <= 0:
            continue
        if opens:
            worth += resources.following(
                system, evaluator.odds_table, ready, one.intent, partial(_worth, evaluator)
            )
        strike = _strike(evaluator, ready, who, one, worth)
        if value.drops:
            strike = strike._replace(again=_draw_costs(evaluator, ready, who, value.drops))
        times = _times(gain, strike.repeated)
        if times >= 2 and value.marks:
            strike = strike._replace(straight=_straight(evaluator, ready, one.intent, value))
        rate = worth * times if strike.straight == 1.0 else strike.harm(int(times))
        if system.reactions is not None:
            strike = _with_reactions(evaluator, ready, one.intent, strike)
            rate = strike.harm(int(times)) if times >= 1 else rate
        if best is None or rate > best.rate:
            best = RepeatedAttack(one.intent, value, strike, rate)
    return best


def _worth(evaluator: Evaluator, scene: Scene, intent: Intent) -> float:
    """The harm of an attack that another one opens; none where no distribution may be asked for any more."""
    try:
        value = evaluator.action_value(scene, intent)
    except BudgetExceeded:
        return 0.0
    return harm(value) if value else 0.0


def _with_reactions(
    evaluator: Evaluator, scene: Scene, intent: Intent, strike: PlannedStrike
) -> PlannedStrike:
    """An attack with what it is worth when the target cannot react any more."""
    reactions = evaluator.system.reactions
    target = scene.fighters[intent.target]
    if reactions is None or not target.pools.get(reactions.pool):
        return strike
    spent = target._replace(pools={**target.pools, reactions.pool: 0})
    value = evaluator.action_value(scene.with_fighter(spent), intent)
    times = target.pools[reactions.pool] // reactions.price
    return strike._replace(guarded=times, bare=max(strike.worth, harm(value))) if value else strike


def _straight(evaluator: Evaluator, scene: Scene, intent: Intent, first: ActionValue) -> float:
    """The share of its worth that an attack has straight after another one, whose marks still last."""
    actor = scene.fighters[intent.actor]
    marked = actor._replace(marks={**actor.marks, **dict(first.marks)})
    try:
        value = evaluator.action_value(scene.with_fighter(marked), intent)
    except BudgetExceeded:
        return 1.0
    return max(0.0, min(1.0, harm(value) / harm(first))) if value else 1.0


def _strike(evaluator: Evaluator, scene: Scene, who: str, action: LegalAction, worth: float) -> PlannedStrike:
    system = evaluator.system
    costs = {**turn_costs(system, action), **dict(_long_costs(system, scene, action))}
    ammo = next((pool for pool, amount in action.costs if amount > 0 and system.is_of_thing(pool)), "")
    if not ammo:
        return PlannedStrike(worth, costs)
    uses = dict(action.costs)[ammo]
    fighter = scene.fighters[who]
    key = evaluator.sheet_key(fighter), ammo, tuple(fighter.conditions.items())
    if key not in evaluator.refills:
        evaluator.refills[key] = _refill(system, scene, fighter, ammo)
    refill = evaluator.refills[key]
    return PlannedStrike(worth, costs, ammo, uses, refill, fighter.full(ammo))


def _draw_costs(evaluator: Evaluator, scene: Scene, who: str, things: Collection[str]) -> Costs:
    """What it costs to take in hand again what an attack lets go of."""
    fighter = scene.fighters[who]
    key = "in hand", evaluator.sheet_key(fighter), tuple(things), tuple(fighter.conditions.items())
    if key not in evaluator.refills:
        left = fighter._replace(held=tuple(thing for thing in fighter.held if thing not in things))
        empty = scene.with_fighter(left)
        evaluator.refills[key] = next(
            (
                turn_costs(evaluator.system, one.action)
                for one in preparations(evaluator.system, empty, who, draws_only=True)
                if one.changes == "hands" and set(things) & set(one.after.fighters[who].held)
            ),
            {},
        )
    found: Costs = evaluator.refills[key]
    return found


def _refill(system: System, scene: Scene, fighter: Fighter, ammo: str) -> Costs | None:
    """What filling a thing again costs; None if that cannot be done."""
    kind, _, thing = ammo.partition(":")
    action = system.pools[kind].refill
    if not action:
        return None
    empty = fighter._replace(pools={**fighter.pools, ammo: 0})
    scene = scene.with_fighter(empty)
    for one in of(
        system, scene, fighter.name, lambda intent: intent.action == action and intent.get("thing") == thing
    ):
        return dict(turn_costs(system, one)) | dict(_long_costs(system, scene, one))
    return None


def _long_costs(system: System, scene: Scene, action: LegalAction) -> Iterator[tuple[str, int]]:
    """What an action paid over several turns still takes."""
    pools = scene.fighters[action.intent.actor].pools
    if not any(
        amount >= pools.get(pool, 0) and system.pools[pool].long
        for pool, amount in action.costs
        if pool in system.pools
    ):
        return
    from ..engine.validate import prepare

    try:
        payment = prepare(system, scene, action.intent).payment
    except CrisisError:
        return
    if payment.of:
        paid = next((amount for pool, amount in action.costs if pool == payment.pool), 0)
        yield payment.pool, payment.of - payment.paid + paid


def _times(gain: Mapping[str, int], costs: Costs) -> float:
    """How often something can be paid each turn, on average."""
    return min((gain.get(pool, 0) / amount for pool, amount in costs.items()), default=1.0)


def preparations(system: System, scene: Scene, who: str, draws_only: bool = False) -> list[Preparation]:
    """The actions without dice on itself, moves aside, that change more than they cost; with `draws_only` only those
    with a thing of its sheet that is not in hand, and that do not just fill it."""
    found = []
    fills = {pool.refill for pool in system.pools.values()}
    held = scene.fighters[who].held

    def wanted(intent: Intent) -> bool:
        if draws_only and (intent.action in fills or intent.get("thing") in held):
            return False
        return set(intent.targets) <= {who}

    def rows(row: Action) -> bool:
        is_apt = row.ai.considered and not row.ends_turn and "to" not in row.options and row.targets != "one"
        return is_apt and (bool(row.gear) or not draws_only)

    for one in of(system, scene, who, wanted, rows):
        if one.window != "turn" or not movement.needs_no_dice(system, scene, one.intent):
            continue
        after = movement.scene_after(system, scene, one.intent)
        if after is None or after.turn != scene.turn:
            continue
        changes = _changed(system, scene, after, who)
        if changes:
            found.append(Preparation(one, after, changes))
    return found


def _changed(system: System, scene: Scene, after: Scene, who: str) -> str:
    """What an action has changed of a fighter beside its costs."""
    one, then = scene.fighters[who], after.fighters[who]
    if then.held != one.held:
        return "hands"
    things = [pool for pool in one.pools if system.is_of_thing(pool)]
    if any(then.pools.get(pool, 0) > one.pools[pool] for pool in things):
        return "supplies"
    if dict(then.conditions) != dict(one.conditions):
        return "posture"
    marks = {mark for mark, count in then.marks.items() if one.marks.get(mark) != count}
    if any(mark.partition(":")[0] not in (READIED, PAID) for mark in marks):
        return "marks"
    return ""


def ways_to_move(evaluator: Evaluator, scene: Scene, who: str, toward: Fighter | None) -> list[MoveMode]:
    """The ways of a fighter to move with a full turn, each with how far it leads."""
    system = evaluator.system
    here = scene.fighters[who]
    if here.at is None or toward is None or toward.at is None:
        return []
    ready = resources.with_full_turn(system, scene, who, fresh=True)
    found: dict[str, MoveMode] = {}
    for one in of(system, ready, who, None, lambda row: "to" in row.options):
        if one.intent.action in found or not movement.is_move(system, ready, one):
            continue
        length = _length(evaluator, ready, one, toward)
        if length:
            found[one.intent.action] = MoveMode(turn_costs(system, one), length)
    return list(found.values())


def _length(evaluator: Evaluator, scene: Scene, way: LegalAction, toward: Fighter) -> int:
    """How far a move leads: the same for all in the same state."""
    fighter = scene.fighters[way.intent.actor]
    key = (
        "length",
        way.intent.action,
        evaluator.sheet_key(fighter),
        tuple(fighter.conditions.items()),
        tuple(sorted(fighter.marks)),
    )
    if key not in evaluator.lengths:
        assert toward.at is not None and fighter.at is not None
        step = movement.away(evaluator.system, scene._replace(field=None), way.intent, toward.at)
        evaluator.lengths[key] = (
            evaluator.system.space.distance(fighter.at, step.options["to"]) if step is not None else 0
        )
    return evaluator.lengths[key]


def beside(system: System, scene: Scene, mover: str, other: str, gap: int) -> Scene:
    """The scene with a fighter put at a distance from another, on the line or the way between them."""
    one, there = scene.fighters[mover], scene.fighters[other].at
    if one.at is None or there is None:
        return scene
    if scene.field is not None and not terrain.is_straight(scene.field, one.at, there):
        spot = terrain.spot_at(system, scene, one.at, there, gap) or one.at
        return scene.with_fighter(one._replace(at=spot))
    east, north = one.at[0] - there[0], one.at[1] - there[1]
    length = (east * east + north * north) ** 0.5
    if not length:
        east, length = 1.0, 1.0
    place = there[0] + east / length * gap, there[1] + north / length * gap
    return scene.with_fighter(one._replace(at=place))
