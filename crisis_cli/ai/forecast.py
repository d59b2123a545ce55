"""How a fight is expected to go under a plan, turn by turn, as numbers: harm done and harm suffered.

Everything here is an average: a fighter whose life is half gone in expectation fights on, one whose whole life is gone
mostly does not. Distances are counted in the unit of the system, None without positions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

from ..values import NamedTuple

T = TypeVar("T")

Costs = Mapping[str, int]
"""What something costs, by pool."""
NO_COSTS: Costs = {}
STRUCK = "struck"
"""Whether a plan has struck already, beside the rounds of its weapons."""
FAR = 1_000
"""Farther than anyone moves in a turn."""
LIVELY = 1.25
"""A fighter is taken to fight on for sure until it has lost so much less than its whole life, on average."""
PATIENCE = 0.96
"""What a turn later is worth beside the turn before it."""


def total(one: Costs, other: Costs) -> Costs:
    """Two costs taken together."""
    return {pool: one.get(pool, 0) + other.get(pool, 0) for pool in {**one, **other}}


class PlannedStrike(NamedTuple):
    """An attack that can be repeated, with what it takes to make it ready each time."""

    worth: float
    """Harm on average, in lives of two: see `Vitality.fighter_value`."""
    costs: Costs
    ammo: str = ""
    """The pool of rounds it uses."""
    uses: int = 0
    reload: Costs | None = None
    """What filling the weapon costs; None if that cannot be done."""
    capacity: int = 0
    guarded: int = 0
    """How many times a turn the target can react to it."""
    bare: float = 0.0
    """Its worth when the target cannot react any more."""
    again: Costs = NO_COSTS
    """What it costs before it can be done once more: a thing thrown is drawn again."""
    straight: float = 1.0
    """The share of its worth that it has straight after another one in the same turn: a weapon recoils."""

    def harm(self, times: int, struck: bool = False) -> float:
        """What so many of them are worth in a turn, in which it has `struck` already or not."""
        guarded = min(times, self.guarded) if self.guarded else times
        whole = guarded * self.worth + (times - guarded) * self.bare
        if self.straight == 1.0 or not times:
            return whole
        first = self.worth if guarded else self.bare
        return self.straight * whole + (0.0 if struck else (1.0 - self.straight) * first)

    @property
    def repeated(self) -> Costs:
        """What it costs each time but the first."""
        return total(self.costs, self.again) if self.again else self.costs


class MoveMode(NamedTuple):
    """A way to move: what it costs and how far it leads."""

    costs: Costs
    length: int


class Purse(NamedTuple):
    """What a fighter pays with: what it has now, what a turn brings, and the most it can hold."""

    now: Costs
    turn: Costs
    most: Costs
    renewed: frozenset[str]
    """The pools that begin every turn anew; the others keep what was saved."""

    def next_turn(self, left: Costs) -> dict[str, int]:
        """What is in the pools when the next turn begins."""
        return {
            pool: gain if pool in self.renewed else min(self.most[pool], left.get(pool, 0) + gain)
            for pool, gain in self.turn.items()
        }


class PlanStep(NamedTuple):
    """Something done once before the strikes of a plan."""

    costs: Costs
    gain: float = 0.0
    """What it is worth by itself: wounds treated."""
    life: float = 0.0
    """The life that it gives the fighter itself, which foes can take again."""
    sets_posture: bool = False
    every_turn: bool = False
    """Whether it must be done again each turn."""


class PlanOutlook(NamedTuple):
    """What is expected of a plan."""

    worth: float
    done: float
    suffered: float
    strikes: tuple[int, ...]
    """Strikes in each turn."""


class Threat(NamedTuple):
    """One way in which a foe may fight: from where it is, or hand to hand."""

    strikes: Mapping[int, tuple[PlannedStrike | None, PlannedStrike | None]]
    """Its attack by distance, while the fighter stands as it does, and in the posture of the plan."""
    purse: Purse
    opening: Costs
    """What it costs to begin: a weapon drawn."""
    closes: bool
    ways: Sequence[MoveMode]
    distance: int | None
    life: float
    name: str = ""
    held: tuple[str, ...] = ()


class Body(NamedTuple):
    """What the planning fighter has."""

    purse: Purse
    ways: Sequence[MoveMode]
    life: float
    rounds: Mapping[str, int]
    friends: int
    struck: bool = False
    """Whether it has struck in this turn, and nothing else since."""


class PlanNumbers(NamedTuple):
    """A plan as numbers: steps, a place to go, and strikes from there."""

    strikes: Mapping[int, PlannedStrike | None]
    """Its attack by distance; None where it has none."""
    steps: Sequence[PlanStep] = ()
    late: PlanStep | None = None
    """A step taken with what is left after the strikes of a turn."""
    distance: int | None = None
    """How far the target is now."""
    goal: int | None = None
    """How far it shall be; None: wherever."""
    falls_back: bool = False
    """Whether it moves away with what is left of each turn."""
    reserve: Costs = NO_COSTS
    """What it keeps each turn for reactions."""
    late_strikes: Mapping[int, PlannedStrike | None] | None = None
    """Its attack by distance once the late step is done; None: as before."""
    target_life: float = 2.0
    later_strikes: Mapping[int, PlannedStrike | None] | None = None
    """Its attack by distance from its next turn on, when foes have answered; None: as before."""
    ending: float = 0.0
    """The worth of the end of the fight once all steps are done; 0 if the fight goes on."""


def at_distance(strikes: Mapping[int, T], gap: int | None) -> T | None:
    """The value at the known distance nearest to this one."""
    if not strikes:
        return None
    if gap is None or len(strikes) == 1:
        return next(iter(strikes.values()))
    if gap in strikes:
        return strikes[gap]
    return strikes[min(strikes, key=lambda known: (abs(known - gap), known))]


class Hand:
    """The pools of one fighter while the turns go by."""

    __slots__ = ("purse", "left", "debt", "went_free")

    def __init__(self, purse: Purse, left: Costs):
        self.purse = purse
        self.left = dict(left)
        self.debt: dict[str, int] | None = None
        self.went_free = False

    def begin_turn(self) -> None:
        self.left = self.purse.next_turn(self.left)
        self.went_free = False

    def can_pay(self, costs: Costs, reserve: Costs = NO_COSTS) -> bool:
        left = self.left
        for pool, amount in costs.items():  # noqa: SIM110
            if left.get(pool, 0) - reserve.get(pool, 0) < amount:
                return False
        return True

    def pay(self, costs: Costs, reserve: Costs = NO_COSTS) -> bool:
        """Pay costs if they can be paid; what is more than a turn ever gives is paid over several turns."""
        most = self.purse.most
        for pool, amount in costs.items():
            if amount > most.get(pool, amount):
                return self._pay_part(costs)
        if not self.can_pay(costs, reserve):
            return False
        for pool, amount in costs.items():
            self.left[pool] -= amount
        return True

    def _pay_part(self, costs: Costs) -> bool:
        debt = dict(costs) if self.debt is None else self.debt
        for pool in debt:
            part = min(debt[pool], self.left.get(pool, 0))
            debt[pool] -= part
            self.left[pool] = self.left.get(pool, 0) - part
        paid = not any(debt.values())
        self.debt = None if paid else debt
        return paid

    def move(self, ways: Sequence[MoveMode], gap: int, keep: Costs = NO_COSTS) -> int:
        """Move up to `gap`: in ways that leave enough to pay for something if they lead there, else as far as it
        goes; gives how far it got."""
        if keep and self.reach(ways, gap, keep) >= gap:
            return self._moved(ways, gap, keep)
        return self._moved(ways, gap, NO_COSTS)

    def reach(self, ways: Sequence[MoveMode], gap: int, keep: Costs) -> int:
        """How far it could move, up to `gap`, with something left."""
        left, went_free = dict(self.left), self.went_free
        gone = self._moved(ways, gap, keep)
        self.left, self.went_free = left, went_free
        return gone

    def _moved(self, ways: Sequence[MoveMode], gap: int, keep: Costs) -> int:
        gone = 0
        while gone < gap:
            best, score = None, (False, 0.0)
            for way in ways:
                free = not any(way.costs.values())
                if way.length <= 0 or (free and self.went_free) or not self.can_pay(way.costs, keep):
                    continue
                far = min(way.length, gap - gone)
                now = (free, far / (sum(way.costs.values()) or 1))
                if now > score:
                    best, score = way, now
            if best is None:
                break
            if not any(best.costs.values()):
                self.went_free = True
            for pool, amount in best.costs.items():
                self.left[pool] -= amount
            gone += min(best.length, gap - gone)
        return gone


def alive(lost: float, life: float) -> float:
    """How far a fighter still counts that has lost so much of its life on average, 0 to 1."""
    return max(0.0, min(1.0, LIVELY - lost / life)) if life > 0 else 0.0


class _Foe:
    """One foe while the turns go by."""

    __slots__ = ("threat", "hand", "gap", "opened", "lost", "struck")

    def __init__(self, threat: Threat):
        self.threat = threat
        self.hand = Hand(threat.purse, threat.purse.now)
        self.gap = threat.distance
        self.opened = not threat.opening
        self.lost = 0.0
        self.struck = False

    def turn(self, beside: int, posture: bool) -> float:
        """The harm of one turn."""
        threat, hand = self.threat, self.hand
        hand.begin_turn()
        if not self.opened:
            self.opened = hand.pay(threat.opening)
            if not self.opened:
                return 0.0
        if threat.closes and self.gap is not None and self.gap > beside:
            first = at_distance(threat.strikes, beside)
            strike = first and first[posture]
            self.gap -= hand.move(threat.ways, self.gap - beside, strike.costs if strike else NO_COSTS)
            if self.gap > beside + 1:
                return 0.0
        both = at_distance(threat.strikes, self.gap)
        strike = both[posture] if both else None
        if strike is None:
            return 0.0
        times = 0
        while times < 20 and hand.pay(strike.repeated if self.struck else strike.costs):
            times += 1
            self.struck = True
            if not any(strike.costs.values()):
                break
        return strike.harm(times)


def course(
    body: Body,
    plan: PlanNumbers,
    threats: Sequence[Threat],
    turns: int,
    beside: int,
    done_weight: float,
    suffered_weight: float,
) -> PlanOutlook:
    """The expected course of so many turns of a plan, the one that is under way first."""
    hand = Hand(body.purse, body.purse.now)
    queue = list(plan.steps)
    gap, late = plan.distance, plan.late
    strikes = plan.strikes
    posture = False
    rounds = dict(body.rounds)
    struck = body.struck
    foes = [_Foe(threat) for threat in threats]
    done = gained = suffered = worth = 0.0
    weight, life = 1.0, body.life
    share = 1.0 / (1 + body.friends)
    whole = plan.target_life + sum(foe.threat.life for foe in foes[1:])
    counts = []
    for turn in range(turns):
        if turn:
            hand.begin_turn()
            queue += [step for step in plan.steps if step.every_turn]
            strikes = strikes if plan.later_strikes is None else plan.later_strikes
        fit = alive(suffered, life)
        times, harm = 0, 0.0
        while queue and hand.pay(queue[0].costs):
            step = queue.pop(0)
            struck = False
            posture = posture or step.sets_posture
            gained += step.gain * weight
            life += step.life
        if plan.ending and not queue:
            gained += plan.ending * weight
            counts.append(0)
            break
        if not queue:
            if gap is not None and plan.goal is not None and gap > plan.goal:
                strike = at_distance(strikes, plan.goal)
                moved = hand.move(body.ways, gap - plan.goal, strike.costs if strike else NO_COSTS)
                _shift(foes, moved)
                gap -= moved
                struck = struck and not moved
            if gap is None or plan.goal is None or gap <= plan.goal:
                times, harm = _strike(hand, strikes, plan.reserve, gap, rounds, struck)
        struck = False
        if late is not None and hand.pay(late.costs):
            posture = True
            strikes = strikes if plan.late_strikes is None else plan.late_strikes
            late = late if late.every_turn else None
        if plan.falls_back and gap is not None:
            back = hand.reach(body.ways, FAR, plan.reserve)
            hand.move(body.ways, back, plan.reserve)
            gap += back
            for foe in foes:
                foe.gap = None if foe.gap is None else foe.gap + back
        counts.append(times)
        hit = min(harm * fit * weight, max(0.0, whole - done))
        done += hit
        _spread(foes, plan.target_life, harm * fit * (1 + body.friends))
        harm_now = 0.0
        for at, foe in enumerate(foes):
            before = foe.gap
            comes = foe.turn(beside, posture)
            if at == 0 and gap is not None and foe.gap is not None and before is not None:
                gap = max(beside, gap - (before - foe.gap))
            whole_life = plan.target_life if at == 0 else foe.threat.life
            harm_now += comes * alive(foe.lost, whole_life)
        hurt = min(harm_now * share * alive(suffered, life), max(0.0, life - suffered))
        suffered += hurt
        worth -= suffered_weight * hurt * weight
        weight *= PATIENCE
        if late is not None and plan.late is not None and plan.late.every_turn:
            posture = False
    worth += done_weight * done + gained
    return PlanOutlook(worth, done, suffered, tuple(counts))


def _shift(foes: Sequence[_Foe], moved: int) -> None:
    """Bring foes nearer by a move towards the target: as far as it leads, or for others half as far."""
    for at, foe in enumerate(foes):
        if foe.gap is not None:
            foe.gap = max(0, foe.gap - (moved if at == 0 else moved // 2))


def _spread(foes: Sequence[_Foe], first_life: float, harm: float) -> None:
    """Harm goes to the first foe until its life is gone, then to the next."""
    for at, foe in enumerate(foes):
        life = first_life if at == 0 else foe.threat.life
        part = min(harm, max(0.0, LIVELY * life - foe.lost))
        foe.lost += part
        harm -= part
        if harm <= 0:
            return


def _strike(
    hand: Hand,
    strikes: Mapping[int, PlannedStrike | None],
    reserve: Costs,
    gap: int | None,
    rounds: dict[str, int],
    struck: bool,
) -> tuple[int, float]:
    """Strike as often as can be paid, the weapon filled again where it is empty; how often, and the harm."""
    strike = at_distance(strikes, gap)
    if strike is None:
        return 0, 0.0
    times = 0
    while times < 20:
        if strike.ammo and rounds.get(strike.ammo, 0) < strike.uses:
            if strike.reload is None or not hand.pay(strike.reload):
                break
            rounds[strike.ammo] = strike.capacity
        if not hand.pay(strike.repeated if rounds.get(STRUCK) else strike.costs, reserve):
            break
        rounds[STRUCK] = 1
        if strike.ammo:
            rounds[strike.ammo] -= strike.uses
        times += 1
        if not any(strike.costs.values()):
            break
    return times, strike.harm(times, struck)


def threat_worth(threat: Threat, turns: int, beside: int, posture: bool = False) -> float:
    """The harm that one way of fighting does in so many turns, if nothing else moves."""
    foe = _Foe(threat)
    return sum(foe.turn(beside, posture) * PATIENCE**turn for turn in range(turns))
