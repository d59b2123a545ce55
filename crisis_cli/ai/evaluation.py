"""What things are worth to a mind: harm done, harm threatened, wounds treated, in shares of all that a fighter has."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from ..dice.distribution import Distribution, OddsTable, least_harm
from ..engine.action_odds import effects_of, success_of
from ..engine.consequences import aftermath
from ..engine.geometry import distance
from ..engine.legal_actions import Legal, of
from ..engine.scene import Fighter, Intent, Scene
from ..engine.validate import Prepared, prepare
from ..errors import CrisisError, TooWide
from . import resources
from .vitality import Bodies

if TYPE_CHECKING:
    from ..engine.system import System

LOOKED_AT, FEARED = 3, 2
"""Foes that are looked at where there are more, and of whom something is feared: the nearest."""
BUDGET = 20
"""So many situations are weighed for each part of a decision: what there is to do, the turn, the finer ways. Those
known from before count too, so that a decision depends on nothing but the scene."""
KEPT = 2_000
"""Worths remembered before the oldest are forgotten."""
OWN = 1.5
"""How much more harm to one's own side counts."""
GUESS = 0.03
"""The worth of an attack whose exact odds take too long."""


class Worth(NamedTuple):
    """What an action comes to on average."""

    done: float = 0.0
    """What foes lose, as shares of all they have; whoever falls counts as one more."""
    own: float = 0.0
    """What the actor's own side loses, counted the same way."""
    given: float = 0.0
    """What the actor's side gains, counted the same way: whoever gets up again as one."""
    chance: float = 1.0
    """How likely it succeeds."""
    down: float = 0.0
    """How likely a foe falls, or more."""
    drops: frozenset[str] = frozenset()
    """What its actor holds no longer, whatever the dice show."""


class Prospect(NamedTuple):
    """What a fighter could do at best."""

    value: float = 0.0
    rate: float = 0.0
    """For its price."""
    intent: Intent | None = None
    costs: frozenset[str] = frozenset()
    """The pools that it is paid from."""


class BudgetExceeded(Exception):
    """So much has been weighed for one decision that the rest stays unknown; it is not to be taken for nothing."""


class Evaluator:
    """Weighs actions by their exact odds, each situation once."""

    def __init__(self, system: System, odds_table: OddsTable | None = None):
        self.system = system
        self.bodies = Bodies(system)
        self.odds_table = odds_table or OddsTable(least_harm)
        self.known: dict[Any, Worth] = {}
        self.asked: set[Any] = set()
        """What has been weighed for the decision that is being made."""
        self.seen: dict[Any, tuple[Scene, Any]] = {}
        """What has been looked up for that decision, by what it is and the scene."""

    def anew(self) -> None:
        """Another decision is to be made."""
        self.refreshed()
        self.seen.clear()

    def refreshed(self) -> None:
        """As much can be weighed as for a new decision."""
        self.asked.clear()

    def once(self, what: Any, scene: Scene, made: Callable[[], Any]) -> Any:
        """What is looked up of one scene in one decision, looked up once."""
        key = (what, id(scene))
        if key not in self.seen:
            # The scene is kept too, so that no other comes by its number.
            self.seen[key] = scene, made()
        return self.seen[key][1]

    @property
    def left(self) -> int:
        """How many situations can still be weighed for this decision."""
        return BUDGET - len(self.asked)

    # Who is there

    def apart(self, scene: Scene, one: str, other: str) -> int | None:
        """How far two are from each other, in the system's unit; None without positions."""
        return distance(self.system, scene, one, other)

    def foes(self, scene: Scene, who: str) -> list[Fighter]:
        """The foes that still stand, the nearest first, else in the order of the sheets."""

        def found() -> list[Fighter]:
            standing = [one for one in scene.foes(who) if self.bodies.stands(one)]
            return sorted(standing, key=lambda one: self.apart(scene, who, one.name) or 0)

        return list(self.once(("foes", who), scene, found))

    def friends(self, scene: Scene, who: str) -> list[Fighter]:
        """The others of its side that still stand."""
        side = scene.of_side(scene.fighters[who].side)
        return [one for one in side if one.name != who and self.bodies.stands(one)]

    # What an action comes to

    def worth(self, scene: Scene, intent: Intent) -> Worth | None:
        """What an action comes to; None where it is not allowed. Weary where nothing more is worked out now."""
        try:
            prepared = prepare(self.system, scene, intent)
            key = self._key(scene, intent, prepared)
            self._ponder(key)
            known = self.known.get(key)
            if known is not None:
                return known
            found = self._weighed(scene, intent, prepared)
        except TooWide:
            found = Worth(done=GUESS)
        except CrisisError:
            return None
        if len(self.known) >= KEPT:
            del self.known[next(iter(self.known))]
        self.known[key] = found
        return found

    def _ponder(self, key: Any) -> None:
        """Weigh one more situation; Weary where there were so many already."""
        if key not in self.asked and not self.left:
            raise BudgetExceeded
        self.asked.add(key)

    def _key(self, scene: Scene, intent: Intent, prepared: Prepared) -> Any:
        def state(name: str) -> Any:
            one = scene.fighters[name]
            held = tuple(item for item in one.pools.items() if self._counts(one, item[0]))
            return one.side, held, tuple(one.conditions.items())

        named = intent.targets or tuple(scene.fighters)
        hit = tuple(map(state, dict.fromkeys(named)))
        return prepared.rule, prepared.dice, scene.fighters[intent.actor].side, hit

    def _counts(self, one: Fighter, pool: str) -> bool:
        """Whether a pool says how someone is, and not what is left to pay with or in a thing."""
        if resources.is_spent(self.system, pool):
            return False
        return not self.system.is_of_thing(pool)

    def _weighed(self, scene: Scene, intent: Intent, prepared: Prepared) -> Worth:
        """What an action comes to, once it is paid for in full."""
        per_target = dict(prepared.setup.per_target)
        whole = per_target.pop("", prepared.dice)
        law = self.odds_table.of(prepared.rule, whole)
        drops = list[frozenset[str]]()
        moved = self._moved(scene, intent, prepared, whole, law, drops=drops)
        for who, stake in per_target.items():
            alone = self.odds_table.of(prepared.rule, stake)
            moved[who] = self._moved(scene, intent, prepared, stake, alone, who).get(who, (0.0, 0.0))
        side = scene.fighters[intent.actor].side
        done = own = given = 0.0
        stay = 1.0
        for who, (by, fell) in moved.items():
            if scene.fighters[who].side != side:
                done -= by
                stay *= 1.0 - fell
            else:
                own += max(0.0, -by)
                given += max(0.0, by)
        success = success_of(law)
        chance = success[0] / success[1] if success else 1.0
        return Worth(done, own, given, chance, 1.0 - stay, frozenset.intersection(*drops))

    def _moved(
        self,
        scene: Scene,
        intent: Intent,
        prepared: Prepared,
        stake: Any,
        law: Distribution,
        only: str = "",
        drops: list[frozenset[str]] | None = None,
    ) -> dict[str, tuple[float, float]]:
        """For each whom an action changes what it is worth more to have it afterwards, and how likely it falls; for
        each way that it may end, what its actor has dropped."""
        begun = prepared.begun(scene)
        held = frozenset(scene.fighters[intent.actor].held)
        side = scene.fighters[intent.actor].side
        before: dict[str, float] = {}
        found: dict[str, tuple[float, float]] = {}
        row = prepared._replace(setup=prepared.setup._replace(dice=stake))
        for effects, count in effects_of(self.system, scene, intent, row, law):
            events, after = aftermath(self.system, begun, effects)
            if drops is not None:
                drops.append(held.difference(after.fighters[intent.actor].held))
            for who in {event.who for event in events}:
                was = begun.fighters.get(who)
                if was is None or (only and who != only):
                    # A side's pools are not harm.
                    continue
                if who not in before:
                    before[who] = self.bodies.worth(was, was.side == side)
                now = after.fighters[who]
                share = count / law.total
                by, fell = found.get(who, (0.0, 0.0))
                falls = self.system.fallen(now) and not self.system.fallen(was)
                by += share * (self.bodies.worth(now, was.side == side) - before[who])
                found[who] = by, fell + (share if falls else 0.0)
        return found

    # What could come

    def attacks(self, scene: Scene, who: str, at: str = "") -> list[Legal]:
        """The attacks that a fighter could make now on foes that stand, or on one alone."""
        near = [at] if at else [one.name for one in self.foes(scene, who)[:LOOKED_AT]]
        candidates = of(self.system, scene, who, lambda intent: intent.target in near)
        return [one for one in candidates if one.window == "turn"]

    def prospect(self, scene: Scene, who: str, at: str = "", fresh: bool = False) -> Prospect:
        """The best attack of a rested fighter, on one foe or on any; a fresh one has nothing left of this turn."""
        best: Prospect = self.once(
            ("prospect", who, at, fresh), scene, lambda: self._prospect(scene, who, at, fresh)
        )
        return best

    def _prospect(self, scene: Scene, who: str, at: str, fresh: bool) -> Prospect:
        scene = resources.rested(self.system, scene, who, fresh)
        best = Prospect()
        for one in self.attacks(scene, who, at):
            try:
                worth = self.worth(scene, one.intent)
            except BudgetExceeded:
                break
            value = worth.done - OWN * worth.own if worth else 0.0
            if value > best.value:
                rate = value / resources.turn_share(self.system, scene.fighters[who], one)
                best = Prospect(value, rate, one.intent, frozenset(pool for pool, by in one.costs if by > 0))
        return best

    def fears(self, scene: Scene, who: str) -> list[Intent]:
        """What the foes at hand would do to a fighter: the best attack of each."""
        foes = self.foes(scene, who)[:FEARED]
        return [best.intent for foe in foes if (best := self.prospect(scene, foe.name, who)).intent]

    def threat(self, scene: Scene, fears: Iterable[Intent]) -> float:
        """What attacks that are feared would come to; Weary where that is not worked out any more."""
        worths = (self.worth(resources.rested(self.system, scene, one.actor), one) for one in fears)
        return sum(worth.done for worth in worths if worth is not None)
