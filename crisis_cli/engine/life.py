"""Life: the pools whose loss puts a fighter out of the fight, and how much of them is left."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from .events import apply_all
from .scene import Fighter, Scene

if TYPE_CHECKING:
    from .system import System


def is_vital(system: System, one: Fighter, pool: str) -> bool:
    """Whether a fighter that loses all of a pool is defeated."""
    low, high = one.limits.get(pool, (0, None))
    worst = high if system.pools[pool.partition(":")[0]].counts_up else low
    # Pools without a maximum count as empty here.
    bounded = [name for name in one.pools if one.limits.get(name, (0, None))[1] is not None]
    whole = {**dict.fromkeys(one.pools, 0), **{name: unhurt(system, one, name) for name in bounded}}
    spent = one._replace(pools={**whole, pool: one.pools[pool] if worst is None else worst})
    scene = Scene(system.name, {one.name: spent._replace(conditions={})})
    after = apply_all(scene, system.follows(scene, one.name))
    return bool(system.fallen(after.fighters[one.name]))


def unhurt(system: System, one: Fighter, pool: str) -> int:
    """The value of a pool when nothing of it is lost."""
    kind = system.pools.get(pool.partition(":")[0])
    return (one.limits.get(pool, (0, None))[0] or 0) if kind and kind.counts_up else one.full(pool)


def is_life(system: System, one: Fighter, pool: str) -> bool:
    """Whether a pool is life: no armour, no thing, nothing paid with, and its loss defeats the fighter."""
    kind = system.pools.get(pool.partition(":")[0])
    if (
        kind is None
        or kind.spent
        or kind.gear
        or kind.takes_harm
        or kind.hidden_when_full
        or pool not in one.pools
    ):
        return False
    return one.limits.get(pool, (0, None))[1] is not None and is_vital(system, one, pool)


def bears_harm(system: System, pool: str) -> bool:
    """Whether losing points of a pool brings its owner nearer to defeat: life, and what is lost before life."""
    kind = system.pools.get(pool.partition(":")[0])
    return kind is not None and not (
        kind.spent or kind.gear or kind.takes_harm or kind.hidden_when_full or kind.not_vital
    )


def share_left(system: System, one: Fighter) -> float:
    """The share of its life that a fighter has left, 0 to 1; 0 for one who is defeated."""
    if system.fallen(one):
        return 0.0
    left, whole = 0, 0
    for lost, size in losses(system, one):
        left, whole = left + size - lost, whole + size
    return left / whole if whole else 1.0


def losses(system: System, one: Fighter) -> Iterator[tuple[int, int]]:
    """What each pool of life has lost, and its size."""
    for pool in one.pools:
        if is_life(system, one, pool):
            size = abs(one.full(pool) - (one.limits[pool][0] or 0))
            yield abs(one.pools[pool] - unhurt(system, one, pool)), size


def is_hurt(system: System, one: Fighter) -> bool:
    """Whether a fighter has lost life, or has a condition that lasts longer than until the next rest."""
    conditions = (system.conditions[name] for name, level in one.conditions.items() if level)
    return any(lost for lost, _ in losses(system, one)) or any(not kind.is_brief for kind in conditions)
