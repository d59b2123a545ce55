"""The end of a crisis in a few lines: who won, harm dealt and taken, what was used up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from ..engine.changes import parts_of
from ..engine.record import Entry
from ..engine.scene import Scene, slug
from ..engine.sides import rounds_played, standing, victor
from ..engine.system import System
from ..engine.wording import measured
from ..values import NamedTuple
from .loot import rewards
from .ranking import label
from .sides import own_side
from .style import Ink


def closing(done: Sequence[Entry], scene: Scene, system: System, ink: Ink) -> Iterator[str]:
    """The harm dealt and taken by one's own side, what it used up, and last who won."""
    own = own_side(scene)
    taken = {side: _harm(done, scene, system, side) for side in dict.fromkeys(_sides(scene))}
    dealt = Counter[str]()
    for side, harms in taken.items():
        dealt.update(harms if side != own else {})
    used = [
        f"{name} {listed_pools(in_order(pools, system), system)}"
        for name, pools in used_up(done, scene, system).items()
        if scene.fighters[name].side == own
    ]
    if any(taken.values()) or used:
        yield f"  harm dealt: {listed_pools(in_order(dealt, system), system)}"
        yield f"  harm taken: {listed_pools(in_order(taken.get(own, {}), system), system)}"
        yield f"  used up: {'; '.join(used) or 'nothing'}"
    yield ink("bold", verdict(scene, system))
    if scene.encounter is not None:
        yield from scene.encounter.ending(victor(system, scene))[0].splitlines()
        yield from (f"  {ink('dim', 'reward')}: {one}" for one in rewards(system, scene, own))


def verdict(scene: Scene, system: System) -> str:
    """Which side won, and after how many rounds."""
    won, rounds = outcome(scene, system), rounds_played(scene)
    return f"{won} after {rounds} round{'' if rounds == 1 else 's'}."


def outcome(scene: Scene, system: System) -> str:
    """Which side has won, or that none has, in words without a full stop."""
    winner = victor(system, scene)
    if winner or scene.won_by:
        return f"The {winner} win" if winner else "A draw"
    return "Undecided" if standing(system, scene) else "No side is left"


def bare_verdict(scene: Scene, system: System) -> str:
    """The side that held the field and the number of rounds, for programs: `players 10`; `none 10` if there is none."""
    return f"{slug(victor(system, scene)) or 'none'} {rounds_played(scene)}"


def _sides(scene: Scene) -> Iterator[str]:
    return (one.side for one in scene.fighters.values())


def _harm(done: Sequence[Entry], scene: Scene, system: System, side: str) -> dict[str, int]:
    """What the fighters of a side lost in pools that are neither paid with nor used up, by the kind of pool."""
    lost: dict[str, int] = {}
    for loss in _losses(done, system):
        fighter, kind = scene.fighters.get(loss.who), loss.pool.partition(":")[0]
        if fighter is not None and fighter.side == side and not system.pools[kind].gear and not loss.is_own:
            lost[kind] = lost.get(kind, 0) + loss.by
    return lost


class _Loss(NamedTuple):
    """What a fighter lost in one pool."""

    who: str
    pool: str
    by: int
    is_own: bool
    """Whether it was the cost of an action of its own; harm that its own action did it is not."""


def _losses(done: Sequence[Entry], system: System) -> Iterator[_Loss]:
    """Every loss in pools that are not spent each turn; GM overrides left out."""
    for entry in done:
        if entry.intent.action in ("set", "init", "join"):
            continue
        for event in entry.events:
            kind = system.pools.get(event.what.partition(":")[0])
            if kind is None or kind.spent or not event.who:
                continue
            by = (event.now - event.was) if kind.counts_up else (event.was - event.now)
            if by > 0:
                # What dice or rules worked out is harm, and no cost.
                is_cost = kind.not_vital or not (kind.takes_harm or parts_of(event))
                yield _Loss(event.who, event.what, by, event.who == entry.intent.actor and is_cost)


def used_up(done: Sequence[Entry], scene: Scene, system: System) -> dict[str, dict[str, int]]:
    """What each fighter paid from things and lasting pools: by name and pool."""
    used: dict[str, dict[str, int]] = {}
    for loss in _losses(done, system):
        if loss.who in scene.fighters and (loss.is_own or system.is_of_thing(loss.pool)):
            pools = used.setdefault(loss.who, {})
            pools[loss.pool] = pools.get(loss.pool, 0) + loss.by
    return used


def in_order(pools: Mapping[str, int], system: System) -> list[tuple[str, int]]:
    """What was lost, in the order in which the system names its pools."""
    kinds = [*system.pools, *system.side_pools]
    return sorted(pools.items(), key=lambda item: (kinds.index(item[0].partition(":")[0]), item[0]))


def listed_pools(pools: Sequence[tuple[str, int]], system: System) -> str:
    """What was lost or used up, in words: `2 HP, 1 potion use`."""
    return ", ".join(measured(by, label(pool, system)) for pool, by in pools) or "none"
