"""How someone is: what has been lost of all there was, and what it is worth to have a fighter as it is now."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ..engine.events import apply_all
from ..engine.scene import Fighter, Scene

if TYPE_CHECKING:
    from ..engine.system import System

VITAL = 3
"""How much more a pool counts on whose emptiness its owner falls."""
UNBOUNDED = 10
"""What a pool without a height is taken to hold."""
FALLEN = {"dead": 0.0, "dying": 0.15, "down": 0.4}
"""What a friend is worth that has fallen; whoever stands is worth 1 and something for what it has left."""
STEEP = 1.5
"""What the last of a fighter's points are worth more than all of them on average; the first are worth as much
less, so that blows fall where others fell before."""
SPARE, MOST_SPARE = 0.5, 0.25
"""What it has beyond being unhurt counts for so much of what the rest does, and up to such a share of all it has."""
IDLE = 0.25
"""What a fighter is worth less that stands and cannot act."""


class Bodies:
    """How fighters of one system are."""

    def __init__(self, system: System):
        self.system = system
        self.vital: dict[Any, bool] = {}

    def points(self, one: Fighter) -> Iterator[tuple[str, int, int]]:
        """The pools of a fighter itself, armour too: name, height, and what is lost of it, both by their weight."""
        for pool, value in one.pools.items():
            kind = self.system.pools.get(pool.partition(":")[0])
            if kind is None or kind.spent or kind.gear:
                continue
            low, high = one.limits.get(pool, (0, None))
            height = UNBOUNDED if high is None else high - (low or 0)
            if height > 0:
                lost = value - (low or 0) if kind.taken else height - (value - (low or 0))
                weight = self._weight(one, pool)
                # Nobody misses what has no height; to have more of it is a gain.
                yield pool, weight * height, weight * (-value if high is None else lost)

    def _weight(self, one: Fighter, pool: str) -> int:
        """What a point of a pool counts: more where its owner falls without it, or would lose that instead."""
        guards = self.system.pools[pool.partition(":")[0]].guards
        return VITAL if guards or self._vital(one, pool) else 1

    def _vital(self, one: Fighter, pool: str) -> bool:
        """Whether a fighter falls that has lost all of a pool, whatever else it has."""
        key = one.sheet.get("name"), pool
        if key not in self.vital:
            low, high = one.limits.get(pool, (0, None))
            worst = high if self.system.pools[pool.partition(":")[0]].taken else low
            # What has no height comes on top of the rest, now more and now less: here it counts as gone.
            bounded = [name for name in one.pools if one.limits.get(name, (0, None))[1] is not None]
            whole = {**dict.fromkeys(one.pools, 0), **{name: self.unhurt(one, name) for name in bounded}}
            spent = one._replace(pools={**whole, pool: one.pools[pool] if worst is None else worst})
            scene = Scene(self.system.name, {one.name: spent._replace(conditions={})})
            after = apply_all(scene, self.system.follows(scene, one.name))
            self.vital[key] = bool(self.system.fallen(after.fighters[one.name]))
        return self.vital[key]

    def unhurt(self, one: Fighter, pool: str) -> int:
        """What a pool holds of whoever has lost nothing of it."""
        kind = self.system.pools.get(pool.partition(":")[0])
        return (one.limits.get(pool, (0, None))[0] or 0) if kind and kind.taken else one.full(pool)

    def lost(self, one: Fighter) -> float:
        """The share of all it has that a fighter has lost."""
        pools = list(self.points(one))
        whole = sum(height for _, height, _ in pools) or 1
        return sum(max(lost, 0) for _, _, lost in pools) / whole

    def spare(self, one: Fighter) -> float:
        """What a fighter has beyond being unhurt, as a share of all it has."""
        pools = list(self.points(one))
        whole = sum(height for _, height, _ in pools) or 1
        return sum(max(-lost, 0) for _, _, lost in pools) / whole

    def stands(self, one: Fighter) -> bool:
        """Whether a fighter is still in the fight."""
        return not one.gone and not one.yielded and not self.system.fallen(one)

    def worth(self, one: Fighter, friend: bool) -> float:
        """What it is to have a fighter as it is: 2 unhurt, 1 barely standing; a fallen foe is nothing."""
        fallen = self.system.fallen(one)
        if fallen:
            return FALLEN[fallen] if friend else 0.0
        left = 1 - self.lost(one)
        bent = STEEP * left - (STEEP - 1) * left * left + SPARE * min(MOST_SPARE, self.spare(one))
        return 1 + bent - (IDLE if self.system.idle(one)[0] else 0.0)
