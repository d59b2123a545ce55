"""What a fight leaves for those who won it: rewards of its encounter, and the things of foes out of the fight."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count
from typing import TYPE_CHECKING, Any

from ..values import NamedTuple
from .encounter import Reward
from .scene import GEAR_OPTIONS, Fighter, Scene
from .sides import victor

if TYPE_CHECKING:
    from .system import Pool, System

BELONGINGS, AWARD = "belongings", "award"
"""Keys of what is added to a fighter, beside pools (`uses:bandage`) and things (`weapons:pistol`)."""
MOST = 9999
"""The highest number of anything on a sheet."""


class Loot(NamedTuple):
    """Something that a fight leaves: a weapon or an item, ammunition, or a reward that is an award or only words."""

    number: int
    """Its number in the list of all, from 1."""
    name: str = ""
    """The name of the weapon or item; for ammunition that of the weapon; empty for an award and for words."""
    listed: str = ""
    """The table of a sheet to which the thing belongs: "weapons", "items"; empty for words, ammunition, awards."""
    entry: Mapping[str, Any] = {}
    """The thing as a sheet has it."""
    pools: Mapping[str, int] = {}
    """What is left in the thing, or how much ammunition there is, by pool without the name: `{"ammo": 3}`."""
    reward: Reward = Reward()
    """The reward of the encounter that it is; empty for what a foe has left."""
    source: str = ""
    """The foe who left it; empty for a reward."""
    fight: str = ""
    """The earlier fight that left it; empty for what the last one left."""

    @property
    def is_ammo(self) -> bool:
        """Whether these are rounds for a weapon."""
        return bool(self.name) and not self.listed

    @property
    def parts(self) -> int:
        """The number of parts in which it can be taken: ammunition round by round, everything else whole."""
        return next(iter(self.pools.values())) if self.is_ammo else 1

    def of_parts(self, parts: int) -> Loot:
        """So many rounds of ammunition; anything else whole."""
        return self._replace(pools=dict.fromkeys(self.pools, parts)) if self.is_ammo else self


def loot_of(system: System, scene: Scene, own: str) -> tuple[Loot, ...]:
    """What a fight leaves that has ended with this scene, given one's own side: rewards if it has won, in the order of
    the file, then the things of its foes. Nothing where another side holds the field."""
    winner = victor(system, scene)
    if winner and winner != own:
        return ()
    rewards = scene.encounter.ending(winner)[1] if scene.encounter else ()
    rows = (*(_reward(system, scene, one) for one in rewards), *_of_foes(system, scene, own))
    return tuple(row._replace(number=number) for number, row in enumerate(rows, start=1))


def _reward(system: System, scene: Scene, reward: Reward) -> Loot:
    """What a reward is; only words where no sheet of the fight says what the thing is."""
    rounds = next(iter(_pools_of(system, GEAR_OPTIONS["weapon"])), "")
    if reward.ammo and rounds:
        return Loot(0, reward.ammo, pools={rounds: reward.many or 1}, reward=reward)
    listed, entry = known_thing(system, [one.sheet for one in scene.fighters.values()], reward)
    if not listed:
        return Loot(0, reward=reward)
    kinds = _pools_of(system, listed)
    pools = {pool: entry[kind.full] for pool, kind in kinds.items() if kind.full in entry}
    counting = counting_pool(system, listed, entry)
    if counting and (reward.many or not reward.entries):
        pools[counting] = reward.many or 1
    return Loot(0, reward.give, listed, entry, pools, reward)


def counting_pool(system: System, listed: str, entry: Mapping[str, Any]) -> str:
    """The pool that says how many of a thing a sheet has, or how often it can be used; empty for none."""
    return next((pool for pool, kind in _pools_of(system, listed).items() if _counts(kind, entry)), "")


def known_thing(
    system: System, sheets: Iterable[Mapping[str, Any]], reward: Reward
) -> tuple[str, Mapping[str, Any]]:
    """The table of a thing that is given, and its entry: that of the reward, else that of the first sheet with it; two
    empty values where none has it."""
    tables = system.carried.split()
    for listed in tables:
        if (own := listed.removesuffix("s")) in reward.entries:
            return listed, reward.entries[own]
    found = ((one, sheet.get(one, {}).get(reward.give)) for sheet in sheets for one in tables)
    return next(((listed, entry) for listed, entry in found if entry is not None), ("", {}))


def _of_foes(system: System, scene: Scene, own: str) -> Iterator[Loot]:
    """The weapons in hand and the counted things of those who are out of the fight and still there."""
    for one in scene.fighters.values():
        is_out = system.fallen(one) or one.yielded
        if one.side == own or one.gone or not is_out or not one.sheet.get("loot", True):
            continue
        for listed in system.carried.split():
            for name, entry in one.sheet.get(listed, {}).items():
                pools = left_in(system, one, listed, name)
                is_counted = any(_counts(system.pools[pool], entry) for pool in pools)
                if any(pools.values()) if is_counted else name in one.held:
                    yield Loot(0, name, listed, entry, pools, source=one.name)


def left_in(system: System, one: Fighter, listed: str, name: str) -> dict[str, int]:
    """What is left in a thing of a fighter, by pool without its name."""
    pools = (pool for pool, kind in system.pools.items() if kind.gear == listed)
    return {pool: one.pools[f"{pool}:{name}"] for pool in pools if f"{pool}:{name}" in one.pools}


def _pools_of(system: System, listed: str) -> dict[str, Pool]:
    """The pools of the things of a table that can be raised."""
    return {name: pool for name, pool in system.pools.items() if pool.gear == listed and pool.full}


def _counts(kind: Pool, entry: Mapping[str, Any]) -> bool:
    """Whether a pool says how many things there are, or how often an item can be used."""
    return kind.counts_things(entry) or (kind.gear == GEAR_OPTIONS["item"] and kind.loose)


# Who may carry it, and what that adds


def carriers(system: System, party: Sequence[Fighter], loot: Loot) -> list[Fighter]:
    """Those of a party who may carry something: the living; of ammunition those whose weapon has room for it, if
    anybody has the weapon."""
    living = [one for one in party if system.fallen(one) != "dead"]
    if not loot.is_ammo or not any(_pools_for(one, loot) for one in living):
        return living
    return [one for one in living if any(room(system, one, pool) for pool in _pools_for(one, loot))]


def _pools_for(one: Fighter, loot: Loot) -> dict[str, int]:
    """The pools of a fighter into which ammunition or a counted thing goes, each with the number that goes into it."""
    names = {f"{pool}:{loot.name}": left for pool, left in loot.pools.items()}
    return {pool: left for pool, left in names.items() if pool in one.pools}


def room(system: System, one: Fighter, pool: str) -> int:
    """How much more can go into a pool of a thing: no more than a full one holds, unless the system counts what is
    carried beside it."""
    kind, _, name = pool.partition(":")
    row = system.pools[kind]
    most = MOST if row.grows(one.sheet[row.gear][name]) else one.full(pool)
    return most - one.pools[pool]


def added(system: System, one: Fighter, loot: Loot, words: str) -> dict[str, Any]:
    """What something adds to a fighter who takes it, by pool, thing (`weapons:pistol`), BELONGINGS or AWARD; `words`
    is what it is called."""
    if loot.reward.award:
        return {AWARD: loot.reward.award}
    pools = _pools_for(one, loot)
    if pools and (loot.is_ammo or counting_pool(system, loot.listed, loot.entry)):
        more = {pool: min(left, room(system, one, pool)) for pool, left in pools.items()}
        return {pool: number for pool, number in more.items() if number}
    return _copied(system, one, loot) if loot.listed else {BELONGINGS: words}


def _copied(system: System, one: Fighter, loot: Loot) -> dict[str, Any]:
    """A thing under its own name, or the first free one of `pistol 2`, `pistol 3`, and what is left in it."""
    known = one.carried(system.carried)
    names = (f"{loot.name} {number}" for number in count(2))
    name = loot.name if loot.name not in known else next(free for free in names if free not in known)
    entry, left = dict(loot.entry), dict[str, int]()
    for pool, number in loot.pools.items():
        kind = system.pools[pool]
        if number and kind.grows(entry):
            entry[kind.full] = number
        elif number != entry.get(kind.full, number):
            left[f"{pool}:{name}"] = number
    return {f"{loot.listed}:{name}": entry, **left}


def had(one: Fighter, adds: Mapping[str, Any]) -> dict[str, Any]:
    """What a fighter has of all that is added: numbers, the list of belongings, None for a new thing."""
    was: dict[str, Any] = {}
    for key, more in adds.items():
        if key == BELONGINGS:
            was[key] = list(one.sheet.get(BELONGINGS, ()))
        elif key != AWARD:
            was[key] = one.pools.get(key, 0) if isinstance(more, int) else None
    return was


def raised(was: Mapping[str, Any], adds: Mapping[str, Any]) -> dict[str, Any]:
    """What a fighter has then of all that is added."""
    now: dict[str, Any] = {}
    for key, before in was.items():
        more = adds[key]
        now[key] = [*before, more] if key == BELONGINGS else more if before is None else before + more
    return now
