"""Life and harm: the pools whose loss puts a fighter out of the fight, and what entries take from them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..ai.vitality import Vitality
from ..engine.events import Event
from ..engine.scene import Fighter, Scene
from ..engine.system import System
from ..values import NamedTuple


class Wound(NamedTuple):
    """What a fighter lost of its life; below 0 what it got back."""

    who: str
    by: int


class Lives:
    """Knows the life of the fighters of one system."""

    def __init__(self, system: System):
        self.system = system
        self.vitality = Vitality(system)
        self._known: dict[str, tuple[Fighter, int]] = {}
        """What each fighter had left when it was last asked for: from one scene to the next few change."""

    def pools(self, one: Fighter) -> Iterator[str]:
        """The pools that are the life of a fighter: no armour, no things, nothing paid with."""
        for pool in one.pools:
            if self.is_life(one, pool):
                yield pool

    def is_life(self, one: Fighter, pool: str) -> bool:
        """Whether a pool is life: a fighter who loses all of it is defeated."""
        kind = self.system.pools.get(pool.partition(":")[0])
        if (
            kind is None
            or kind.spent
            or kind.gear
            or kind.takes_harm
            or kind.hidden_when_full
            or pool not in one.pools
        ):
            return False
        high = one.limits.get(pool, (0, None))[1]
        return high is not None and self.vitality.is_vital(one, pool)

    def left(self, one: Fighter) -> int:
        """The points of life that a fighter has left; 0 for one who is out of the fight."""
        known = self._known.get(one.name)
        if known is None or known[0] is not one:
            known = self._known[one.name] = one, self._left(one)
        return known[1]

    def _left(self, one: Fighter) -> int:
        if not self.vitality.is_standing(one):
            return 0
        return sum(
            one.full(pool) - one.pools[pool]
            if self.system.pools[pool.partition(":")[0]].counts_up
            else one.pools[pool]
            for pool in self.pools(one)
        )

    def wounds(self, scene: Scene, events: Iterable[Event]) -> Iterator[Wound]:
        """What events take from lives, or give back; what is put off to the end of a turn counts at once."""
        for event in events:
            if event.what == "pending" and not event.who:
                # Both lists hold who, which pool, by how much.
                yield from self._waiting(scene, event.now, 1)
                yield from self._waiting(scene, event.was, -1)
            elif (one := scene.fighters.get(event.who)) and self.is_life(one, event.what):
                taken = self.system.pools[event.what.partition(":")[0]].counts_up
                yield Wound(event.who, (event.now - event.was) * (1 if taken else -1))

    def _waiting(
        self, scene: Scene, pending: Iterable[tuple[str, str, int, str]], sign: int
    ) -> Iterator[Wound]:
        for who, pool, by, _ in pending:
            if who in scene.fighters and self.is_life(scene.fighters[who], pool):
                yield Wound(who, -by * sign)
