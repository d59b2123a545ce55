"""The resources of a turn: what an action uses up, what is saved, and what a new turn gives."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..engine.events import apply_all
from ..engine.legal_actions import LegalAction, of
from ..engine.scene import Fighter, Intent, Scene
from ..engine.validate import prepare

if TYPE_CHECKING:
    from ..dice.distribution import OddsTable
    from ..engine.system import System

MIN_SHARE = 0.1
"""The smallest share of a turn that an action counts as using."""
MAX_FOLLOWING = 20
"""Attacks weighed that one action opens."""
TURN_SCOPES = ("turn", "action", "round")
"""Scopes of marks that end before the next turn of the fighter, or with the round in which it has taken it."""


def is_spent(system: System, pool: str) -> bool:
    """Whether a pool is one that actions are paid from each turn."""
    kind = system.pools.get(pool.partition(":")[0])
    return kind is not None and kind.spent


def amount_per_turn(system: System, fighter: Fighter, pool: str) -> int:
    """How much of a pool a new turn gives."""
    kind = system.pools[pool.partition(":")[0]]
    if kind.a_turn:
        return kind.a_turn(fighter)
    high = fighter.limits.get(pool, (0, None))[1]
    return max(1, fighter.pools.get(pool, 0)) if high is None else high


def with_full_turn(system: System, scene: Scene, who: str, fresh: bool = False) -> Scene:
    """The scene at the turn of a fighter with all its pools full; `fresh` also clears marks that end with a turn."""
    fighter = scene.fighters[who]
    full = {pool: amount_per_turn(system, fighter, pool) for pool in fighter.pools if is_spent(system, pool)}
    marks = fighter.marks
    if fresh:
        marks = {mark: count for mark, count in marks.items() if system.scope(mark) not in TURN_SCOPES}
    fighters = {**scene.fighters, who: fighter.with_pools(full)._replace(marks=marks)}
    return scene._replace(fighters=fighters, turn=who, group=())


def loaded(system: System, scene: Scene, who: str) -> Scene:
    """The scene with the empty weapons of a fighter filled, where that can be done: a forecast counts what it costs."""
    fighter = scene.fighters[who]
    empty = [
        pool
        for pool, left in fighter.pools.items()
        if not left and system.is_of_thing(pool) and system.pools[pool.partition(":")[0]].refill
    ]
    if not empty:
        return scene
    pools = {**fighter.pools, **{pool: fighter.full(pool) for pool in empty}}
    return scene.with_fighter(fighter._replace(pools=pools))


def turn_share(system: System, fighter: Fighter, action: LegalAction) -> float:
    """The share of a turn's resources that an action uses, at least MIN_SHARE."""
    shares = [
        amount / (amount_per_turn(system, fighter, pool) or 1)
        for pool, amount in action.costs
        if amount > 0 and is_spent(system, pool)
    ]
    return max(MIN_SHARE, *shares) if shares else MIN_SHARE


def consumed_share(system: System, fighter: Fighter, action: LegalAction) -> float:
    """What an action takes from pools that do not come back, as a sum of shares."""
    return sum(
        amount / (fighter.full(pool) or 1)
        for pool, amount in action.costs
        if amount > 0 and pool in fighter.pools and not is_spent(system, pool)
    )


def opened_pools(system: System, fighter: Fighter) -> frozenset[str]:
    """The pools that a turn gives nothing of: an action fills them, and pays so for others in the same turn."""
    return frozenset(
        pool
        for pool in fighter.pools
        if is_spent(system, pool) and fighter.full(pool) and not amount_per_turn(system, fighter, pool)
    )


def following(
    system: System,
    odds_table: OddsTable,
    scene: Scene,
    intent: Intent,
    worth: Callable[[Scene, Intent], float],
) -> float:
    """What the attacks are worth together that an attack opens on its target in the same turn, the best each time."""
    who, target = intent.actor, intent.target
    pools, total = opened_pools(system, scene.fighters[who]), 0.0
    for _ in range(MAX_FOLLOWING if pools else 0):
        scene = _as_paid(system, odds_table, scene, intent)
        ways = [
            one.intent
            for one in of(system, scene, who, lambda other: other.target == target)
            if any(pool in pools and amount > 0 for pool, amount in one.costs)
        ]
        most, at = max(((worth(scene, way), -at) for at, way in enumerate(ways)), default=(0.0, 0))
        if most <= 0:
            break
        total, intent = total + most, ways[-at]
    return total


def _as_paid(system: System, odds_table: OddsTable, scene: Scene, intent: Intent) -> Scene:
    """The scene after an action of which nothing is seen but what it takes, and gives, of the actor's turn."""
    prepared = prepare(system, scene, intent)
    outcome = next(iter(prepared.odds(odds_table)))[0]
    events = (*prepared.payment.events, *prepared.effects(system, scene, intent, outcome))
    return apply_all(
        scene,
        [
            event
            for event in events
            if event.who == intent.actor and (is_spent(system, event.what) or event.what.startswith("mark:"))
        ],
    )
