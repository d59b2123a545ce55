"""Values of actions by their exact odds: harm done and wounds treated, as shares of all that a fighter has."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from ..dice import effort
from ..dice.distribution import Distribution, OddsTable, least_harm
from ..engine.action_odds import effects_of, success_of
from ..engine.consequences import foreseen, harm_put_off
from ..engine.geometry import walk
from ..engine.scene import Fighter, Intent, Scene
from ..engine.validate import Prepared, prepare
from ..errors import CrisisError, TooWide
from ..values import NamedTuple
from . import resources
from .vitality import Vitality

if TYPE_CHECKING:
    from ..engine.system import System

T = TypeVar("T")

BUDGET, SHARED_BUDGET, LEAST_BUDGET = 24, 72, 7
"""Most distributions asked for in one decision: 24, or fewer where many fight, 72 shared among them, but at least 7.
Those known from before count too, so that a decision depends on nothing but the scene."""
MAX_CACHED = 4_000
"""Most values kept in the cache."""
OWN_SIDE_WEIGHT = 1.5
"""Weight of harm to one's own side."""
GUESSED_VALUE = 0.03
"""The value of an attack whose exact odds take too long."""


LAWS = OddsTable(least_harm, limit=effort.BUDGET)
"""The distributions of all fights of one process: they hang on nothing but what they are asked."""


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
    taken: float = 0.0
    """What foes lose of the life that they have left, in fighters: 1 for one who is defeated for sure."""
    lost: float = 0.0
    """What the actor's own side loses of the life that it has left, counted like `taken`."""
    restored: float = 0.0
    """What the actor's own side gains, as shares of the life that each has left."""
    drops: frozenset[str] = frozenset()
    """What the actor no longer holds afterwards, whatever the dice show."""
    marks: frozenset[tuple[str, Any]] = frozenset()
    """The marks that the actor has afterwards for the rest of its turn or round, whatever the dice show."""


class FighterChange(NamedTuple):
    """What becomes of a fighter on average."""

    by: float = 0.0
    """The change of its value (`Vitality.fighter_value`)."""
    fell: float = 0.0
    """The probability that it is defeated."""
    life: float = 0.0
    """The change of its life, as a share of what it has left."""


class BudgetExceeded(Exception):
    """The distributions for one decision are used up; what was not evaluated is unknown, not worthless."""


class Evaluator:
    """Values actions by their exact odds, with a cache."""

    def __init__(self, system: System, odds_table: OddsTable | None = None):
        self.system = system
        self.vitality = Vitality(system)
        self.odds_table = odds_table or LAWS
        self.values: dict[Any, ActionValue] = {}
        self.asked: set[Any] = set()
        """The distributions asked for in the current decision."""
        self.noted: set[Any] = set()
        """The distributions asked for since the last result of `remembered` was begun."""
        self.exceeded = 0
        """How often the budget did not last."""
        self.memory: dict[Any, tuple[Any, frozenset[Any]]] = {}
        """Results of `remembered`, with the distributions that they took."""
        self.refills: dict[Any, Any] = {}
        """What filling things again costs, by all that decides it."""
        self.budget = BUDGET
        self.cache: dict[Any, tuple[Scene, Any]] = {}
        """Results of `cached` for the current decision, by key and scene."""
        self.lengths: dict[Any, int] = {}
        """How far moves lead, by all that decides it."""
        self.gains: dict[Any, Mapping[str, int]] = {}
        """What turns bring fighters, by all that decides it."""
        self._sheets: dict[int, tuple[Any, Any]] = {}
        """What a sheet holds beside its name, by its id; the sheet is kept, so that its id is not reused."""

        self._numbers: dict[Any, tuple[Fighter, int]] = {}
        """The numbers of the states of fighters, by their ids; the fighter is kept, so that its id is not reused."""
        self._states: dict[Any, int] = {}
        """The numbers by state; a number is never given twice."""
        self._given = 0

    def start_decision(self, scene: Scene) -> None:
        """Start a new decision: a full budget and an empty cache."""
        self.cache.clear()
        here = len(self.standing(scene))
        self.reset_budget(min(BUDGET, max(LEAST_BUDGET, SHARED_BUDGET // max(1, here))))

    def reset_budget(self, budget: int = BUDGET) -> None:
        """Restore the budget of distributions."""
        self.asked.clear()
        self.budget = budget

    def cached(self, what: Any, scene: Scene, compute: Callable[[], T]) -> T:
        """The result of `compute`, computed once per key, scene and decision."""
        key = (what, id(scene))
        if key not in self.cache:
            # The scene is kept too, so that its id is not reused.
            self.cache[key] = scene, compute()
        result: T = self.cache[key][1]
        return result

    def remembered(self, what: str, key: Any, compute: Callable[[], T]) -> T:
        """The result of `compute`, kept over decisions by a key that decides it.

        The distributions that it asks for count as asked for again. What could not be finished is not kept.
        """
        known = self.memory.get((what, key))
        if known is not None and len(self.asked | known[1]) <= self.budget:
            self.asked |= known[1]
            self.noted |= known[1]
            kept: T = known[0]
            return kept
        outer, self.noted, exceeded = self.noted, set(), self.exceeded
        try:
            found = compute()
        finally:
            laws, self.noted = frozenset(self.noted), outer | self.noted
        if exceeded == self.exceeded:
            if len(self.memory) >= MAX_CACHED:
                del self.memory[next(iter(self.memory))]
            self.memory[what, key] = found, laws
        return found

    @property
    def left(self) -> int:
        """Distributions that may still be asked for."""
        return self.budget - len(self.asked)

    # Fighters

    def distance_between(self, scene: Scene, one: str, other: str) -> int | None:
        """How far one fighter has to go to another, in the system's unit; None without positions."""
        return walk(self.system, scene, one, other)

    def standing(self, scene: Scene) -> list[Fighter]:
        """The fighters still in the fight."""
        return self.cached(
            "standing", scene, lambda: list(filter(self.vitality.is_standing, scene.fighters.values()))
        )

    def foes(self, scene: Scene, who: str) -> list[Fighter]:
        """The foes still standing, the nearest first, without positions in the order of the scene; those it has
        not noticed only where it has noticed nobody."""

        def found() -> list[Fighter]:
            side = scene.fighters[who].side
            standing = [one for one in self.standing(scene) if one.side != side]
            noticed = [one for one in standing if not self._is_unnoticed(scene, who, one)]
            return sorted(
                noticed or standing, key=lambda one: self.distance_between(scene, who, one.name) or 0
            )

        return list(self.cached(("foes", who), scene, found))

    def _is_unnoticed(self, scene: Scene, who: str, other: Fighter) -> bool:
        """Whether a fighter does not know where another one is."""
        if not any(self.system.conditions[name].unseen for name in other.conditions):
            return False
        distance = self.distance_between(scene, who, other.name)
        return distance is None or distance > self.system.space.beside

    def friends(self, scene: Scene, who: str) -> list[Fighter]:
        """The other fighters of its side still standing."""
        side = scene.fighters[who].side
        return [one for one in self.standing(scene) if one.side == side and one.name != who]

    # Values of actions

    def action_value(self, scene: Scene, intent: Intent) -> ActionValue | None:
        """The value of an action; None if it is not allowed. BudgetExceeded if no distribution is left."""
        try:
            prepared = prepare(self.system, scene, intent)
            law, hit = self._key(scene, intent, prepared)
            self._spend_budget(law)
            known = self.values.get((law, hit))
            if known is not None:
                return known
            found = self._evaluate(scene, intent, prepared)
        except TooWide:
            found = ActionValue(done=GUESSED_VALUE)
        except CrisisError:
            return None
        if len(self.values) >= MAX_CACHED:
            del self.values[next(iter(self.values))]
        self.values[law, hit] = found
        return found

    def _spend_budget(self, law: Any) -> None:
        """Count one more distribution; BudgetExceeded if none is left."""
        if law not in self.asked and self.left <= 0:
            self.exceeded += 1
            raise BudgetExceeded
        self.asked.add(law)
        self.noted.add(law)

    def _key(self, scene: Scene, intent: Intent, prepared: Prepared) -> tuple[Any, Any]:
        """What decides the value of an action: its distribution, and the state of those it is about.

        Fighters stand there by the role they play, so that like foes share one value.
        """
        side = scene.fighters[intent.actor].side
        others = intent.targets or tuple(scene.fighters)
        roles = {name: f"@{at}" for at, name in enumerate(dict.fromkeys((intent.actor, *others)))}

        def state(name: str) -> Any:
            one = scene.fighters[name]
            pools = tuple(item for item in one.pools.items() if self._describes_state(item[0]))
            waiting = tuple((pool, by) for who, pool, by, _ in scene.pending if who == name)
            return one.side == side, pools, waiting, tuple(one.conditions.items()), self.sheet_key(one)

        dice = by_role(prepared.dice, roles)
        return (prepared.rule, dice), tuple(map(state, dict.fromkeys(others)))

    def sheet_key(self, one: Fighter) -> Any:
        """What the sheet of a fighter holds beside its name, to compare with others."""
        known = self._sheets.get(id(one.sheet))
        if known is None:
            parts = tuple(
                (key, repr(value)) for key, value in one.sheet.items() if key not in ("name", "state")
            )
            # Equal sheets share one key, which compares faster.
            shared = next((key for _, key in self._sheets.values() if key == parts), parts)
            known = self._sheets[id(one.sheet)] = one.sheet, shared
        return id(known[1]) if known else None

    def state_number(self, one: Fighter, spent: Collection[str] | None = None) -> int:
        """A number for the state of a fighter, equal for equal states: without the pools named in `spent`, for None
        without all that actions are paid from each turn."""
        known = self._numbers.get((id(one), spent))
        if known is None:
            pools = [
                item
                for item in one.pools.items()
                if not (resources.is_spent(self.system, item[0]) if spent is None else item[0] in spent)
            ]
            state = (
                one.name,
                tuple(pools),
                tuple(one.conditions.items()),
                tuple(one.marks.items()),
                one.held,
                one.at,
                tuple(one.cover.items()),
                one.gone,
                one.yielded,
                self.sheet_key(one),
            )
            if len(self._numbers) >= MAX_CACHED:
                self._numbers.clear()
                self._states.clear()
            self._given += 1
            known = one, self._states.setdefault(state, self._given)
            self._numbers[id(one), spent] = known
        return known[1]

    def _describes_state(self, pool: str) -> bool:
        """Whether a pool describes a fighter's state, and is neither paid each turn nor part of an item."""
        return not resources.is_spent(self.system, pool) and not self.system.is_of_thing(pool)

    def _evaluate(self, scene: Scene, intent: Intent, prepared: Prepared) -> ActionValue:
        """The value of a prepared action, from its exact odds."""
        distribution = prepared.odds(self.odds_table)
        afterwards = list[tuple[frozenset[str], frozenset[tuple[str, Any]]]]()
        changes = self._value_changes(scene, intent, prepared, distribution, afterwards=afterwards)
        for who in prepared.apart:
            alone = prepared.odds(self.odds_table, who, lives=True)
            changes[who] = self._value_changes(scene, intent, prepared, alone, who).get(who, FighterChange())
        side = scene.fighters[intent.actor].side
        done = own = given = taken = lost = restored = 0.0
        stay = 1.0
        for who, (by, fell, life) in changes.items():
            if scene.fighters[who].side != side:
                done -= by
                taken -= life
                stay *= 1.0 - fell
            else:
                own += max(0.0, -by)
                lost += max(0.0, -life)
                given += max(0.0, by)
                restored += max(0.0, life)
        success = success_of(distribution)
        chance = success[0] / success[1] if success else 1.0
        drops, marks = (frozenset[Any].intersection(*found) for found in zip(*afterwards, strict=True))
        return ActionValue(done, own, given, chance, 1.0 - stay, taken, lost, restored, drops, marks)

    def _value_changes(
        self,
        scene: Scene,
        intent: Intent,
        prepared: Prepared,
        distribution: Distribution,
        only: str = "",
        afterwards: list[tuple[frozenset[str], frozenset[tuple[str, Any]]]] | None = None,
    ) -> dict[str, FighterChange]:
        """What becomes of each fighter that an action changes, on average.

        With `afterwards`, what the actor has dropped and its new marks are added to it for each possible result.
        """
        begun = prepared.begun(scene)
        otherwise = harm_put_off(self.system, begun)[1]
        held = frozenset(scene.fighters[intent.actor].held)
        side = scene.fighters[intent.actor].side
        before: dict[str, tuple[float, float]] = {}
        found: dict[str, FighterChange] = {}
        for effects, count in effects_of(self.system, scene, intent, prepared, distribution):
            events, after = foreseen(self.system, begun, effects)
            if afterwards is not None:
                actor = after.fighters[intent.actor]
                passing = {
                    mark
                    for mark in actor.marks.items()
                    if self.system.scope(mark[0]) in resources.TURN_SCOPES
                    and begun.fighters[intent.actor].marks.get(mark[0]) != mark[1]
                }
                afterwards.append((held.difference(actor.held), frozenset(passing)))
            for who in dict.fromkeys(event.who for event in events):
                was = otherwise.fighters.get(who)
                if was is None or (only and who != only):
                    # A side's pools are not harm.
                    continue
                if who not in before:
                    before[who] = self.vitality.fighter_value(was, was.side == side), self.vitality.life(was)
                now = after.fighters[who]
                share = count / distribution.total
                by, fell, life = found.get(who, FighterChange())
                value, left = before[who]
                falls = self.system.fallen(now) and not self.system.fallen(was)
                by += share * (self.vitality.fighter_value(now, was.side == side) - value)
                # However little was left: a treatment gives at most a life, at the chance that it has.
                life += share * min(
                    1.0, self.vitality.life(now) / left - 1 if left else bool(self.vitality.life(now))
                )
                found[who] = FighterChange(by, fell + (share if falls else 0.0), life)
        return found


def by_role(dice: Any, roles: dict[str, str]) -> Any:
    """What a rule is asked, with the role of each fighter in place of its name."""
    if isinstance(dice, str):
        return roles.get(dice, dice)
    if isinstance(dice, tuple):
        return (type(dice), *(by_role(part, roles) for part in dice))
    return dice
