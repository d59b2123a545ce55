"""Plans to go somewhere first, where foes hit less or a friend needs protection; and the moves of all plans."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...engine.scene import Intent
from .. import movement, resources, terrain
from ..forecast import Costs, Hand, PlanNumbers, PlanStep, at_distance
from .attack import closes_in
from .causes import key_of_change
from .plan import POSTURE_COST, PROTECT_DISTANCE, Cause, Decided, FirstAction, Plan, weighed
from .planner import MAX_THREATS, Planner, farthest

MAX_PLACES = 2
"""Places on the map that are weighed."""
Step = tuple[int, float, int, Intent, Costs]
"""A move: how far is left after it, its share of the turn, its number, the move itself and its costs."""


class ShelterPlan(Plan):
    """Going first to a place from which the fighter sees a foe, or where foes hit it less."""

    extra_cost = POSTURE_COST

    def cause_of_going(self, planner: Planner) -> Cause:
        after = planner.standing_at(planner.scene, self.place)
        return key_of_change(planner, self, after, ("takes-cover", "finds-place", "goes")), {}


class GuardPlan(Plan):
    """Going to the fighter that it protects."""

    def cause_of_going(self, planner: Planner) -> Cause:
        return "stays-with", {"ward": self.place_in_words(planner)}

    def place_in_words(self, planner: Planner) -> str:
        assert planner.ward is not None
        return planner.ward.name


def shelter_plans(planner: Planner, here: movement.Place, targets: Sequence[str]) -> Iterator[Plan]:
    """Going first to a place from which the fighter sees the first target, or where foes hit it less."""
    target = targets[0]
    there = planner.scene.fighters[target].at
    if planner.scene.field is None or there is None or planner.doctrine.range == "melee":
        return
    is_careful = planner.is_wary and planner.doctrine.ahead != "action"
    if planner.scene.sees(planner.who, target) and not is_careful:
        return
    foes = [foe.at for foe in planner.foes[: MAX_THREATS + 1] if foe.at is not None]
    places = terrain.vantage_points(
        planner.system, planner.scene, planner.who, there, foes, farthest(planner.ways)
    )
    for place in places[:MAX_PLACES]:
        scene = planner.standing_at(planner.scene, place)
        attack = planner.attack(scene, target)
        if attack is None:
            continue
        step = PlanStep(planner.cost_of_way(place, planner.ways), sets_posture=True)
        gap = planner.distance(scene, target) or 0
        numbers = PlanNumbers({gap: attack.strike}, (step,), distance=gap)
        posture = planner.standing_at(planner.spent, place) if planner.is_wary else None
        yield weighed(planner, ShelterPlan(numbers, target, attack, place=place), posture)


def guard_plans(planner: Planner, here: movement.Place, targets: Sequence[str]) -> Iterator[Plan]:
    """Going to the protected fighter, on the side of the nearest foe."""
    target, field = targets[0], planner.scene.field
    ward, foe = planner.ward and planner.ward.at, planner.scene.fighters[target].at
    if ward is None or foe is None:
        return
    place = _between(ward, foe, max(1, planner.space.beside))
    if field is not None and field.way(here, place) is None:
        return
    if planner.space.distance(here, place) * planner.space.metres <= PROTECT_DISTANCE:
        return
    there = planner.standing_at(planner.scene, place)
    attack, gap = planner.attack(there, target), planner.distance(there, target) or 0
    steps = (PlanStep(planner.cost_of_way(place, planner.ways)),)
    numbers = PlanNumbers({gap: attack.strike} if attack else {}, steps, distance=gap)
    yield weighed(planner, GuardPlan(numbers, target, attack, place=place))


def _between(ward: movement.Place, foe: movement.Place, gap: int) -> movement.Place:
    """The place so far from one fighter towards another."""
    east, north = foe[0] - ward[0], foe[1] - ward[1]
    length = (east * east + north * north) ** 0.5
    if length <= gap:
        return foe
    return ward[0] + east / length * gap, ward[1] + north / length * gap


# First actions


def go(planner: Planner, place: movement.Place | None) -> FirstAction | None:
    """The move that leads nearest to a place; none for no place."""
    if place is None:
        return None

    def nearest() -> Intent | None:
        ways = (way.intent for way in planner.moves)
        steps = (movement.towards(planner.system, planner.scene, way, place, 0) for way in ways)
        left = [
            (planner.way_to(step.options["to"], place), at, step) for at, step in enumerate(steps) if step
        ]
        return min(left)[2] if left else None

    step = planner.evaluator.cached(("go-to", planner.who, place), planner.scene, nearest)
    return FirstAction(step, _goes) if step else None


def approach(planner: Planner, plan: Plan, gap: int) -> FirstAction | None:
    """The move towards a target that leads as near as the plan wants it: the cheapest that does, else the longest."""
    there, goal = planner.scene.fighters[plan.target].at, plan.numbers.goal
    if there is None or goal is None:
        return None
    steps = planner.evaluator.cached(
        ("steps", planner.who, there, goal), planner.scene, lambda: _steps(planner, there, goal)
    )
    nearer = [step for step in steps if step[0] < gap - goal]
    if not nearer:
        return None
    strike = at_distance(plan.numbers.strikes, goal)
    hand = Hand(planner.purse, planner.purse.now)
    if strike is not None and hand.reach(planner.ways, gap - goal, strike.costs) >= gap - goal:
        # It gets there and can strike: no move that takes what the strike costs.
        pools, costs = planner.fighter.pools, strike.costs.items()
        nearer = [
            step for step in nearer if all(pools[pool] - step[4].get(pool, 0) >= cost for pool, cost in costs)
        ] or nearer
    return FirstAction(min(nearer)[3], closes_in)


def _steps(planner: Planner, place: movement.Place, goal: int) -> list[Step]:
    """The moves that lead nearer to a place, up to a distance."""
    steps = list[Step]()
    for way in planner.moves:
        step = movement.towards(planner.system, planner.scene, way.intent, place, goal)
        if step is not None:
            left = planner.way_to(step.options["to"], place)
            share = resources.turn_share(planner.system, planner.fighter, way)
            steps.append((max(0, left - goal), share, len(steps), step, planner.costs(way)))
    return steps


def retreat(planner: Planner) -> FirstAction | None:
    """The longest move away from the nearest foe."""
    near = planner.foes[0].at if planner.foes else None
    if near is None or planner.fighter.at is None:
        return None
    far = list[tuple[int, float, int, Intent]]()
    for at, way in enumerate(planner.moves):
        step = movement.away(planner.system, planner.scene, way.intent, near)
        if step is not None:
            share = resources.turn_share(planner.system, planner.fighter, way)
            far.append((planner.way_to(step.options["to"], near), -share, at, step))
    best, here = max(far, default=None), planner.way_to(planner.fighter.at, near)
    return FirstAction(best[3], _keeps_off) if best and best[0] > here else None


# Causes


def _goes(planner: Planner, plan: Plan, intent: Intent) -> Decided:
    return intent, *plan.cause_of_going(planner)


def _keeps_off(planner: Planner, plan: Plan, intent: Intent) -> Decided:
    return intent, "keeps-off", {}
