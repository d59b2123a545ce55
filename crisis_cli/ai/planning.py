"""Choosing: the best for its price, or the first action of the best turn that can be paid."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from ..engine.scene import Scene
from . import resources
from .choices import DEEDS, Choice, Choices
from .evaluation import BudgetExceeded
from .positioning import LEAST, standing

SAVING = 0.9
"""What is saved for the next turn is worth this share of what it would fetch now."""
BREADTH = ((3, 2), (1, 1))
"""Of a turn thought through: how many deeds, and how many ways to make ready, are followed at each step."""


def greedy(mind: Choices, scene: Scene, choices: Sequence[Choice]) -> Choice | None:
    """What is worth most for its price; ties as the rules list them. None where nothing is worth it."""
    rate = mind.rate(scene)
    good = [one for one in choices if one.value > LEAST / 2 and one.rate >= _floor(mind, scene, one, rate)]
    best = max(good, key=lambda one: one.rate, default=None)
    return best and _straight(mind, good, best)


def _straight(mind: Choices, good: Sequence[Choice], best: Choice) -> Choice:
    """Instead of the first of several steps to the same end the one that leads there at once: whatever adds to the
    best for what more it takes as much as anything else is worth for its price."""
    if best.key in DEEDS:
        return best
    rival = max((one.rate for one in good if one.key in DEEDS), default=mind.rate(best.after))
    farther = [one for one in good if one.key not in DEEDS and one.price > best.price]
    found = [one for one in farther if one.value - best.value > rival * (one.price - best.price)]
    return max(found, key=lambda one: one.value, default=best)


def _floor(mind: Choices, scene: Scene, choice: Choice, rate: float) -> float:
    """What making ready must be worth for its price, where that could be saved for an attack."""
    fighter = scene.fighters[mind.who]
    paid = {pool for pool, amount in choice.one.costs if amount > 0}
    saved = [pool for pool in resources.saved(mind.system, fighter) if pool in paid]
    if choice.key in DEEDS or all(fighter.pools[pool] >= fighter.full(pool) for pool in saved):
        return 0.0
    return SAVING * rate


def planned(mind: Choices, scene: Scene, choices: Sequence[Choice]) -> Choice | None:
    """The first action of the best turn that can still be paid; what is best by itself where that is too wide."""
    mind.scales.refreshed()
    try:
        return Plan(mind, scene).best(scene, choices, 0)[1]
    except BudgetExceeded:
        return greedy(mind, scene, choices)


class Plan:
    """A turn thought through to its end, for what is done in it and how well its owner is placed then."""

    def __init__(self, mind: Choices, scene: Scene):
        self.mind = mind
        self.scene = scene
        self.begun = scene.fighters[mind.who]
        self.rate = mind.rate(scene)
        self.wanted = [one.name for one in mind.scales.foes(scene, mind.who)]
        self.fears = mind.scales.fears(scene, mind.who) if mind.doctrine.weigh.suffered else []
        self.was = standing(mind, scene, self.wanted, self.fears, fresh=True)

    def best(self, scene: Scene, choices: Sequence[Choice], depth: int) -> tuple[float, Choice | None]:
        """The worth of the best way to end a turn from here, and what it begins with."""
        here = self.ended(scene)
        best: tuple[float, Choice | None] = (here, None)
        promising = sorted((one for one in choices if one.value > LEAST / 2), key=lambda one: -one.rate)
        deeds, ready = BREADTH[depth]
        followed = [one for one in promising if one.key in DEEDS][:deeds]
        followed += [one for one in promising if one.key not in DEEDS][:ready]
        for one in followed:
            if depth + 1 < len(BREADTH):
                later, _ = self.best(one.after, list(self.mind.of(one.after, staying=True)), depth + 1)
            else:
                later = self.ended(one.after)
            if later == -inf and one.key in DEEDS:
                # Whoever has struck stands as before.
                later = here
            if one.deed + later > best[0] + LEAST / 10:
                best = (one.deed + later, one)
        return best

    def ended(self, scene: Scene) -> float:
        """What it is worth to end the turn here; what is not known is not taken for good."""
        try:
            return self.end(scene)
        except BudgetExceeded:
            return -inf

    def end(self, scene: Scene) -> float:
        """What it is worth to end the turn here: how well one is placed, and what is kept for the next."""
        scene = self._stocked(scene)
        now = standing(self.mind, scene, self.wanted, self.fears, self.was, True, self.scene)
        one = scene.fighters[self.mind.who]
        saved = resources.saved(self.mind.system, one)
        kept = min((one.pools[pool] / (one.full(pool) or 1) for pool in saved), default=0.0)
        return now.reach - now.threat + now.place + SAVING * self.rate * kept

    def _stocked(self, scene: Scene) -> Scene:
        """The scene as if things were as full as they were when the turn began, and no hand empty: what is there to
        be fired or thrown is worth what it does, and is no part of how well one is placed."""
        one, had = scene.fighters[self.mind.who], self.begun.pools
        things = {pool: max(left, had.get(pool, 0)) for pool, left in one.pools.items() if ":" in pool}
        stocked = one._replace(pools={**one.pools, **things}, held=one.held or self.begun.held)
        return scene._replace(fighters={**scene.fighters, one.name: stocked})
