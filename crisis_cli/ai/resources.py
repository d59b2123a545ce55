"""What a turn is paid with: what an action takes of it, what is kept, and what a fresh turn would give."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from ..engine.legal_actions import Legal
from ..engine.scene import Fighter, Scene

if TYPE_CHECKING:
    from ..engine.system import System

CHEAPEST = 0.1
"""The least share of a turn that anything is taken to use up."""
SPARE = 0.25
"""What is taken counts for so much where nothing better can be paid with it."""
PASSING = ("turn", "action")
"""Marks that are gone when the next turn begins."""


def is_spent(system: System, pool: str) -> bool:
    """Whether a pool is what actions cost each turn."""
    kind = system.pools.get(pool.partition(":")[0])
    return kind is not None and kind.spent


def of_a_turn(system: System, one: Fighter, pool: str) -> int:
    """How much of such a pool a turn gives."""
    kind = system.pools[pool.partition(":")[0]]
    if kind.a_turn:
        return int(one.sheet[kind.a_turn])
    high = one.limits.get(pool, (0, None))[1]
    return max(1, one.pools.get(pool, 0)) if high is None else high


def rested(system: System, scene: Scene, who: str, fresh: bool = False) -> Scene:
    """The scene at a turn of a fighter who can pay whatever can be paid; a fresh one without what turns clear."""
    one = scene.fighters[who]
    full = {pool: of_a_turn(system, one, pool) for pool in one.pools if is_spent(system, pool)}
    marks = one.marks
    if fresh:
        marks = {mark: count for mark, count in marks.items() if system.scope(mark) not in PASSING}
    fighters = {**scene.fighters, who: one._replace(pools={**one.pools, **full}, marks=marks)}
    return scene._replace(fighters=fighters, turn=who, group=())


def saved(system: System, one: Fighter) -> list[str]:
    """The pools that actions are paid from and that a turn does not begin anew with: what is left is kept."""
    return [
        pool
        for pool in one.pools
        if is_spent(system, pool) and not system.pools[pool.partition(":")[0]].renewed
    ]


def turn_share(system: System, one: Fighter, what: Legal, needed: Collection[str] = ()) -> float:
    """What an action takes of what a turn can pay with, as a share; never quite nothing.

    Where it is known what is `needed` for better things, anything else counts for little.
    """
    shares = [
        amount / (of_a_turn(system, one, pool) or 1) * (SPARE if needed and pool not in needed else 1.0)
        for pool, amount in what.costs
        if amount > 0 and is_spent(system, pool)
    ]
    return max(CHEAPEST, *shares) if shares else CHEAPEST


def kept(system: System, one: Fighter, what: Legal) -> float:
    """What an action takes of the fighter's own that does not come back, as a share."""
    return sum(
        amount / (one.full(pool) or 1)
        for pool, amount in what.costs
        if amount > 0 and pool in one.pools and not is_spent(system, pool)
    )
