"""A fighter at one decision: what it can do now, where it could go, and how well it attacks from there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property

from ...engine.legal_actions import LegalAction, of
from ...engine.record import Entry
from ...engine.scene import Intent, Scene
from .. import goals, movement, progress, resources, targeting, terrain
from ..arms import (
    Preparation,
    RepeatedAttack,
    attack_on,
    beside,
    preparations,
    purse,
    turn_costs,
    ways_to_move,
)
from ..doctrine import Doctrine
from ..evaluation import BudgetExceeded, Evaluator
from ..forecast import Costs, MoveMode

HORIZON = {"action": 2, "turn": 3, "fight": 4}
"""Turns that a doctrine looks ahead, by its key `ahead`."""
MAX_TARGETS = {"action": 1, "turn": 2, "fight": 3}
"""Targets weighed."""
MAX_THREATS = 2
"""Foes whose attacks are weighed one by one; others count like these."""
MAX_TREATED = 2
"""Turns running in which a fighter treats itself, if it could do anything else."""


class Planner:
    """What a fighter knows, can do and wants by its doctrine, for one decision."""

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
        reactions = self.system.reactions
        self.spent = self.with_pool(reactions.pool, 0) if reactions else scene
        """The scene when the fighter has nothing left to react with."""

    # What a decision asks for at most once, and some never

    @cached_property
    def moves(self) -> list[LegalAction]:
        """The plain moves that are possible now."""
        return [action for action in self.legal_on("") if movement.is_move(self.system, self.scene, action)]

    @cached_property
    def ways(self) -> list[MoveMode]:
        """The ways the fighter can move with a full turn; none where it has nowhere to go."""
        return self.ways_in(self.scene)

    @cached_property
    def stalled(self) -> bool:
        """Whether the last rounds have led nowhere: then the fighter closes in, or leaves."""
        return progress.is_stalled(self.evaluator, self.scene, self.past)

    @cached_property
    def has_treated_enough(self) -> bool:
        """Whether the fighter has treated itself for so many turns that it does something else now."""
        return progress.treated_turns(self.past, self.who) >= MAX_TREATED

    @cached_property
    def holding(self) -> frozenset[str]:
        """The nearest foes that stay where they are and attack from there: they are not expected to come."""
        near = [foe.name for foe in self.foes[:MAX_THREATS]]
        return frozenset(name for name in near if progress.holds_ground(self.past, name))

    @cached_property
    def goals(self) -> list[goals.WinningPlace]:
        """The places through which a side may win."""
        return goals.winning_places(self.evaluator, self.scene, self.left)

    @cached_property
    def preparations(self) -> list[Preparation]:
        """What the fighter could do without dice on itself in a full turn."""
        return preparations(
            self.system, resources.with_full_turn(self.system, self.scene, self.who), self.who
        )

    @cached_property
    def arms(self) -> list[tuple[Preparation | None, Scene]]:
        """What the fighter could attack with: what is in hand, and what each preparation takes in hand."""
        draws = [known for known in self.preparations if known.changes == "hands"]
        return [(None, self.scene), *((draw, self.now(draw.after)) for draw in draws)]

    @property
    def is_wary(self) -> bool:
        """Whether harm to the fighter counts."""
        return self.doctrine.weigh.suffered > 0

    @property
    def is_simple(self) -> bool:
        """Whether the fighter neither treats wounds nor minds harm: then the only posture it thinks of is one to go
        faster."""
        return not self.is_wary and not self.doctrine.weigh.healed

    # Actions

    def legal(
        self, wanted: Callable[[Intent], bool] | None = None, target: str | None = None
    ) -> Iterator[LegalAction]:
        """Those of the wanted actions that the fighter can take now in its turn, or of those on one target."""
        for action in of(self.system, self.scene, self.who, wanted, lambda row: row.ai.considered, target):
            if action.window == "turn":
                yield action

    def legal_on(self, target: str) -> list[LegalAction]:
        """The actions that can be taken now against a target, or on nobody where none is named."""
        return self.evaluator.cached(
            ("legal", self.who, target), self.scene, lambda: [*self.legal(target=target)]
        )

    def is_legal(self, intent: Intent) -> bool:
        """Whether an action can be taken now."""
        return any(action.intent == intent for action in self.legal_on(intent.target))

    def costs(self, action: LegalAction) -> Costs:
        """What an action costs of what comes back each turn."""
        return turn_costs(self.system, action)

    # Scenes that may come

    def after(self, intent: Intent) -> Scene | None:
        """The scene after an action without dice; None if it is not allowed."""
        return movement.scene_after(self.system, self.scene, intent)

    def now(self, after: Scene) -> Scene:
        """A scene after a preparation, at the turn under way."""
        return after._replace(turn=self.scene.turn)

    def standing_at(self, scene: Scene, place: movement.Place | None) -> Scene:
        """The scene with the fighter at a place; as it is for none."""
        return scene if place is None else scene.with_fighter(scene.fighters[self.who]._replace(at=place))

    def with_pool(self, pool: str, left: int) -> Scene:
        """The scene with so much left of a pool."""
        pools = {**self.fighter.pools, pool: left}
        return self.scene.with_fighter(self.fighter._replace(pools=pools))

    # Distances and ways

    def distance(self, scene: Scene, other: str) -> int | None:
        """The distance to another fighter, in the system's unit."""
        return self.evaluator.distance_between(scene, self.who, other)

    def is_way(self, scene: Scene, start: str, end: str) -> bool:
        """Whether a way leads from one fighter to another."""
        here, there = scene.fighters[start].at, scene.fighters[end].at
        return scene.field is None or not here or not there or scene.field.way(here, there) is not None

    def way_to(self, start: movement.Place, end: movement.Place) -> int:
        """How far it is to go from one place to another."""
        return self.scene.way(start, end, self.space.distance)

    def ways_in(self, scene: Scene) -> list[MoveMode]:
        """The ways the fighter can move with a full turn in its state of a scene."""
        return ways_to_move(self.evaluator, scene, self.who, self.foes[0] if self.foes else None)

    def cost_of_way(self, place: movement.Place, ways: Sequence[MoveMode]) -> Costs:
        """The rough costs of going to a place in the longest of some ways."""
        assert self.fighter.at is not None
        far, way = self.way_to(self.fighter.at, place), max(ways, key=lambda mode: mode.length)
        return {pool: amount * -(-far // way.length) for pool, amount in way.costs.items()}

    # Targets and attacks

    def targets(self) -> list[str]:
        """The foes worth planning against, in the order of preference."""
        names, doctrine = [foe.name for foe in self.foes], self.doctrine
        chosen = targeting.choose_targets(self.evaluator, self.scene, self.who, doctrine, names, self.past)
        if doctrine.aim != "harm":
            return chosen[:1]
        most = MAX_TARGETS[doctrine.ahead]
        rates = list[tuple[float, int, str]]()
        for name in chosen[: most + 2]:
            try:
                attack = self.attack(self.scene, name)
            except BudgetExceeded:
                break
            rates.append((attack.rate if attack else 0.0, -len(rates), name))
        best = [name for rate, _, name in sorted(rates, reverse=True) if rate]
        # The nearest too: it may be in reach of nothing but a move.
        urgent = sorted(chosen, key=self.urgency, reverse=True)[:1]
        pressing = [name for name in urgent if self.urgency(name) > 1.0]
        return list(dict.fromkeys((*best[:most], *chosen[:1], *pressing)))[: most + 1 + len(pressing)]

    def urgency(self, target: str) -> float:
        """How many times as much harm to a foe counts as it would if the foe were not about to win."""
        foe = self.scene.fighters.get(target)
        near = (goal.soon for goal in self.goals if foe and goal.side == foe.side and goal.is_needed(target))
        return 1.0 + goals.PRESSING * max(near, default=0.0)

    def attack(self, scene: Scene, target: str, fresh: bool = True) -> RepeatedAttack | None:
        """The fighter's best attack on a target from a scene."""
        return attack_on(self.evaluator, scene, self.who, target, self.doctrine.weigh.spent, fresh)

    def known_attack(self, scene: Scene | None, target: str, fresh: bool = True) -> RepeatedAttack | None:
        """The fighter's best attack on a target from a scene; None if there is none or it is not known."""
        try:
            return self.attack(scene, target, fresh) if scene is not None and target else None
        except BudgetExceeded:
            return None

    def attack_at(self, scene: Scene, target: str, at: int, fresh: bool = True) -> RepeatedAttack | None:
        """The fighter's best attack on a target from so far."""
        return self.attack(self.scene_at(scene, target, at), target, fresh)

    def scene_at(self, scene: Scene, target: str, at: int) -> Scene:
        """The scene with the fighter at a distance from a target; as it is without positions."""
        gap = self.distance(scene, target)
        return scene if gap is None or at == gap else beside(self.system, scene, self.who, target, at)

    def attacks_by_distance(self, scene: Scene, target: str) -> dict[int, RepeatedAttack | None]:
        """The fighter's best attack on a target from where it is, from half as far and from beside the target."""

        def compute() -> dict[int, RepeatedAttack | None]:
            attacks: dict[int, RepeatedAttack | None] = {}
            for at in self._distances(scene, target):
                there = self.scene_at(scene, target, at)
                try:
                    attacks[self.distance(there, target) or 0] = self.attack(there, target)
                except BudgetExceeded:
                    if not attacks:
                        raise
            return attacks

        return self.evaluator.cached(("by-distance", self.who, target), scene, compute)

    def _distances(self, scene: Scene, target: str) -> list[int]:
        """The distances at which attacks are weighed, from the present one down; on a map also the one from which the
        fighter comes to see the target, and none but the present one where no way leads there."""
        gap, near = self.distance(scene, target), self.space.beside
        if not gap:
            return [0]
        middle = [gap // 2] if gap >= 6 * max(1, near) and self.doctrine.range != "melee" else []
        gaps = [gap] if gap <= near else [gap, near, *middle]
        field, here, there = scene.field, scene.fighters[self.who].at, scene.fighters[target].at
        if field is None or here is None or there is None:
            return gaps
        if field.way(here, there) is None:
            return [gap]
        first = None if field.sees(here, there) else terrain.lookout(self.system, scene, here, there)
        return gaps if first is None or first in gaps else [gap, first, *gaps[1:]]


def farthest(ways: Sequence[MoveMode]) -> int:
    """How far the longest of some ways leads; 0 if there is none."""
    return max((way.length for way in ways), default=0)
