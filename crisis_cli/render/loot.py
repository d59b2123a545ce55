"""What a fight leaves, in words and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..engine.encounter import Reward
from ..engine.loot import Loot, loot_of
from ..engine.scene import Scene
from ..engine.system import System
from ..engine.wording import is_plural, measured, with_a, with_the


def loot_words(loot: Loot, system: System) -> str:
    """A row of the list in words: `a carbine, 3 rounds`, `knife ×2`, `6 rounds for the rifle`, `2 xp each`."""
    if not loot.name:
        return reward_words(loot.reward)
    said = [(number, system.pools[pool]) for pool, number in loot.pools.items()]
    if loot.is_ammo:
        return f"{_list(said)} for {with_the(loot.name)}"
    if said and said[0][1].counts_things(loot.entry):
        return with_a(loot.name) if said[0][0] == 1 else f"{loot.name} ×{said[0][0]}"
    name = loot.name if is_plural(loot.name) else with_a(loot.name)
    return ", ".join(filter(None, (name, _list(said))))


def _list(pools: Sequence[tuple[int, Any]]) -> str:
    return ", ".join(measured(number, pool.label) if number else f"no {pool.label}" for number, pool in pools)


def reward_words(reward: Reward) -> str:
    """A reward in words, whatever sheet describes the thing: `bandage ×3`, `rifle ammunition ×6`, `2 xp each`."""
    times = f" ×{reward.many}" if reward.many > 1 else ""
    named = reward.give and (with_a(reward.give) if not times else reward.give)
    ammo = reward.ammo and f"{reward.ammo} ammunition"
    award = reward.award and f"{reward.award}{' each' * reward.for_each}"
    return (reward.words or named or ammo or award) + times


def rewards(system: System, scene: Scene, own: str) -> list[str]:
    """What a fight brings that has ended with a scene, given one's own side, in words: `a bandage, 2 uses`."""
    return [loot_words(one, system) for one in loot_of(system, scene, own) if not one.source]


def origin(loot: Loot, fight: str) -> str:
    """The foe who left a thing, or the fight whose reward it is: `the Marshal`, `Raider 1`."""
    if not loot.source:
        return loot.fight or fight
    return loot.source if loot.source[-1].isdigit() else with_the(loot.source)


def loot_record(loot: Loot, system: System, taken: Sequence[str]) -> dict[str, Any]:
    """A row of what a fight leaves, as JSON."""
    reward = loot.reward
    return {
        "n": loot.number,
        "text": loot_words(loot, system),
        **({"give": loot.name, "list": loot.listed} if loot.listed else {}),
        **({"ammo": loot.name} if loot.is_ammo else {}),
        **({"left": dict(loot.pools)} if loot.pools else {}),
        **({"award": reward.award, "to": "each" if reward.for_each else None} if reward.award else {}),
        "from": loot.source or loot.fight or None,
        "taken": list(taken),
    }
