"""What things are worth to a mind: harm done, harm threatened, wounds treated, in shares of all that a fighter has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import CrisisError, TooWide
from ..play.encounter import prepare
from ..play.events import folded
from ..play.forecast import forecast
from ..play.legal import Legal, of
from ..play.scene import Fighter, Intent, Scene
from ..table.odds import Laws, least_harm

if TYPE_CHECKING:
    from ..systems.system import System

LOOKED_AT, FEARED = 3, 2
"""Foes that are looked at where there are more, and of whom something is feared: the nearest."""
BUDGET = 16
"""So many situations are weighed for one decision. Those known from before count too, so that a decision depends
on nothing but the scene."""
KEPT = 2_000
"""Worths remembered before the oldest are forgotten."""
VITAL = 3
"""How much more a pool counts on whose emptiness its owner falls."""
OWN = 1.5
"""How much more harm to one's own side counts."""
UNBOUNDED = 10
"""What a pool without a height is taken to hold."""
GUESS = 0.03
"""The worth of an attack whose exact odds take too long."""


class Worth(NamedTuple):
    """What an action comes to on average."""

    done: float = 0.0
    """What foes lose, as shares of all they have; whoever falls counts as one more."""
    own: float = 0.0
    """What the actor's own side loses, counted the same way."""
    given: float = 0.0
    """What the actor's side gains, the more hurt the more it counts."""
    chance: float = 1.0
    """How likely it succeeds."""
    down: float = 0.0
    """How many foes fall."""


class Prospect(NamedTuple):
    """What a fighter could do at best."""

    value: float = 0.0
    rate: float = 0.0
    """For its price."""
    intent: Intent | None = None


class Scales:
    """Weighs actions by their exact odds, each situation once."""

    def __init__(self, system: System, laws: Laws | None = None):
        self.system = system
        self.laws = laws or Laws(least_harm)
        self.known: dict[Any, Worth] = {}
        self.vital: dict[Any, bool] = {}
        self.asked: set[Any] = set()
        """What has been weighed for the decision that is being made."""

    # How someone is

    def points(self, one: Fighter) -> Iterator[tuple[str, int, int]]:
        """The lasting pools of a fighter, and those that guard it: name, height, and what is lost of it, both by
        their weight."""
        for pool, value in one.pools.items():
            kind = self.system.POOLS.get(pool.partition(":")[0])
            if kind is None or not (kind.guards or (kind.lasting and not kind.spent and ":" not in pool)):
                continue
            low, high = one.limits.get(pool, (0, None))
            height = UNBOUNDED if high is None else high - (low or 0)
            if height > 0:
                lost = value - (low or 0) if kind.taken else height - (value - (low or 0))
                weight = self._weight(one, pool)
                yield pool, weight * height, weight * lost

    def _weight(self, one: Fighter, pool: str) -> int:
        """What a point of a pool counts: more where its owner falls without it, or would lose that instead."""
        guards = self.system.POOLS[pool.partition(":")[0]].guards
        return VITAL if guards or self._vital(one, pool) else 1

    def _vital(self, one: Fighter, pool: str) -> bool:
        """Whether a fighter falls that has lost all of a pool, whatever else it has."""
        key = one.sheet.get("name"), pool
        if key not in self.vital:
            low, high = one.limits.get(pool, (0, None))
            worst = high if self.system.POOLS[pool].taken else low
            # What has no height comes on top of the rest, now more and now less: here it counts as gone.
            bounded = [name for name in one.pools if one.limits.get(name, (0, None))[1] is not None]
            whole = {**dict.fromkeys(one.pools, 0), **{name: self.unhurt(one, name) for name in bounded}}
            spent = one._replace(pools={**whole, pool: one.pools[pool] if worst is None else worst})
            scene = Scene(self.system.NAME, {one.name: spent._replace(conditions={})})
            after = folded(scene, self.system.follow(scene, one.name))
            self.vital[key] = bool(self.system.fallen(after.fighters[one.name]))
        return self.vital[key]

    def unhurt(self, one: Fighter, pool: str) -> int:
        """What a pool holds of whoever has lost nothing of it."""
        kind = self.system.POOLS.get(pool.partition(":")[0])
        return (one.limits.get(pool, (0, None))[0] or 0) if kind and kind.taken else one.full(pool)

    def lost(self, one: Fighter) -> float:
        """The share of all it has that a fighter has lost."""
        pools = list(self.points(one))
        return sum(max(0, lost) for _, _, lost in pools) / (sum(height for _, height, _ in pools) or 1)

    def stands(self, one: Fighter) -> bool:
        """Whether a fighter is still in the fight."""
        return not one.gone and not one.yielded and not self.system.fallen(one)

    def foes(self, scene: Scene, who: str) -> list[Fighter]:
        """The foes that still stand, the nearest first, else in the order of the sheets."""
        standing = [one for one in scene.foes(who) if self.stands(one)]
        return sorted(standing, key=lambda one: scene.distance(who, one.name) or 0)

    def friends(self, scene: Scene, who: str) -> list[Fighter]:
        """The others of its side that still stand."""
        side = scene.of_side(scene.fighters[who].side)
        return [one for one in side if one.name != who and self.stands(one)]

    def rested(self, scene: Scene, who: str) -> Scene:
        """The scene at a turn of a fighter who can pay whatever can be paid."""
        one = scene.fighters[who]
        full = {pool: one.full(pool) for pool in one.pools if self.is_spent(pool)}
        fighters = {**scene.fighters, who: one._replace(pools={**one.pools, **full})}
        return scene._replace(fighters=fighters, turn=who, group=())

    def is_spent(self, pool: str) -> bool:
        """Whether a pool is what actions cost each turn."""
        kind = self.system.POOLS.get(pool.partition(":")[0])
        return kind is not None and kind.spent

    def saved(self, one: Fighter) -> list[str]:
        """The pools that actions are paid from and that a turn does not begin anew with: what is left is kept."""
        return [
            pool
            for pool in one.pools
            if self.is_spent(pool) and not self.system.POOLS[pool.partition(":")[0]].renewed
        ]

    # What an action comes to

    def worth(self, scene: Scene, intent: Intent) -> Worth | None:
        """What an action comes to; None where it is not allowed, or nothing more can be worked out now."""
        try:
            prepared = prepare(self.system, scene, intent)
            key = self._key(scene, intent, prepared)
            if key not in self.asked and len(self.asked) >= BUDGET:
                return None
            self.asked.add(key)
            known = self.known.get(key)
            if known is not None:
                return known
            found = self._weighed(scene, intent._replace(options={**intent.options, **self._whole(prepared)}))
        except TooWide:
            found = Worth(done=GUESS)
        except CrisisError:
            return None
        if len(self.known) >= KEPT:
            del self.known[next(iter(self.known))]
        self.known[key] = found
        return found

    def _whole(self, prepared: Any) -> dict[str, Any]:
        """A long action is weighed as if it were paid at once."""
        return {"force": True} if prepared.bill.of else {}

    def _key(self, scene: Scene, intent: Intent, prepared: Any) -> Any:
        def state(name: str) -> Any:
            one = scene.fighters[name]
            held = tuple(item for item in one.pools.items() if not self.is_spent(item[0]))
            return one.side, held, tuple(one.conditions.items())

        named = intent.targets or tuple(scene.fighters)
        hit = tuple(map(state, dict.fromkeys(named)))
        return prepared.row.rule, prepared.staked.stake, scene.fighters[intent.actor].side, hit

    def _weighed(self, scene: Scene, intent: Intent) -> Worth:
        if intent.get("force"):
            scene = self.rested(scene, intent.actor)
        told = forecast(self.system, scene, intent, self.laws)
        side = scene.fighters[intent.actor].side
        done = own = given = down = 0.0
        for who in dict.fromkeys((*told.effects, *told.down)):
            one = scene.fighters.get(who)
            if one is None:
                # A side's pools are not harm.
                continue
            moved = self._moved(one, told.effects.get(who, {}))
            ways, total = told.down.get(who, (0, 1))
            if one.side != side:
                done += max(0.0, moved) + ways / total if self.stands(one) else 0.0
                down += ways / total
            else:
                own += max(0.0, moved) + ways / total
                given += max(0.0, -moved) * (1 + self.lost(one))
        success = told.success
        return Worth(done, own, given, success[0] / success[1] if success else 1.0, down)

    def _moved(self, one: Fighter, laws: dict[str, Any]) -> float:
        """The share of all it has that a fighter loses on average; less than nothing where it gains."""
        heights = {pool: height for pool, height, _ in self.points(one)}
        lost = sum(
            law.mean()
            * (1 if self.system.POOLS[pool.partition(":")[0]].taken else -1)
            * self._weight(one, pool)
            for pool, law in laws.items()
            if pool in heights
        )
        return float(lost) / (sum(heights.values()) or 1)

    # What could come

    def attacks(self, scene: Scene, who: str, at: str = "") -> Iterator[Legal]:
        """The attacks that a fighter could make now on foes that stand, or on one alone."""
        near = [at] if at else [one.name for one in self.foes(scene, who)[:LOOKED_AT]]
        for one in of(self.system, scene, who):
            if one.window == "turn" and one.intent.target in near:
                yield one

    def prospect(self, scene: Scene, who: str, at: str = "") -> Prospect:
        """The best attack of a rested fighter, on one foe or on any."""
        scene = self.rested(scene, who)
        best = Prospect()
        for one in self.attacks(scene, who, at):
            worth = self.worth(scene, one.intent)
            value = worth.done - OWN * worth.own if worth else 0.0
            if value > best.value:
                best = Prospect(value, value / self.dear(scene.fighters[who], one), one.intent)
        return best

    def fears(self, scene: Scene, who: str) -> list[Intent]:
        """What the foes at hand would do to a fighter: the best attack of each."""
        foes = self.foes(scene, who)[:FEARED]
        return [best.intent for foe in foes if (best := self.prospect(scene, foe.name, who)).intent]

    def threat(self, scene: Scene, fears: Iterable[Intent]) -> float:
        """What attacks that are feared would come to."""
        worths = (self.worth(self.rested(scene, one.actor), one) for one in fears)
        return sum(worth.done for worth in worths if worth is not None)

    def dear(self, one: Fighter, what: Legal) -> float:
        """What an action takes of what a turn can pay with, as a share; never quite nothing."""
        shares = [
            amount / (one.full(pool) or 1)
            for pool, amount in what.costs
            if amount > 0 and self.is_spent(pool)
        ]
        return max(0.1, *shares) if shares else 0.1

    def kept(self, one: Fighter, what: Legal) -> float:
        """What an action takes of that which does not come back, as a share."""
        return sum(
            amount / (one.full(pool) or 1)
            for pool, amount in what.costs
            if amount > 0 and not self.is_spent(pool)
        )
