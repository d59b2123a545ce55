"""The plans of a fighter: what to ready, where to go, what to attack with and how, over this turn and the next ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property, partial
from typing import Any

from ..engine.legal_actions import LegalAction, of
from ..engine.record import Entry
from ..engine.scene import Fighter, Intent, Scene
from ..engine.validate import prepare
from ..errors import CrisisError
from ..values import NamedTuple
from . import goals, movement, progress, resources, targeting, terrain
from .arms import (
    LIFE,
    Preparation,
    RepeatedAttack,
    attack_on,
    beside,
    preparations,
    purse,
    turn_costs,
    ways_to_move,
)
from .doctrine import Doctrine
from .evaluation import OWN_SIDE_WEIGHT, BudgetExceeded, Evaluator
from .forecast import (
    PATIENCE,
    Body,
    Costs,
    MoveMode,
    PlannedStrike,
    PlanNumbers,
    PlanOutlook,
    PlanStep,
    Threat,
    at_distance,
    course,
    threat_worth,
    total,
)

WAIT = "wait"
"""The words of a plan that does nothing."""
HORIZON = {"action": 2, "turn": 3, "fight": 4}
"""Turns that a doctrine looks ahead, by its key `ahead`."""
LONGEST = 8
"""Turns looked ahead if nobody can be hurt sooner."""
MAX_TARGETS = {"action": 1, "turn": 2, "fight": 3}
"""Targets weighed."""
MAX_THREATS = 2
"""Foes whose attacks are weighed one by one; others count like these."""
REFINED = {"action": 1, "turn": 1, "fight": 3}
"""Plans that are tried with a posture, with care taken, or with something kept for reactions."""
PATIENT_ROUNDS, IMPATIENCE, LEAST_CAUTION = 4, 0.1, 0.3
"""After so many rounds caution counts less with each round, by so much, but never less than that."""
BOLD, RETREAT_ROUNDS = 0.2, 8
"""The weight of harm suffered up to which nobody falls back, and the last round in which anybody does."""
APPROACH_WORTH = 0.1
"""What coming beside a foe is worth that cannot be attacked from afar."""
STRAY_COST, PROTECT_DISTANCE = 0.05, 3
"""The cost of each metre away from the protected fighter, beyond so many."""
MAX_AWAITED = 1
"""Turns running in which a fighter lets foes come that stay where they are."""
SWITCH_COST = POSTURE_COST = 0.05
"""What it costs to take another weapon in hand or to change posture, beside what that takes: nobody does so for next to
nothing."""
TREATMENT_COST = 0.05
"""What a treatment costs beside what it takes: nobody spends a turn on next to no chance."""
IDLE_MOVE_COST = 0.05
"""What it costs to come closer for an attack that is worth no more there."""
BETTER_CLOSER = 1.1
"""How much more an attack must be worth elsewhere for a fighter that gets nowhere to go there."""
OF_USE = 0.05
"""The least harm of a full turn for which a fighter that does not look ahead keeps what it has in hand, and for which
others attack while they fall back."""
MAX_PLACES = 2
"""Places on the map that are weighed."""
MAX_TREATED = 2
"""Turns running in which a fighter treats itself, if it could do anything else."""
TREATABLE = 0.12
"""A fighter that has lost less than that is not treated."""
GOING = ("seek", "hold")
"""The kinds of plans that lead to a place through which a side wins."""


class Proposal(NamedTuple):
    """A plan of a fighter, weighed."""

    plan: PlanNumbers
    course: PlanOutlook
    worth: float
    kind: str
    """What it is about: "attack", "close", "fall-back", "shelter", "guard", "seek", "hold", "posture", "prepare",
    "keep", "treat" or "wait"."""
    target: str = ""
    attack: RepeatedAttack | None = None
    """The attack that it leads to."""
    steps: tuple[LegalAction, ...] = ()
    late: LegalAction | None = None
    place: movement.Place | None = None
    """Where it goes first."""
    eased: float = 0.0
    """How much less foes do to it with each attack in the posture of the plan."""


class Planner:
    """Makes and weighs the plans of one fighter for one decision."""

    def __init__(
        self, evaluator: Evaluator, doctrine: Doctrine, scene: Scene, who: str, past: Sequence[Entry] = ()
    ):
        self.evaluator = evaluator
        self.system = evaluator.system
        self.doctrine = doctrine
        self.scene = scene
        self.who = who
        self.past = past
        self.fighter = scene.fighters[who]
        self.foes = evaluator.foes(scene, who)
        self.friends = evaluator.friends(scene, who)
        self.ward = targeting.protected_fighter(evaluator, scene, who, doctrine)
        self.left = goals.turns_left(self.system, scene)
        """In how many turns, this one included, the fight is over in any case."""
        self.turns = int(min(HORIZON[doctrine.ahead], self.left))
        self.purse = purse(evaluator, scene, who)
        self.space = self.system.space
        self.can_strike = False
        """Whether a plan attacks in this very turn."""
        self._threats: dict[int, tuple[Scene, tuple[Threat, ...]]] = {}
        reactions = self.system.reactions
        self.spent = self._with_pool(reactions.pool, 0) if reactions else scene
        """The scene when it has nothing left to react with."""

    # What a decision asks for at most once, and some never

    @cached_property
    def moves(self) -> list[LegalAction]:
        """The plain moves that are possible now."""
        return [one for one in self.legal_on("") if movement.is_move(self.system, self.scene, one)]

    @cached_property
    def stalled(self) -> bool:
        """Whether the last rounds have led nowhere: then it closes in, or leaves."""
        return progress.is_stalled(self.evaluator, self.scene, self.past)

    @cached_property
    def has_changed_posture(self) -> bool:
        """Whether it has changed its posture in this turn."""
        return progress.has_changed_posture(self.past, self.who)

    @cached_property
    def has_treated_enough(self) -> bool:
        """Whether it has treated itself for so many turns that it does something else now."""
        return progress.treated_turns(self.past, self.who) >= MAX_TREATED

    @cached_property
    def holding(self) -> frozenset[str]:
        """The nearest foes that stay where they are and attack from there: they are not expected to come."""
        near = [foe.name for foe in self.foes[:MAX_THREATS]]
        return frozenset(name for name in near if progress.holds_ground(self.past, name))

    @cached_property
    def goals(self) -> list[goals.WinningPlace]:
        """The places through which its side or another may win."""
        return goals.winning_places(self.evaluator, self.scene, self.left)

    # The parts of plans

    def legal(
        self, wanted: Callable[[Intent], bool] | None = None, target: str | None = None
    ) -> Iterator[LegalAction]:
        """Those of the wanted actions that it can take now in its turn, or of those on one target."""
        for one in of(self.system, self.scene, self.who, wanted, lambda row: row.ai.considered, target):
            if one.window == "turn":
                yield one

    def legal_on(self, target: str) -> list[LegalAction]:
        """The actions that it can take now against a target, or on nobody where none is named."""
        found: list[LegalAction] = self.evaluator.cached(
            ("legal", self.who, target), self.scene, lambda: list(self.legal(target=target))
        )
        return found

    @property
    def is_wary(self) -> bool:
        """Whether harm to itself counts."""
        return self.doctrine.weigh.suffered > 0

    def distance(self, scene: Scene, other: str) -> int | None:
        """The distance to another fighter, in the system's unit."""
        return self.evaluator.distance_between(scene, self.who, other)

    def targets(self) -> list[str]:
        """The foes worth planning against, in the order of preference."""
        names = [one.name for one in self.foes]
        chosen = targeting.choose_targets(
            self.evaluator, self.scene, self.who, self.doctrine, names, self.past
        )
        if self.doctrine.aim != "harm":
            return chosen[:1]
        most = MAX_TARGETS[self.doctrine.ahead]
        quick = list[tuple[float, int, str]]()
        for name in chosen[: most + 2]:
            try:
                attack = self.attack(self.scene, name)
            except BudgetExceeded:
                break
            quick.append((attack.rate if attack else 0.0, -len(quick), name))
        best = [name for rate, _, name in sorted(quick, reverse=True) if rate]
        # The nearest too: it may be in reach of nothing but a move.
        pressing = [name for name in chosen if self._urgency(name) > 1.0] if self.goals else []
        pressing = sorted(pressing, key=self._urgency, reverse=True)[:1]
        return list(dict.fromkeys((*best[:most], *chosen[:1], *pressing)))[: most + 1 + len(pressing)]

    def attack(self, scene: Scene, target: str, fresh: bool = True) -> RepeatedAttack | None:
        """Its best attack on a target from a scene."""
        return attack_on(self.evaluator, scene, self.who, target, self.doctrine.weigh.spent, fresh)

    def attacks_by_distance(self, scene: Scene, target: str) -> dict[int, RepeatedAttack | None]:
        """Its best attack on a target from where it is, from half as far and from beside it."""
        found: dict[int, RepeatedAttack | None] = self.evaluator.cached(
            ("by-distance", self.who, target), scene, lambda: self._attacks_by_distance(scene, target)
        )
        return found

    def _attacks_by_distance(self, scene: Scene, target: str) -> dict[int, RepeatedAttack | None]:
        gap = self.distance(scene, target)
        found: dict[int, RepeatedAttack | None] = {}
        for at in self._distances_on_field(scene, target, gap):
            there = scene if at == (gap or 0) else beside(self.system, scene, self.who, target, at)
            try:
                found[self.distance(there, target) or 0] = self.attack(there, target)
            except BudgetExceeded:
                if not found:
                    raise
        return found

    def _distances_on_field(self, scene: Scene, target: str, gap: int | None) -> list[int]:
        """The distances at which attacks are weighed; on a map also the one from which it comes to see the target, and
        none but the present one where no way leads there."""
        field, here, there = scene.field, scene.fighters[self.who].at, scene.fighters[target].at
        if field is None or here is None or there is None or not gap:
            return self._distances(gap)
        if field.way(here, there) is None:
            return [gap]
        found = self._distances(gap)
        first = None if field.sees(here, there) else terrain.lookout(self.system, scene, here, there)
        return found if first is None or first in found else [*found[:1], first, *found[1:]]

    def _distances(self, gap: int | None) -> list[int]:
        """The distances at which attacks are weighed, from the present one down."""
        near = self.space.beside
        if gap is None or gap <= near:
            return [gap or 0]
        middle = [gap // 2] if gap >= 6 * max(1, near) and self.doctrine.range != "melee" else []
        return [gap, near, *middle]

    def threats(self, scene: Scene) -> tuple[Threat, ...]:
        """How the nearest foes would fight it in its state in a scene, each in the way that hurts most."""
        if not self.is_wary:
            return ()
        if id(scene) not in self._threats:
            found = self.evaluator.remembered(
                "threats", self._situation(scene), lambda: self._made_threats(scene)
            )
            self._threats[id(scene)] = scene, found
        return self._threats[id(scene)][1]

    @property
    def threatened(self) -> bool:
        """Whether a foe could attack it from where it is."""
        return any(
            attack_on(self.evaluator, self.scene, foe.name, self.who) for foe in self.foes[:MAX_THREATS]
        )

    def _situation(self, scene: Scene) -> Any:
        """All of a scene that decides what foes could do to the fighter."""
        spent = () if self.system.reactions else frozenset(self.purse.now)
        states = [
            self.evaluator.state_number(one, spent if name == self.who else None)
            for name, one in scene.fighters.items()
        ]
        return (
            scene.field,
            self.who,
            self.turns,
            self.doctrine.name,
            scene.round,
            self.holding,
            repr(scene.sides),
            tuple(states),
        )

    def _made_threats(self, scene: Scene) -> tuple[Threat, ...]:
        return tuple(self._threat(scene, foe) for foe in self.foes[:MAX_THREATS])

    def _threat(self, scene: Scene, foe: Fighter) -> Threat:
        """How one foe would fight it: with the weapon in hand or another, from where it is or hand to hand."""
        gap = self.distance(scene, foe.name)
        near = self.space.beside
        ways = ways_to_move(self.evaluator, scene, foe.name, self.fighter)
        money = purse(self.evaluator, scene, foe.name, begun=False)
        ready = resources.with_full_turn(self.system, scene, foe.name, fresh=True)
        arms: list[tuple[Mapping[str, int], tuple[str, ...]]] = [({}, foe.held)]
        arms += [
            (turn_costs(self.system, one.action), one.after.fighters[foe.name].held)
            for one in preparations(self.system, ready, foe.name, draws_only=True)
            if one.changes == "hands"
        ]
        found = [(opening, held, self._strikes_of(scene, foe.name, held)) for opening, held in arms]
        armed = [one for one in found if one[2]]
        is_far = gap is not None and gap > near
        stays = foe.name in self.holding and any(found[0][2].get(gap or 0, ()))
        comes = is_far and bool(ways) and not stays and self._leads_to(scene, foe.name, self.who)
        options = [
            Threat(strikes, money, opening, closes, ways, gap, LIFE, foe.name, held)
            for opening, held, strikes in armed
            for closes in ([False, True] if comes else [False])
        ]
        if not options:
            return Threat({}, money, {}, bool(ways), ways, gap, LIFE, foe.name)
        if len(options) == 1:
            return options[0]
        turns = max(self.turns, 3)
        return max(options, key=lambda one: threat_worth(one, turns, near))

    def _leads_to(self, scene: Scene, one: str, other: str) -> bool:
        """Whether a way leads from one fighter to another."""
        here, there = scene.fighters[one].at, scene.fighters[other].at
        return scene.field is None or not here or not there or scene.field.way(here, there) is not None

    def _strikes_of(
        self, scene: Scene, foe: str, held: tuple[str, ...]
    ) -> dict[int, tuple[PlannedStrike | None, PlannedStrike | None]]:
        """The attacks of a foe on it with what it holds, from where it is and from beside."""
        gap, near = self.distance(scene, foe), self.space.beside
        one = scene.fighters[foe]
        armed = (
            scene
            if held == one.held
            else scene._replace(fighters={**scene.fighters, foe: one._replace(held=held)})
        )
        strikes: dict[int, tuple[PlannedStrike | None, PlannedStrike | None]] = {}
        comes = gap is not None and gap > near and self._leads_to(scene, foe, self.who)
        for at in [gap or 0, near] if comes else [gap or 0]:
            there = armed if at == (gap or 0) else beside(self.system, armed, foe, self.who, at)
            try:
                attack = attack_on(self.evaluator, there, foe, self.who)
            except BudgetExceeded:
                continue
            strikes[at] = (attack.strike, attack.strike) if attack else (None, None)
        return strikes if any(strike for strike, _ in strikes.values()) else {}

    # Plans

    def proposals(self) -> list[Proposal]:
        """The plans worth weighing, the best first."""
        found = self._keeping_away(list(self._bases()))
        closer = [one for one in found if one.kind == "close" and self._is_better_there(one)]
        if self.stalled and self.scene.field is not None:
            # One who has come all the way round does not run after another foe past one in reach.
            most = max((one.attack.rate for one in found if one.kind == "attack" and one.attack), default=0.0)
            closer = [one for one in closer if one.attack is None or one.attack.rate > BETTER_CLOSER * most]
        if self.stalled and closer:
            found = [*closer, *(one for one in found if one.kind in GOING)]
        if self.has_treated_enough and any(one.attack for one in found):
            # Nor does it wait, where it would wait for nothing but to treat itself again.
            found = [one for one in found if one.attack or one.kind in GOING]
        else:
            self.has_treated_enough = False
        self.can_strike = any(one.attack and any(one.course.strikes[:1]) for one in found)
        found.sort(key=lambda one: -one.worth)
        if not self._is_simple or found[0].kind == "close":
            tried: list[Proposal] = []
            try:
                for one in self._distinct(found)[: REFINED[self.doctrine.ahead]]:
                    tried += [] if one.plan.ending else self._refined(one)
            except BudgetExceeded:
                pass
            found += tried
        return sorted(list(filter(self._is_steady, found)) or found, key=lambda one: -one.worth)

    def _keeping_away(self, found: Sequence[Proposal]) -> list[Proposal]:
        """The plans; for a doctrine that fights from afar those that lead beside a foe only where no other attacks, or
        the fight gets nowhere."""

        def comes_near(one: Proposal) -> bool:
            goal, gap = one.plan.goal, one.plan.distance
            return goal is not None and gap is not None and goal <= self.space.beside < gap

        if self.doctrine.range != "far" or self.stalled:
            return list(found)
        away = [one for one in found if not comes_near(one)]
        return away if any(one.attack and one.kind != "await" for one in away) else list(found)

    @property
    def _is_simple(self) -> bool:
        """Whether it neither treats wounds nor minds harm: then the only posture it thinks of is one to go faster."""
        return not self.is_wary and not self.doctrine.weigh.healed

    def _is_better_there(self, proposal: Proposal) -> bool:
        """Whether attacks are worth clearly more where a plan goes than from here with what is in hand."""
        here = self.attack_from_here(proposal.target)
        there = proposal.attack
        return here is None or there is None or there.rate > BETTER_CLOSER * here.rate

    def _is_steady(self, proposal: Proposal) -> bool:
        """Whether a plan does not begin with drawing, for later, what was stowed unused before."""
        if not proposal.steps or (proposal.kind != "treat" and any(proposal.course.strikes[:1])):
            return True
        thing = proposal.steps[0].intent.get("thing")
        return thing not in progress.put_away_unused(self.past, self.who)

    def _distinct(self, found: Sequence[Proposal]) -> list[Proposal]:
        """The proposals with the first of each kind."""
        return list({repr((one.kind, one.steps[:1], one.target)): one for one in reversed(found)}.values())[
            ::-1
        ]

    def _bases(self) -> Iterator[Proposal]:
        """A plan for each target, each weapon and each distance; the weapon in hand first."""
        targets = self.targets()
        ready = resources.with_full_turn(self.system, self.scene, self.who)
        self.preparations: list[Preparation] = preparations(self.system, ready, self.who)
        arms: list[tuple[Preparation | None, Scene]] = [(None, self.scene)]
        arms += [
            (one, one.after._replace(turn=self.scene.turn))
            for one in self.preparations
            if one.changes == "hands"
        ]
        found = useful = False
        self.arms = arms
        for preparation, scene in arms:
            for one in self._against(targets, preparation, scene):
                found = True
                useful = useful or (one.attack is not None and one.attack.rate >= OF_USE)
                yield one
            if useful and self.doctrine.ahead == "action":
                # A fighter who does not look ahead keeps the weapon in hand as long as it is of use.
                break
        if not found:
            # No attack as it stands: perhaps in another posture.
            for preparation in self.preparations:
                if preparation.changes == "posture":
                    yield from self._against(
                        targets, preparation, preparation.after._replace(turn=self.scene.turn)
                    )
        if not found:
            yield from self._approaches(targets)
        if self.ward is not None:
            yield from self._within_budget(self._stay(targets))
        if self.scene.field is not None:
            yield from self._within_budget(self._positions(targets))
        yield from self._within_budget(self._towards_goals(targets))
        yield self._wait(targets)

    def _against(
        self, targets: Sequence[str], preparation: Preparation | None, scene: Scene
    ) -> Iterator[Proposal]:
        for target in targets:
            try:
                yield from self._base(preparation, scene, target)
            except BudgetExceeded:
                return

    def _approaches(self, targets: Sequence[str]) -> Iterator[Proposal]:
        """Coming beside a foe that cannot be attacked from anywhere now: its cover may not help it there."""
        gap = self.distance(self.scene, targets[0]) if targets else None
        if gap is None or gap <= self.space.beside or not self._has_moves or self.doctrine.range == "far":
            return
        if not self._leads_to(self.scene, self.who, targets[0]):
            return
        plan = PlanNumbers({}, distance=gap, goal=self.space.beside)
        found = self._weighed(plan, "close", targets[0], None, ())
        yield found._replace(worth=found.worth + APPROACH_WORTH)

    def _within_budget(self, proposals: Iterator[Proposal]) -> Iterator[Proposal]:
        """The proposals as long as distributions may be asked for."""
        with suppress(BudgetExceeded):
            yield from proposals

    def _positions(self, targets: Sequence[str]) -> Iterator[Proposal]:
        """Going first to a place from which it sees a foe, or where foes hit it less."""
        here = self.fighter.at
        if here is None or not targets or not self._has_moves or self.doctrine.range == "melee":
            return
        target = targets[0]
        there = self.scene.fighters[target].at
        sees = there is None or self.scene.sees(self.who, target)
        if there is None or (sees and (not self.is_wary or self.doctrine.ahead == "action")):
            return
        most = max(way.length for way in self.ways)
        foes = [foe.at for foe in self.foes[: MAX_THREATS + 1] if foe.at is not None]
        for place in terrain.vantage_points(self.system, self.scene, self.who, there, foes, most)[
            :MAX_PLACES
        ]:
            scene = self._standing_at(self.scene, place)
            attack = self.attack(scene, target)
            if attack is None:
                continue
            step = PlanStep(self._cost_of_way(place), sets_posture=True)
            gap = self.distance(scene, target) or 0
            plan = PlanNumbers({gap: attack.strike}, (step,), distance=gap)
            posture = self._standing_at(self.spent, place) if self.is_wary else None
            yield self._weighed(plan, "shelter", target, attack, (), place=place, posture=posture)

    def _towards_goals(self, targets: Sequence[str]) -> Iterator[Proposal]:
        """Going to a place through which its side wins, or to one through which foes would."""
        here = self.fighter.at
        if here is None or not targets or not self._has_moves:
            return
        quicker = self._quicker() if self.goals else []
        for goal in self.goals:
            kind = "seek" if goal.side == self.fighter.side else "hold"
            if kind == "seek" and self.who not in goal.turns:
                continue
            place = goals.nearest(self.system, self.scene, self.who, here, goal.cells)
            if place is None or goals.is_inside(self.scene, here, goal.cells):
                continue
            is_won = kind == "seek" and goal.is_won_by(self.who)
            target, drawn, attack = targets[0], None, None
            if not is_won:
                target, drawn, attack = self._best_from(place, targets)
            gap = self.distance(self._standing_at(self.scene, place), target)
            strikes = {gap or 0: attack.strike} if attack else {}
            ending = goals.ENDING if is_won else 0.0
            for risen in (None, *quicker):
                ways = self._ways_after(risen.after) if risen else self.ways
                steps = (*self._steps(risen), PlanStep(self._cost_of_way(place, ways)), *self._steps(drawn))
                plan = PlanNumbers(strikes, steps, distance=gap, ending=ending)
                actions = (risen.action,) if risen else ()
                yield self._weighed(plan, kind, target, attack, actions, ways=ways, place=place, risen=risen)

    def _best_from(
        self, place: movement.Place, targets: Sequence[str]
    ) -> tuple[str, Preparation | None, RepeatedAttack | None]:
        """The target that it attacks best from a place, as far as is weighed, with what it draws there for that."""
        best: tuple[str, Preparation | None, RepeatedAttack | None] = targets[0], None, None
        with suppress(BudgetExceeded):
            for drawn, scene in self.arms:
                there = self._standing_at(scene, place)
                for target in targets:
                    attack = self.attack(there, target)
                    if attack and (best[2] is None or attack.rate > best[2].rate):
                        best = target, drawn, attack
        return best

    def _quicker(self) -> list[Preparation]:
        """The changes of posture with which it goes farther than as it is."""
        return [
            one
            for one in self.preparations
            if one.changes == "posture" and _longest(self._ways_after(one.after)) > self._longest
        ]

    def _standing_at(self, scene: Scene, place: movement.Place | None) -> Scene:
        """The scene with the fighter at a place; as it is for none."""
        if place is None:
            return scene
        moved = scene.fighters[self.who]._replace(at=place)
        return scene._replace(fighters={**scene.fighters, self.who: moved})

    def _stay(self, targets: Sequence[str]) -> Iterator[Proposal]:
        """Going to the fighter it protects, on the side of the nearest foe."""
        ward = self.ward
        if ward is None or ward.at is None or self.fighter.at is None or not targets or not self._has_moves:
            return
        target = targets[0]
        foe = self.scene.fighters[target]
        place = foe.at and _between(ward.at, foe.at, max(1, self.space.beside))
        field = self.scene.field
        if place and field is not None and field.way(self.fighter.at, place) is None:
            return
        if (
            place is None
            or self.system.space.distance(self.fighter.at, place) * self.space.metres <= PROTECT_DISTANCE
        ):
            return
        there = self._standing_at(self.scene, place)
        try:
            attack = self.attack(there, target)
        except BudgetExceeded:
            return
        gap = self.distance(there, target) or 0
        strikes = {gap: attack.strike} if attack else {}
        plan = PlanNumbers(strikes, (PlanStep(self._cost_of_way(place)),), distance=gap)
        yield self._weighed(plan, "guard", target, attack, (), place=place)

    def _cost_of_way(self, place: movement.Place, ways: Sequence[MoveMode] = ()) -> Costs:
        """The rough costs of going to a place, in its own ways or in others."""
        assert self.fighter.at is not None
        far = self.scene.way(self.fighter.at, place, self.system.space.distance)
        way = max(ways or self.ways, key=lambda one: one.length)
        return {pool: amount * -(-far // way.length) for pool, amount in way.costs.items()}

    def _base(self, preparation: Preparation | None, scene: Scene, target: str) -> Iterator[Proposal]:
        attacks = self.attacks_by_distance(scene, target)
        gap = self.distance(scene, target)
        strikes = {at: attack.strike for at, attack in attacks.items() if attack}
        drawn = set(scene.fighters[self.who].held) - set(self.fighter.held)
        used = {one.intent.get(key) for one in attacks.values() if one for key in ("weapon", "item")}
        if drawn and used and not drawn & used:
            # What it would draw is not what it would attack with.
            return
        if not strikes:
            return
        steps = self._steps(preparation)
        actions = (preparation.action,) if preparation else ()
        goals: list[int | None] = [None]
        if gap is not None:
            goals = [at for at in strikes if at < gap or at == gap] if self._has_moves else [gap]
            if gap in strikes and self._may_fall_back(attacks[gap], gap):
                goals.append(-1)
        if self.doctrine.range == "melee" and gap is not None and self._has_moves:
            goals = [at for at in goals if at is not None and at == min(strikes)] or goals
        near = self.space.beside
        if gap is not None and gap not in strikes and near in strikes and self._will_come(target):
            # A fighter who comes into reach lets the other strike first.
            waiting: dict[int, PlannedStrike | None] = {gap: None, near + 1: None, near: strikes[near]}
            yield self._weighed(
                PlanNumbers(waiting, steps, distance=gap), "await", target, attacks[near], actions
            )
        for goal in goals:
            away = goal == -1
            at = (gap or 0) if goal is None or away else goal
            if at not in strikes:
                continue
            if at == gap and gap is not None and gap > near and near in strikes:
                best = self._best_beside(target)
                strikes = {
                    **strikes,
                    near: max(strikes[near], best or strikes[near], key=lambda one: one.worth),
                }
            stays = gap is not None and at == gap
            known = {key: one for key, one in strikes.items() if stays or key <= at}
            plan = PlanNumbers(
                known,
                steps,
                distance=gap,
                goal=None if away or goal is None or goal == gap else goal,
                falls_back=away,
            )
            kind = "fall-back" if away else "close" if plan.goal is not None else "attack"
            found = self._weighed(plan, kind, target, attacks[at], actions)
            idle = kind == "close" and not self._is_better_there(found)
            yield found._replace(worth=found.worth - IDLE_MOVE_COST * idle)

    def _best_beside(self, target: str) -> PlannedStrike | None:
        """Its best attack hand to hand with anything it carries: what it would draw when a foe has come."""
        if self.doctrine.ahead == "action":
            return None
        found = []
        for _, scene in self.arms:
            try:
                attack = self.attacks_by_distance(scene, target).get(self.space.beside)
            except BudgetExceeded:
                break
            if attack:
                found.append(attack.strike)
        return max(found, key=lambda one: one.worth, default=None)

    def _will_come(self, target: str) -> bool:
        """Whether a foe is expected to come to it, for a doctrine that plans that far."""
        if self.doctrine.ahead != "fight" or self.stalled:
            return False
        if progress.awaited_turns(self.past, self.who) >= MAX_AWAITED:
            return False
        return any(one.name == target and one.closes and one.strikes for one in self.threats(self.spent))

    @property
    def _has_moves(self) -> bool:
        return bool(self.ways)

    @property
    def ways(self) -> list[MoveMode]:
        """The ways it can move with a full turn."""
        found: list[MoveMode] = self.evaluator.cached(
            ("ways", self.who), self.scene, lambda: self._ways_after(self.scene)
        )
        return found

    def _may_fall_back(self, attack: RepeatedAttack | None, gap: int) -> bool:
        """Whether it moves away from foes that it attacks from so far: its doctrine ever does, it has not done so for
        long enough, its attack is of use from there, and foes do less to it from farther away."""
        if not self._has_moves or self.doctrine.range == "melee" or self.doctrine.weigh.suffered <= BOLD:
            return False
        if gap <= self.space.beside or self.doctrine.range == "far":
            return gap > self.space.beside
        if self.scene.round > RETREAT_ROUNDS or attack is None or attack.rate < OF_USE:
            # Where its own attacks hardly hit it would only have to come back.
            return False
        return any(one.closes or not any(one.strikes.get(gap, (None,))) for one in self.threats(self.spent))

    def _steps(self, preparation: Preparation | None) -> tuple[PlanStep, ...]:
        if preparation is None:
            return ()
        return (PlanStep(turn_costs(self.system, preparation.action)),)

    def _wait(self, targets: Sequence[str]) -> Proposal:
        plan = PlanNumbers({}, distance=self.distance(self.scene, targets[0]) if targets else None)
        return self._weighed(plan, "wait", targets[0] if targets else "", None, ())

    def _weighed(
        self,
        plan: PlanNumbers,
        kind: str,
        target: str,
        attack: RepeatedAttack | None,
        steps: tuple[LegalAction, ...],
        late: LegalAction | None = None,
        posture: Scene | None = None,
        ways: Sequence[MoveMode] | None = None,
        stands: Scene | None = None,
        place: movement.Place | None = None,
        far: bool = False,
        risen: Preparation | None = None,
    ) -> Proposal:
        """A plan with what is expected of it; it `stands` as in that scene when foes have their turns, and takes
        the `posture` of the other; with `far` it is weighed as plans are that lead to no strike within the horizon;
        it goes to its place once it has `risen`."""
        fighter = self.fighter
        body = Body(
            self.purse,
            self.ways if ways is None else ways,
            LIFE,
            {pool: left for pool, left in fighter.pools.items() if self.system.is_of_thing(pool)},
            len(self.friends),
            attack is not None and any(fighter.marks.get(mark) for mark, _ in attack.value.marks),
        )
        threats = self._threats_of(target, stands or self.spent, posture)
        weigh = self.doctrine.weigh
        done = weigh.done * self._urgency(target) if self.goals else weigh.done
        haste = IMPATIENCE * max(0, self.scene.round - PATIENT_ROUNDS)
        caution = 0.0 if self.stalled else weigh.suffered * max(LEAST_CAUTION, 1 - haste)
        scale = max(1.0, len(self.foes) / MAX_THREATS) if threats else 1.0
        found = course(body, plan, threats, self.turns, self.space.beside, done, caution * scale)
        if plan.strikes and (far or not found.done):
            # Too far for any strike within the horizon: look on until there is one, the sooner the better.
            found = course(body, plan, (), int(min(LONGEST, self.left)), self.space.beside, done, 0.0)
            first = next((turn for turn, times in enumerate(found.strikes) if times), LONGEST)
            found = found._replace(worth=found.worth / LONGEST * PATIENCE**first)
        worth = found.worth - self._stray_cost(plan, target, place) - self._switch_cost(steps)
        worth -= POSTURE_COST * (kind in ("posture", "shelter") and not far)
        worth += self._goal_worth(plan, target, place, risen) if self.goals else 0.0
        eased = 0.0 if posture is None else sum(map(_eased, threats))
        return Proposal(plan, found, worth, kind, target, attack, steps, late, place, eased)

    def arriving_late(self, proposal: Proposal) -> Proposal:
        """A plan that comes closer, weighed as if it were so far away that it attacks only in a later turn."""
        late = proposal
        while any(late.course.strikes[:1]):
            plan = late.plan._replace(distance=(late.plan.distance or 0) + 1)
            late = self._weighed(plan, late.kind, late.target, late.attack, late.steps, late.late)
        return late

    def _switch_cost(self, steps: Sequence[LegalAction]) -> float:
        """What it costs to begin with another weapon than the one in hand."""
        things = {one.intent.get("thing") for one in steps} - {None}
        return SWITCH_COST if self.fighter.held and things - set(self.fighter.held) else 0.0

    def _threats_of(self, target: str, stands: Scene, posture: Scene | None) -> list[Threat]:
        """The threats in one state, with those in another posture beside them, the target's first."""
        now = self.threats(stands)
        if posture is not None and now:
            now = self.evaluator.remembered(
                "posture",
                (self._situation(stands), self._situation(posture)),
                lambda: tuple(self._in_posture(one, posture) for one in now),
            )
        return sorted(now, key=lambda one: one.name != target)

    def _in_posture(self, threat: Threat, posture: Scene) -> Threat:
        """A threat with the attacks on it in a posture beside the present ones; another one, if the foe would fight
        otherwise then."""
        then = self._strikes_of(posture, threat.name, threat.held) if threat.strikes else {}
        if posture.fighters[self.who].at != self.fighter.at:
            # From where the foe is now it may be nearer, or not see the fighter any more.
            then = {
                **then,
                threat.distance or 0: then.get(self.distance(posture, threat.name) or 0, (None, None)),
            }
        strikes = {
            at: (strike[0], then[at][0] if at in then else strike[0]) for at, strike in threat.strikes.items()
        }
        same = threat._replace(strikes=strikes)
        other = self._threat(posture, self.scene.fighters[threat.name])
        turns, near = max(self.turns, 3), self.space.beside
        if threat_worth(other, turns, near, True) > threat_worth(same, turns, near, True):
            return other
        return same

    def _stray_cost(self, plan: PlanNumbers, target: str, place: movement.Place | None) -> float:
        """What it costs a guard to be away from the fighter it protects."""
        if self.ward is None or self.ward.at is None or self.fighter.at is None:
            return 0.0
        there = self._end_of(plan, target, place)
        apart = self.system.space.distance(there, self.ward.at) * self.space.metres
        return STRAY_COST * max(0.0, apart - PROTECT_DISTANCE)

    def _end_of(self, plan: PlanNumbers, target: str, place: movement.Place | None) -> movement.Place:
        """Where the fighter is after a plan."""
        there = place or self.fighter.at
        assert there is not None
        if plan.goal is None or not target:
            return there
        return beside(self.system, self.scene, self.who, target, plan.goal).fighters[self.who].at or there

    def _urgency(self, target: str) -> float:
        """How many times as much harm to a foe counts as it would if the foe were not about to win."""
        foe = self.scene.fighters.get(target)
        near = (goal.soon for goal in self.goals if foe and goal.side == foe.side and goal.is_needed(target))
        return 1.0 + goals.PRESSING * max(near, default=0.0)

    def _goal_worth(
        self, plan: PlanNumbers, target: str, place: movement.Place | None, risen: Preparation | None = None
    ) -> float:
        """The worth of where a plan leads and how soon, for winning by a place and for holding one, beside that of
        staying."""
        here, field = self.fighter.at, self.scene.field
        if here is None or field is None:
            return 0.0
        there = self._end_of(plan, target, place)
        there = there if field.way(here, there) is not None else here
        return self._worth_at(there, risen) - self._worth_at(here)

    def _worth_at(self, there: movement.Place, risen: Preparation | None = None) -> float:
        """The worth of going to a place, for winning and for holding, perhaps once the fighter has risen."""
        here, worth = self.fighter.at, 0.0
        assert here is not None
        scene = risen.after if risen else self.scene
        gone = self._turns_to(scene, here, (there,))
        gone += resources.turn_share(self.system, self.fighter, risen.action) if risen else 0.0
        for goal in self.goals:
            left = self._turns_to(scene, there, goal.cells)
            # Who does something else first goes on after the turns that are looked ahead.
            turns = gone + (left + self.turns if left else 0.0)
            if goal.side != self.fighter.side:
                worth += goals.HOLDING * goal.soon * goals.LATER**turns
            elif self.who in goal.turns:
                worth += goal.worth(self.who, turns)
        return worth

    def _turns_to(self, scene: Scene, start: movement.Place, cells: Sequence[movement.Place]) -> float:
        """In how many turns it comes from a place to the nearest of some cells, in its posture of a scene."""
        found: float = self.evaluator.cached(
            ("turns-to", self.who, start, tuple(cells)),
            scene,
            lambda: goals.turns_to(self.evaluator, scene, self.who, start, cells),
        )
        return found

    # Plans in words

    def is_too_late(self, proposal: Proposal) -> bool:
        """Whether a plan comes to its attack only once the fight is over."""
        is_cut = self.left < LONGEST and proposal.kind not in GOING
        return is_cut and proposal.attack is not None and not any(proposal.course.strikes)

    def attack_from_here(self, target: str) -> RepeatedAttack | None:
        """Its best attack on a target with what it holds, from where it is."""
        try:
            return self.attack(self.scene, target) if target else None
        except BudgetExceeded:
            return None

    def kind_of(self, action: LegalAction) -> str:
        """What the first step of a plan is: "treat", "posture" or "prepare"."""
        changes = next(
            (one.changes for one in self.preparations if one.action.intent == action.intent), "treats"
        )
        return {"treats": "treat", "posture": "posture", "marks": "posture"}.get(changes, "prepare")

    def is_safer(self, proposal: Proposal) -> bool:
        """Whether foes do less to it in the posture of a plan than as it stands."""
        return proposal.eased > 0

    def turns_to_pay(self, intent: Intent) -> int:
        """In how many turns, this one included, an action is paid."""
        payment = prepare(self.system, self.scene, intent).payment
        if not payment.of:
            return 1
        gain = self.purse.turn.get(payment.pool, 1) or 1
        return 1 + -(-(payment.of - payment.paid) // gain)

    def words(self, proposal: Proposal) -> str:
        """A plan in a few words: `draw maul, close in, attack Ada with maul`."""
        plan, parts = proposal.plan, []
        for one in proposal.steps:
            intent = one.intent
            thing = intent.get("thing") or intent.get("item") or intent.target
            parts.append(f"{intent.action} {thing}".strip().replace("-", " ", 1) if thing else intent.action)
        if proposal.place is not None and self.scene.field and proposal.kind in GOING:
            parts.append(f"go to {self.scene.field.at(proposal.place).place}")
        elif proposal.place is not None and proposal.kind == "guard" and self.ward is not None:
            parts.append(f"go to {self.ward.name}")
        elif proposal.place is not None:
            parts.append(f"go to {proposal.place[0]:g},{proposal.place[1]:g}")
        if plan.goal is not None and plan.distance is not None and plan.goal < plan.distance:
            parts.append(
                "close in" if plan.goal <= self.space.beside else f"come to {plan.goal} {self.space.unit}"
            )
        comes = self._counts_on_coming(plan)
        is_in_vain = comes and plan.strikes.get(plan.distance or 0) is None
        if is_in_vain:
            parts.append("let them come")
        if proposal.attack is not None and (self.left >= LONGEST or any(proposal.course.strikes)):
            weapon = proposal.attack.intent.get("weapon")
            when = "later " if parts and self._strikes_later(proposal) else ""
            parts.append(f"{when}attack {proposal.target}{f' with {weapon}' if weapon else ''}")
        if proposal.kind == "attack" and comes and not is_in_vain:
            parts.append("let them come")
        if proposal.late is not None:
            parts.append(f"then {proposal.late.intent.action}")
        if plan.falls_back:
            parts.append("fall back")
        if plan.reserve:
            parts.append("keep something to react with")
        return ", ".join(parts) or WAIT

    def _strikes_later(self, proposal: Proposal) -> bool:
        """Whether a plan does not strike in this turn: it has no time left for that, or cannot from where it stays."""
        plan, strikes = proposal.plan, proposal.course.strikes
        is_out_of_reach = plan.goal is None and plan.strikes.get(plan.distance or 0) is None
        return not any(strikes[:1]) or (
            plan.distance is not None and len(plan.strikes) > 1 and is_out_of_reach
        )

    def _counts_on_coming(self, plan: PlanNumbers) -> bool:
        """Whether a plan that stays where it is attacks to some purpose only once the foe has come beside it."""
        near, gap = self.space.beside, plan.distance
        here, there = plan.strikes.get(gap or 0), plan.strikes.get(near)
        is_far = gap is not None and gap > near and plan.goal is None and not plan.falls_back
        return is_far and there is not None and (here is None or here.worth < OF_USE <= there.worth)

    # Plans refined

    def _refined(self, base: Proposal) -> Iterator[Proposal]:
        """A plan with a posture taken, with care taken, with something kept, or with a wound treated first."""
        yield from self._with_treatment(base)
        for one in self.preparations:
            if one.changes == "posture" or (one.changes in ("marks", "supplies") and not self._is_simple):
                yield from self._with_preparation(base, one)
        if self.is_wary:
            yield from self._with_reserve(base)

    def _with_treatment(self, base: Proposal) -> Iterator[Proposal]:
        if not self.doctrine.weigh.healed:
            return
        vitality = self.evaluator.vitality
        hurt = {
            one.name
            for one in self.scene.of_side(self.fighter.side)
            if vitality.lost_share(one) >= TREATABLE
            and not (self.has_treated_enough and one.name == self.who)
        }
        for one in self.legal(lambda intent: intent.target in hurt) if hurt else ():
            gain = self._gain(self.scene, one)
            if gain <= 0:
                continue
            step = PlanStep(turn_costs(self.system, one), gain, self._life_given(self.scene, one))
            plan = base.plan._replace(steps=(step, *base.plan.steps))
            yield self._weighed(plan, "treat", base.target, base.attack, (one, *base.steps), place=base.place)
        if not self.has_treated_enough and vitality.lost_share(self.fighter) >= TREATABLE:
            yield from self._with_remedy(base)

    def _with_remedy(self, base: Proposal) -> Iterator[Proposal]:
        """A plan with something that heals it taken in hand first, and what it held taken in hand again."""
        for drawn in self.preparations:
            thing = drawn.action.intent.get("thing")
            if drawn.changes != "hands" or thing not in self.fighter.sheet.get("items", ()):
                continue
            ready = resources.with_full_turn(self.system, drawn.after, self.who)
            draw = turn_costs(self.system, drawn.action)
            for one in of(self.system, ready, self.who, partial(self._takes, thing)):
                gain = self._gain(ready, one)
                if gain <= 0:
                    continue
                again = (
                    PlanStep(draw)
                    if set(self.fighter.held) - set(drawn.after.fighters[self.who].held)
                    else None
                )
                treatment = PlanStep(turn_costs(self.system, one), gain, self._life_given(ready, one))
                steps = (PlanStep(draw), treatment, *((again,) if again else ()))
                plan = base.plan._replace(steps=(*steps, *base.plan.steps))
                first = (drawn.action, one, *base.steps)
                yield self._weighed(plan, "treat", base.target, base.attack, first, place=base.place)

    def _takes(self, thing: str, intent: Intent) -> bool:
        """Whether it would use a thing on itself."""
        return intent.patient == self.who and thing in (intent.get("item"), intent.get("thing"))

    def _gain(self, scene: Scene, treatment: LegalAction) -> float:
        """What the doctrine takes a treatment to be worth, less the supplies that it uses up; 0 if it heals nothing."""
        value = self.evaluator.action_value(scene, treatment.intent)
        if value is None or value.restored <= 0:
            return 0.0
        weigh, patient = self.doctrine.weigh, treatment.intent.patient
        gain = (
            LIFE * weigh.healed * value.restored * (2.0 if self.ward and self.ward.name == patient else 1.0)
        )
        gain -= OWN_SIDE_WEIGHT * value.own + TREATMENT_COST
        return gain - weigh.spent / 10 * resources.consumed_share(self.system, self.fighter, treatment)

    def _life_given(self, scene: Scene, treatment: LegalAction) -> float:
        """The life that a treatment of itself gives, for a doctrine that plans far enough to see it taken again."""
        if self.doctrine.ahead != "fight" or treatment.intent.patient != self.who:
            return 0.0
        value = self.evaluator.action_value(scene, treatment.intent)
        return LIFE * value.restored if value else 0.0

    def _with_preparation(self, base: Proposal, one: Preparation) -> Iterator[Proposal]:
        if one.changes == "marks" and (base.kind == "await" or base.place is not None):
            # What is prepared is lost before anybody has come, or on the way.
            return
        if one.changes == "posture" and base.kind == "wait" and self.can_strike:
            # It could attack, and would lie down to do nothing.
            return
        if one.changes == "posture" and self.has_changed_posture:
            # It would take back what it has just paid for.
            return
        costs = turn_costs(self.system, one.action)
        state = one.after.fighters[self.who]
        armed = self._armed(base, state)
        passing = one.changes == "marks" or any(
            name in state.ends and name not in self.fighter.ends for name in state.conditions
        )
        posture = self._standing_at(self._restored(one.after), base.place) if self.is_wary else None
        if one.changes == "supplies":
            plan = base.plan._replace(steps=(*base.plan.steps, PlanStep(costs)))
            rounds = state.pools
            if base.attack and base.attack.strike.ammo:
                ammo = base.attack.strike.ammo
                if rounds.get(ammo, 0) <= self.fighter.pools.get(ammo, 0):
                    return
                filled = (one.action, *base.steps)
                yield self._weighed(plan, "prepare", base.target, base.attack, filled, place=base.place)
            return
        strikes, attack = base.plan.strikes, base.attack
        if base.target and base.attack:
            attacks = {at: self._attack_at(armed, base.target, at) for at in base.plan.strikes}
            there = base.plan.goal or base.plan.distance or 0
            attack = attacks[min(attacks, key=lambda at: abs(at - there))] or attack
            strikes = {at: each and each.strike for at, each in attacks.items()}
        if one.changes == "marks":
            better = {
                at: strike._replace(costs=total(strike.costs, costs))
                for at, strike in strikes.items()
                if strike and (before := base.plan.strikes.get(at)) and strike.worth > before.worth + 1e-9
            }
            if better and attack:
                passes = self._passes(one)
                plan = base.plan._replace(strikes=better)
                if self._lasts(armed, attack.intent, one):
                    once = PlanStep(costs, every_turn=passes)
                    boosted = {at: strike for at, strike in strikes.items() if at in better}
                    plan = base.plan._replace(strikes=boosted, steps=(*base.plan.steps, once))
                found = self._weighed(plan, "prepare", base.target, attack, (*base.steps, one.action))
                if not passes or found.course.strikes[0]:
                    # What ends with the turn is lost on a plan that strikes only later.
                    yield found
            strikes = base.plan.strikes
            attack = base.attack
        if base.plan.strikes and not any(strikes.values()):
            return
        step = PlanStep(costs, sets_posture=True, every_turn=passing)
        ways = None
        if one.changes == "posture":
            ways = self._ways_after(armed)
        slows = ways is not None and self._slows(base, ways)
        quickens = ways is not None and _longest(ways) > self._longest
        if self._is_simple and not quickens:
            return
        if one.changes == "posture" and not slows:
            plan = base.plan._replace(
                strikes=strikes, steps=(step, *base.plan.steps), later_strikes=self._answered(base, strikes)
            )
            # A fighter that lies gets up for a long way.
            far = quickens and len(base.course.strikes) == LONGEST
            yield self._weighed(
                plan,
                "posture",
                base.target,
                attack,
                (one.action, *base.steps),
                posture=posture,
                ways=ways,
                far=far,
                place=base.place,
            )
        if self.is_wary and not (slows and base.plan.falls_back):
            after = strikes if one.changes == "posture" else None
            plan = base.plan._replace(late=step, late_strikes=after)
            kind = "posture" if base.place is None else base.kind
            yield self._weighed(
                plan,
                kind,
                base.target,
                base.attack,
                base.steps,
                one.action,
                posture=posture,
                place=base.place,
            )

    def _answered(
        self, base: Proposal, strikes: Mapping[int, PlannedStrike | None]
    ) -> Mapping[int, PlannedStrike | None] | None:
        """The attacks of a posture once a foe in reach has answered it with one of its own, for a doctrine that looks
        ahead: worth no more than without the posture."""
        gap = base.plan.distance
        if self.doctrine.ahead == "action" or gap is None or gap > self.space.beside:
            return None
        return {at: _lesser(strike, base.plan.strikes.get(at)) for at, strike in strikes.items()}

    def _slows(self, base: Proposal, ways: Sequence[MoveMode]) -> bool:
        """Whether a plan goes somewhere, and a posture with these ways to move would only slow it."""
        if base.kind != "close" and base.place is None and not base.plan.falls_back:
            return False
        return _longest(ways) < self._longest

    @property
    def _longest(self) -> int:
        """How far its longest way to move leads."""
        return _longest(self.ways)

    def _ways_after(self, scene: Scene) -> list[MoveMode]:
        """The ways it can move with a full turn in its state of a scene."""
        return ways_to_move(self.evaluator, scene, self.who, self.foes[0] if self.foes else None)

    def _lasts(self, scene: Scene, intent: Intent, preparation: Preparation) -> bool:
        """Whether what a preparation has marked is still there after an attack."""
        begun, after = self.fighter.marks, preparation.after.fighters[self.who].marks
        marks = [mark for mark, count in after.items() if begun.get(mark) != count]
        try:
            prepared = prepare(self.system, resources.with_full_turn(self.system, scene, self.who), intent)
            answer = next(iter(prepared.odds(self.evaluator.odds_table)))[0]
            events = prepared.effects(self.system, scene, intent, answer)
        except CrisisError:
            return False
        ended = {
            event.what
            for event in (*prepared.payment.events, *events)
            if event.who == self.who and not event.now
        }
        return not any(f"mark:{mark}" in ended for mark in marks)

    def _passes(self, preparation: Preparation) -> bool:
        """Whether all that a preparation marks ends with the turn."""
        begun, after = self.fighter.marks, preparation.after.fighters[self.who].marks
        marks = [mark for mark, count in after.items() if begun.get(mark) != count]
        return all(self.system.scope(mark) in resources.TURN_SCOPES for mark in marks)

    def _armed(self, base: Proposal, state: Fighter) -> Scene:
        """The scene after a preparation, where the plan goes and with what it draws in hand."""
        held = state.held
        if base.steps and base.attack:
            weapon = base.attack.intent.get("weapon")
            held = (weapon,) if weapon and weapon not in held else held
        state = state._replace(pools=self.fighter.pools, held=held)
        armed = self.scene._replace(fighters={**self.scene.fighters, self.who: state})
        return self._standing_at(armed, base.place)

    def _restored(self, after: Scene) -> Scene:
        """The scene after a preparation with the pools of a fighter that has spent its turn."""
        one, spent = after.fighters[self.who], self.spent.fighters[self.who].pools
        pools = {**one.pools, **{pool: spent[pool] for pool in self.purse.now}}
        return after._replace(
            turn=self.scene.turn, fighters={**after.fighters, self.who: one._replace(pools=pools)}
        )

    def _attack_at(self, scene: Scene, target: str, at: int) -> RepeatedAttack | None:
        gap = self.distance(scene, target)
        there = scene if gap is None or at == gap else beside(self.system, scene, self.who, target, at)
        return self.attack(there, target, fresh=False)

    def _with_reserve(self, base: Proposal) -> Iterator[Proposal]:
        """The plan with what a reaction takes kept each turn."""
        reactions = self.system.reactions
        if reactions is None or not base.plan.strikes:
            return
        plan = base.plan._replace(reserve={reactions.pool: reactions.price})
        kept = self._with_pool(reactions.pool, reactions.price)
        kind = "keep" if base.place is None else base.kind
        yield self._weighed(plan, kind, base.target, base.attack, base.steps, stands=kept, place=base.place)

    def _with_pool(self, pool: str, left: int) -> Scene:
        one = self.fighter._replace(pools={**self.fighter.pools, pool: left})
        return self.scene._replace(fighters={**self.scene.fighters, self.who: one})


def _between(ward: movement.Place, foe: movement.Place, gap: int) -> movement.Place:
    """The place so far from one fighter towards another."""
    east, north = foe[0] - ward[0], foe[1] - ward[1]
    length = (east * east + north * north) ** 0.5
    if length <= gap:
        return foe
    return ward[0] + east / length * gap, ward[1] + north / length * gap


def _lesser(one: PlannedStrike | None, other: PlannedStrike | None) -> PlannedStrike | None:
    """Of two attacks the one worth less; the first if there is no other."""
    return other if one and other and other.worth < one.worth else one


def _longest(ways: Sequence[MoveMode]) -> int:
    """How far the longest of these ways leads; 0 if there is none."""
    return max((way.length for way in ways), default=0)


def _eased(threat: Threat) -> float:
    """How much less a foe does with each attack in the posture of a plan."""
    both = at_distance(threat.strikes, threat.distance)
    before, after = both or (None, None)
    return (before.worth if before else 0.0) - (after.worth if after else 0.0)
