"""Choosing: the best for its price, or the first action of the best turn that can be paid."""

from __future__ import annotations

from collections.abc import Sequence

from ..play.scene import Scene
from .choices import DEEDS, LEAST, Choice, Choices

SAVING = 0.9
"""What is saved for the next turn is worth this share of what it would fetch now."""
BREADTH = (4, 2, 1, 1)
"""Of a turn thought through: how many ways to go on are followed at each step."""


def greedy(mind: Choices, scene: Scene, choices: Sequence[Choice]) -> Choice | None:
    """What is worth most for its price; ties as the rules list them. None where nothing is worth it."""
    rate = mind.rate(scene)
    good = [one for one in choices if one.value > LEAST / 2 and one.rate >= _floor(mind, scene, one, rate)]
    return max(good, key=lambda one: one.rate, default=None)


def _floor(mind: Choices, scene: Scene, choice: Choice, rate: float) -> float:
    """What making ready must be worth for its price, where that could be saved for an attack."""
    fighter = scene.fighters[mind.who]
    paid = {pool for pool, amount in choice.one.costs if amount > 0}
    saved = [pool for pool in mind.scales.saved(fighter) if pool in paid]
    if choice.key in DEEDS or all(fighter.pools[pool] >= fighter.full(pool) for pool in saved):
        return 0.0
    return SAVING * rate


def planned(mind: Choices, scene: Scene, choices: Sequence[Choice]) -> Choice | None:
    """The first action of the best turn that can still be paid."""
    return _best(mind, scene, choices, 0)[1]


def _best(mind: Choices, scene: Scene, choices: Sequence[Choice], depth: int) -> tuple[float, Choice | None]:
    """The worth of the best way to end a turn from here, and what it begins with."""
    rate = mind.rate(scene)
    best: tuple[float, Choice | None] = (_kept(mind, scene, rate), None)
    promising = sorted((one for one in choices if one.value > LEAST / 2), key=lambda one: -one.rate)
    for one in promising[: BREADTH[depth]]:
        after = one.after or _paid(mind, scene, one)
        later = _kept(mind, after, rate)
        if depth + 1 < len(BREADTH):
            later, _ = _best(mind, after, list(mind.of(after)), depth + 1)
        total = one.value + later
        if total > best[0] + LEAST / 10:
            best = (total, one)
    return best


def _kept(mind: Choices, scene: Scene, rate: float) -> float:
    """The worth of what is kept for the next turn."""
    one = scene.fighters[mind.who]
    shares = [one.pools[pool] / (one.full(pool) or 1) for pool in mind.scales.saved(one)]
    return SAVING * rate * min(shares, default=0.0)


def _paid(mind: Choices, scene: Scene, choice: Choice) -> Scene:
    """The scene in which an action with dice is paid for, and nothing else has happened."""
    one = scene.fighters[mind.who]
    pools = dict(one.pools)
    for pool, amount in choice.one.costs:
        pools[pool] = pools[pool] - amount
    return scene._replace(fighters={**scene.fighters, mind.who: one._replace(pools=pools)})
