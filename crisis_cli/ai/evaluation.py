"""Values of actions: harm done, harm threatened, wounds treated, each as shares of all a fighter has."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from ..dice.distribution import Distribution, OddsTable, least_harm
from ..engine.action_odds import effects_of, success_of
from ..engine.consequences import aftermath
from ..engine.geometry import distance
from ..engine.legal_actions import Legal, of
from ..engine.scene import Fighter, Intent, Scene
from ..engine.validate import Prepared, prepare
from ..errors import CrisisError, TooWide
from ..values import NamedTuple
from . import resources
from .vitality import Vitality

if TYPE_CHECKING:
    from ..engine.system import System

MAX_TARGETS, MAX_ATTACKERS = 3, 2
"""The nearest foes considered as targets, and as attackers."""
BUDGET = 20
"""Most evaluations for each part of a decision: the choices, the turn, the options. Cached ones count too, so that a
decision depends on nothing but the scene."""
MAX_CACHED = 2_000
"""Most values kept in the cache."""
OWN_SIDE_WEIGHT = 1.5
"""Weight of harm to one's own side."""
GUESSED_VALUE = 0.03
"""The value of an attack whose exact odds take too long."""


class ActionValue(NamedTuple):
    """What an action achieves on average."""

    done: float = 0.0
    """What foes lose, as shares of all they have; a defeated foe counts as one more."""
    own: float = 0.0
    """What the actor's own side loses, counted the same way."""
    given: float = 0.0
    """What the actor's side gains, counted the same way; a fighter who recovers counts as one more."""
    chance: float = 1.0
    """The probability of success."""
    down: float = 0.0
    """The probability that at least one foe is defeated."""
    drops: frozenset[str] = frozenset()
    """What the actor no longer holds afterwards, whatever the dice show."""


class BestAttack(NamedTuple):
    """The best attack a fighter could make; without an intent if there is none."""

    value: float = 0.0
    rate: float = 0.0
    """Value per price."""
    intent: Intent | None = None
    costs: frozenset[str] = frozenset()
    """The pools it is paid from."""


class BudgetExceeded(Exception):
    """The evaluations for one decision are used up; what was not evaluated is unknown, not worthless."""


class Evaluator:
    """Values actions by their exact odds, with a cache."""

    def __init__(self, system: System, odds_table: OddsTable | None = None):
        self.system = system
        self.vitality = Vitality(system)
        self.odds_table = odds_table or OddsTable(least_harm)
        self.values: dict[Any, ActionValue] = {}
        self.evaluated: set[Any] = set()
        """The situations evaluated for the current decision."""
        self.cache: dict[Any, tuple[Scene, Any]] = {}
        """Results of `cached` for the current decision, by key and scene."""

    def start_decision(self) -> None:
        """Start a new decision: a full budget and an empty cache."""
        self.reset_budget()
        self.cache.clear()

    def reset_budget(self) -> None:
        """Restore the full budget of evaluations."""
        self.evaluated.clear()

    def cached(self, what: Any, scene: Scene, compute: Callable[[], Any]) -> Any:
        """The result of `compute`, computed once per key, scene and decision."""
        key = (what, id(scene))
        if key not in self.cache:
            # The scene is kept too, so that its id is not reused.
            self.cache[key] = scene, compute()
        return self.cache[key][1]

    @property
    def left(self) -> int:
        """Evaluations left for this decision."""
        return BUDGET - len(self.evaluated)

    # Fighters

    def distance_between(self, scene: Scene, one: str, other: str) -> int | None:
        """The distance of two fighters in the system's unit; None without positions."""
        return distance(self.system, scene, one, other)

    def foes(self, scene: Scene, who: str) -> list[Fighter]:
        """The foes still standing, the nearest first, without positions in the order of the scene."""

        def found() -> list[Fighter]:
            position_value = [one for one in scene.foes(who) if self.vitality.is_standing(one)]
            return sorted(position_value, key=lambda one: self.distance_between(scene, who, one.name) or 0)

        return list(self.cached(("foes", who), scene, found))

    def friends(self, scene: Scene, who: str) -> list[Fighter]:
        """The other fighters of its side still standing."""
        side = scene.of_side(scene.fighters[who].side)
        return [one for one in side if one.name != who and self.vitality.is_standing(one)]

    # Values of actions

    def action_value(self, scene: Scene, intent: Intent) -> ActionValue | None:
        """The value of an action; None if it is not allowed. BudgetExceeded if no evaluation is left."""
        try:
            prepared = prepare(self.system, scene, intent)
            key = self._key(scene, intent, prepared)
            self._spend_budget(key)
            known = self.values.get(key)
            if known is not None:
                return known
            found = self._evaluate(scene, intent, prepared)
        except TooWide:
            found = ActionValue(done=GUESSED_VALUE)
        except CrisisError:
            return None
        if len(self.values) >= MAX_CACHED:
            del self.values[next(iter(self.values))]
        self.values[key] = found
        return found

    def _spend_budget(self, key: Any) -> None:
        """Count one more evaluation; BudgetExceeded if none is left."""
        if key not in self.evaluated and not self.left:
            raise BudgetExceeded
        self.evaluated.add(key)

    def _key(self, scene: Scene, intent: Intent, prepared: Prepared) -> Any:
        def state(name: str) -> Any:
            one = scene.fighters[name]
            held = tuple(item for item in one.pools.items() if self._describes_state(one, item[0]))
            return one.side, held, tuple(one.conditions.items())

        named = intent.targets or tuple(scene.fighters)
        hit = tuple(map(state, dict.fromkeys(named)))
        return prepared.rule, prepared.dice, scene.fighters[intent.actor].side, hit

    def _describes_state(self, one: Fighter, pool: str) -> bool:
        """Whether a pool describes a fighter's state, and is neither paid each turn nor part of an item."""
        if resources.is_spent(self.system, pool):
            return False
        return not self.system.is_of_thing(pool)

    def _evaluate(self, scene: Scene, intent: Intent, prepared: Prepared) -> ActionValue:
        """The value of a prepared action, from its exact odds."""
        per_target = dict(prepared.setup.per_target)
        whole = per_target.pop("", prepared.dice)
        distribution = self.odds_table.of(prepared.rule, whole)
        drops = list[frozenset[str]]()
        changes = self._value_changes(scene, intent, prepared, whole, distribution, drops=drops)
        for who, dice in per_target.items():
            alone = self.odds_table.of(prepared.rule, dice)
            changes[who] = self._value_changes(scene, intent, prepared, dice, alone, who).get(who, (0.0, 0.0))
        side = scene.fighters[intent.actor].side
        done = own = given = 0.0
        stay = 1.0
        for who, (by, fell) in changes.items():
            if scene.fighters[who].side != side:
                done -= by
                stay *= 1.0 - fell
            else:
                own += max(0.0, -by)
                given += max(0.0, by)
        success = success_of(distribution)
        chance = success[0] / success[1] if success else 1.0
        return ActionValue(done, own, given, chance, 1.0 - stay, frozenset.intersection(*drops))

    def _value_changes(
        self,
        scene: Scene,
        intent: Intent,
        prepared: Prepared,
        dice: Any,
        distribution: Distribution,
        only: str = "",
        drops: list[frozenset[str]] | None = None,
    ) -> dict[str, tuple[float, float]]:
        """For each fighter that an action changes: the mean change of its value, and the probability of defeat.

        With `drops`, what the actor has dropped is added to it for each possible result.
        """
        begun = prepared.begun(scene)
        held = frozenset(scene.fighters[intent.actor].held)
        side = scene.fighters[intent.actor].side
        before: dict[str, float] = {}
        found: dict[str, tuple[float, float]] = {}
        row = prepared._replace(setup=prepared.setup._replace(dice=dice))
        for effects, count in effects_of(self.system, scene, intent, row, distribution):
            events, after = aftermath(self.system, begun, effects)
            if drops is not None:
                drops.append(held.difference(after.fighters[intent.actor].held))
            for who in {event.who for event in events}:
                was = begun.fighters.get(who)
                if was is None or (only and who != only):
                    # A side's pools are not harm.
                    continue
                if who not in before:
                    before[who] = self.vitality.fighter_value(was, was.side == side)
                now = after.fighters[who]
                share = count / distribution.total
                by, fell = found.get(who, (0.0, 0.0))
                falls = self.system.fallen(now) and not self.system.fallen(was)
                by += share * (self.vitality.fighter_value(now, was.side == side) - before[who])
                found[who] = by, fell + (share if falls else 0.0)
        return found

    # Future attacks

    def possible_attacks(self, scene: Scene, who: str, at: str = "") -> list[Legal]:
        """The attacks a fighter could make now on the nearest foes, or only on the foe `at`."""
        near = [at] if at else [one.name for one in self.foes(scene, who)[:MAX_TARGETS]]
        candidates = of(self.system, scene, who, lambda intent: intent.target in near)
        return [one for one in candidates if one.window == "turn"]

    def best_attack(self, scene: Scene, who: str, at: str = "", fresh: bool = False) -> BestAttack:
        """The best attack of a fighter with a full turn, on one foe or any; `fresh` also clears marks of this turn."""
        best: BestAttack = self.cached(
            ("prospect", who, at, fresh), scene, lambda: self._best_attack(scene, who, at, fresh)
        )
        return best

    def _best_attack(self, scene: Scene, who: str, at: str, fresh: bool) -> BestAttack:
        scene = resources.with_full_turn(self.system, scene, who, fresh)
        best = BestAttack()
        for one in self.possible_attacks(scene, who, at):
            try:
                worth = self.action_value(scene, one.intent)
            except BudgetExceeded:
                break
            value = worth.done - OWN_SIDE_WEIGHT * worth.own if worth else 0.0
            if value > best.value:
                rate = value / resources.turn_share(self.system, scene.fighters[who], one)
                best = BestAttack(
                    value, rate, one.intent, frozenset(pool for pool, by in one.costs if by > 0)
                )
        return best

    def expected_attacks(self, scene: Scene, who: str) -> list[Intent]:
        """The best attack of each of the nearest foes on a fighter."""
        foes = self.foes(scene, who)[:MAX_ATTACKERS]
        return [best.intent for foe in foes if (best := self.best_attack(scene, foe.name, who)).intent]

    def threat(self, scene: Scene, expected_attacks: Iterable[Intent]) -> float:
        """The total value of expected attacks to their attackers; BudgetExceeded if no evaluation is left."""
        worths = (
            self.action_value(resources.with_full_turn(self.system, scene, one.actor), one)
            for one in expected_attacks
        )
        return sum(worth.done for worth in worths if worth is not None)
