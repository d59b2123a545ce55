"""The state of a fighter as numbers: what it has lost, and its value to its side."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ..engine.life import is_vital, unhurt
from ..engine.scene import Fighter

if TYPE_CHECKING:
    from ..engine.system import System

VITAL_WEIGHT = 3
"""Weight of a pool whose loss defeats the fighter."""
UNBOUNDED_SIZE = 10
"""The assumed size of a pool without a maximum."""
DEFEATED_VALUE = {"dead": 0.0, "dying": 0.15, "down": 0.4}
"""The value of a defeated friend by its state; a standing fighter has 1 and more."""
LAST_POINTS_WEIGHT = 1.5
"""How much more the last points of a fighter count than the average, and the first less, so that attacks
concentrate on wounded foes."""
SURPLUS_WEIGHT, MAX_SURPLUS = 0.5, 0.25
"""Weight of points beyond the normal maximum, and the largest share of them that counts."""
LEAST_WEIGHT, MIN_LIFE = 0.7, 0.01
"""Weight of the pool with least left in the life of a fighter, and the least life of one who stands."""
INACTIVE_COST = 0.25
"""Value lost by a standing fighter that cannot act."""


class Vitality:
    """Measures the state of fighters of one system."""

    def __init__(self, system: System):
        self.system = system
        self.is_vital_cache: dict[Any, bool] = {}
        self._sizes: dict[str, tuple[Fighter, int]] = {}
        """The size of each fighter when it was last asked for: from one action to the next few change."""

    def points(self, one: Fighter) -> Iterator[tuple[str, int, int]]:
        """The pools of a fighter's state, armour too: name, size and loss, both weighted."""
        for pool, value in one.pools.items():
            kind = self.system.pools.get(pool.partition(":")[0])
            if kind is None or kind.spent or kind.gear:
                continue
            low, high = one.limits.get(pool, (0, None))
            height = UNBOUNDED_SIZE if high is None else high - (low or 0)
            if height > 0:
                lost_share = value - (low or 0) if kind.counts_up else height - (value - (low or 0))
                weight = self._weight(one, pool)
                # A pool without a maximum cannot be lost; more of it is a gain.
                yield pool, weight * height, weight * (-value if high is None else lost_share)

    def size(self, one: Fighter) -> int:
        """The points of a fighter that has lost nothing, weighted."""
        known = self._sizes.get(one.name)
        if known is None or known[0] is not one:
            known = self._sizes[one.name] = one, sum(height for _, height, _ in self.points(one))
        return known[1]

    def _weight(self, one: Fighter, pool: str) -> int:
        """The weight of a point of a pool: more if its loss defeats the fighter, or it guards such a pool."""
        guards = self.system.pools[pool.partition(":")[0]].takes_harm
        return VITAL_WEIGHT if guards or self.is_vital(one, pool) else 1

    def is_vital(self, one: Fighter, pool: str) -> bool:
        """Whether a fighter that loses all of a pool is defeated."""
        key = one.sheet.get("name"), pool
        if key not in self.is_vital_cache:
            self.is_vital_cache[key] = is_vital(self.system, one, pool)
        return self.is_vital_cache[key]

    def unhurt(self, one: Fighter, pool: str) -> int:
        """The value of a pool when nothing of it is lost."""
        return unhurt(self.system, one, pool)

    def lost_share(self, one: Fighter) -> float:
        """The share of its points that a fighter has lost, 0 to 1."""
        pools = list(self.points(one))
        whole = sum(height for _, height, _ in pools) or 1
        return sum(max(lost_share, 0) for _, _, lost_share in pools) / whole

    def life(self, one: Fighter) -> float:
        """What is left of the pools whose loss defeats a fighter and of those that guard them, 0 to 1; of the first
        that with least left counts most."""
        if self.system.fallen(one):
            return 0.0
        left, size, guard, guards = list[float](), 0, 0, 0
        for pool, value in one.pools.items():
            kind = self.system.pools.get(pool.partition(":")[0])
            low, high = one.limits.get(pool, (0, None))
            if kind is None or kind.spent or kind.gear or high is None or high <= 0:
                continue
            floor = max(0, low or 0)
            points = high - value if kind.counts_up else value - floor
            if kind.takes_harm:
                guard, guards = guard + points, guards + high - floor
            elif self.is_vital(one, pool):
                left.append(points / (high - floor))
                size = max(size, high - floor)
        if not left:
            return max(MIN_LIFE, 1 - self.lost_share(one))
        life = LEAST_WEIGHT * min(left) + (1 - LEAST_WEIGHT) * sum(left) / len(left)
        return max(MIN_LIFE, (life * size + guard) / (size + guards))

    def surplus(self, one: Fighter) -> float:
        """Points beyond the normal maximum, as a share of all."""
        pools = list(self.points(one))
        whole = sum(height for _, height, _ in pools) or 1
        return sum(max(-lost_share, 0) for _, _, lost_share in pools) / whole

    def is_standing(self, one: Fighter) -> bool:
        """Whether a fighter is still in the fight."""
        return not one.gone and not one.yielded and not self.system.fallen(one)

    def fighter_value(self, one: Fighter, friend: bool) -> float:
        """The value of a fighter in its state: 2 unhurt, 1 barely standing; a defeated foe is 0."""
        fallen = self.system.fallen(one)
        if fallen:
            return DEFEATED_VALUE[fallen] if friend else 0.0
        left = 1 - self.lost_share(one)
        bent = (
            LAST_POINTS_WEIGHT * left
            - (LAST_POINTS_WEIGHT - 1) * left * left
            + SURPLUS_WEIGHT * min(MAX_SURPLUS, self.surplus(one))
        )
        return 1 + bent - (INACTIVE_COST if self.system.idle(one)[0] else 0.0)
