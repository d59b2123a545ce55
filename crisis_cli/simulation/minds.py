"""What decides in simulated fights: the plain policy, or the doctrines of automatic play."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ..ai.choosing import chooser
from ..ai.deciding import AutoPlayer
from ..ai.doctrine import Doctrine, doctrine_of_fighter
from ..dice.distribution import OddsTable, compared
from ..engine.validate import prepare
from ..errors import CrisisError
from .watched import frozen

if TYPE_CHECKING:
    from collections.abc import Hashable

    from ..dice.table import Alternative, Chooser, Decided
    from ..engine.record import Entry
    from ..engine.scene import Fighter, Intent, Scene
    from ..engine.system import System
    from .plain import Plain

Doctrines = Callable[[str], Doctrine]


class DoctrineMind:
    """Decides as `play --auto` does: every fighter by the doctrine that it follows."""

    def __init__(self, system: System, doctrines: Doctrines, odds_table: OddsTable):
        self.player = AutoPlayer(system, doctrines, odds_table)
        self.doctrines = doctrines

    def decide(self, scene: Scene, who: str, past: Sequence[Entry]) -> Intent:
        """What a fighter does next in its turn."""
        return self.player.decide(scene, who, past).intent

    def respond(self, scene: Scene, action: Intent, past: Sequence[Entry]) -> Intent | None:
        """What somebody does before an action takes effect; None if nobody does anything."""
        return self.player.respond(scene, action, past)

    def chooser(self, scene: Scene) -> Chooser:
        """What decides in the middle of an action in a scene."""
        return chooser(
            None,
            self.player.evaluator.odds_table,
            lambda who: False,
            None,
            lambda who: doctrine_of_fighter(scene.fighters[who], self.doctrines),
        )


class PlainMind:
    """Decides by the plain policy, which looks at nothing but the scene."""

    def __init__(self, plain: Plain):
        self.plain = plain

    def decide(self, scene: Scene, who: str, past: Sequence[Entry]) -> Intent:
        """What a fighter does next in its turn."""
        return self.plain.decide(scene, who)

    def respond(self, scene: Scene, action: Intent, past: Sequence[Entry]) -> Intent | None:
        """Nobody does anything in the turns of others."""
        return None

    def chooser(self, scene: Scene) -> Chooser:
        """What decides in the middle of an action: the least expected harm."""

        def choose(who: str, options: tuple[Alternative, ...]) -> Decided | None:
            free = [option for option in options if not option.willed]
            return compared(free, self.plain.odds_table) if len(free) > 1 else None

        return choose


class GlancingMind(PlainMind):
    """Decides by the plain policy, and takes everybody who still fights for unhurt.

    What it has decided once it does again where it sees the same, as long as that is legal: neither how much ammunition
    is left, nor what others still have to spend, nor what is in the pools of sides makes a situation a new one.
    """

    def __init__(self, plain: Plain):
        super().__init__(plain)
        self.decided: dict[Hashable, Intent] = {}

    def decide(self, scene: Scene, who: str, past: Sequence[Entry]) -> Intent:
        """What a fighter does next in its turn."""
        fighters = {name: self._seen(one) for name, one in scene.fighters.items()}
        key = scene.group, min(scene.round, 1), *(self._key(one, who) for one in fighters.values())
        intent = self.decided.get(key)
        if intent is None or not self._is_legal(scene, intent):
            intent = self.plain.decide(scene._replace(fighters=fighters), who)
            if not self._is_legal(scene, intent):
                return self.plain.decide(scene, who)
            self.decided[key] = intent
        return intent

    def _is_legal(self, scene: Scene, intent: Intent) -> bool:
        if intent.action == "next":
            return True
        try:
            prepare(self.plain.system, scene, intent)
        except CrisisError:
            return False
        return True

    def _seen(self, one: Fighter) -> Fighter:
        """A fighter with all of its life and armour where some of it is left."""
        pools = dict(one.pools)
        for pool, value in one.pools.items():
            kind = self.plain.system.pools.get(pool.partition(":")[0])
            low, high = one.limits.get(pool, (0, None))
            if kind is not None and high is not None and not (kind.spent or kind.gear):
                lowest = low or 0
                none, whole = (high, lowest) if kind.taken else (lowest, high)
                pools[pool] = value if value == none else whole
        return one._replace(pools=pools)

    def _is_gear(self, pool: str) -> bool:
        kind = self.plain.system.pools.get(pool.partition(":")[0])
        return kind is not None and bool(kind.gear)

    def _key(self, one: Fighter, who: str) -> Hashable:
        """What is seen of a fighter by one whose turn it is; None for one who is out of the fight."""
        pools: tuple[int, ...]
        if one.name == who:
            pools = tuple(
                min(1, one.pools[pool]) if self._is_gear(pool) else one.pools[pool] for pool in one.pools
            )
        elif self.plain.vitality.is_standing(one):
            pools = ()
        else:
            return None
        marks = tuple(name for name, value in one.marks.items() if value)
        return one.name == who, pools, frozen(one.conditions), marks, one.held, one.at, frozen(one.cover)
