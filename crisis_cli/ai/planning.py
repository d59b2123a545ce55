"""Choosing one action: the best for its price, or the first of the best turn that can be paid."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from ..engine.scene import Scene
from . import resources
from .choices import DIRECT_KEYS, Choice, ChoiceFinder
from .evaluation import BudgetExceeded
from .positioning import MIN_VALUE, position_value

SAVED_SHARE = 0.9
"""The share of its value now that something saved for the next turn has."""
BREADTH = ((3, 2), (1, 1))
"""Width of the search at each depth of a turn: how many direct choices, and how many preparations."""


def best_by_rate(finder: ChoiceFinder, scene: Scene, choices: Sequence[Choice]) -> Choice | None:
    """The choice with the most value per price, the first of equals; None if nothing is worth doing."""
    rate = finder.rate(scene)
    good = [
        one
        for one in choices
        if one.value > MIN_VALUE / 2 and one.rate >= _min_rate(finder, scene, one, rate)
    ]
    best = max(good, key=lambda one: one.rate, default=None)
    return best and _skip_steps(finder, good, best)


def _skip_steps(finder: ChoiceFinder, good: Sequence[Choice], best: Choice) -> Choice:
    """Instead of the first of several preparations, a larger one that leads there at once, if what it adds is worth
    its higher price."""
    if best.key in DIRECT_KEYS:
        return best
    rival = max((one.rate for one in good if one.key in DIRECT_KEYS), default=finder.rate(best.after))
    pricier = [one for one in good if one.key not in DIRECT_KEYS and one.price > best.price]
    found = [one for one in pricier if one.value - best.value > rival * (one.price - best.price)]
    return max(found, key=lambda one: one.value, default=best)


def _min_rate(finder: ChoiceFinder, scene: Scene, choice: Choice, rate: float) -> float:
    """The least value per price of a preparation whose costs could be saved for an attack."""
    fighter = scene.fighters[finder.who]
    paid = {pool for pool, amount in choice.action.costs if amount > 0}
    carried_over = [pool for pool in resources.carried_over_pools(finder.system, fighter) if pool in paid]
    if choice.key in DIRECT_KEYS or all(fighter.pools[pool] >= fighter.full(pool) for pool in carried_over):
        return 0.0
    return SAVED_SHARE * rate


def best_of_turn(finder: ChoiceFinder, scene: Scene, choices: Sequence[Choice]) -> Choice | None:
    """The first action of the best turn that can still be paid; `best_by_rate` if the search exceeds the budget."""
    finder.evaluator.reset_budget()
    try:
        return Plan(finder, scene).best(scene, choices, 0)[1]
    except BudgetExceeded:
        return best_by_rate(finder, scene, choices)


class Plan:
    """A search through one turn, for the effects of its actions and the position at its end."""

    def __init__(self, finder: ChoiceFinder, scene: Scene):
        self.finder = finder
        self.scene = scene
        self.at_start = scene.fighters[finder.who]
        self.rate = finder.rate(scene)
        self.targets = [one.name for one in finder.evaluator.foes(scene, finder.who)]
        self.expected_attacks = (
            finder.evaluator.expected_attacks(scene, finder.who) if finder.doctrine.weigh.suffered else []
        )
        self.before = position_value(finder, scene, self.targets, self.expected_attacks, fresh=True)

    def best(self, scene: Scene, choices: Sequence[Choice], depth: int) -> tuple[float, Choice | None]:
        """The value of the best rest of the turn, and its first action; None for ending the turn here."""
        stopping = self.end_value_or_worst(scene)
        best: tuple[float, Choice | None] = (stopping, None)
        promising = sorted((one for one in choices if one.value > MIN_VALUE / 2), key=lambda one: -one.rate)
        direct_width, preparation_width = BREADTH[depth]
        candidates = [one for one in promising if one.key in DIRECT_KEYS][:direct_width]
        candidates += [one for one in promising if one.key not in DIRECT_KEYS][:preparation_width]
        for one in candidates:
            if depth + 1 < len(BREADTH):
                later, _ = self.best(one.after, list(self.finder.of(one.after, stays=True)), depth + 1)
            else:
                later = self.end_value_or_worst(one.after)
            if later == -inf and one.key in DIRECT_KEYS:
                # After an attack the position is as before.
                later = stopping
            if one.direct_value + later > best[0] + MIN_VALUE / 10:
                best = (one.direct_value + later, one)
        return best

    def end_value_or_worst(self, scene: Scene) -> float:
        """The value of ending the turn here; -inf if the budget is used up."""
        try:
            return self.end_value(scene)
        except BudgetExceeded:
            return -inf

    def end_value(self, scene: Scene) -> float:
        """The value of ending the turn here: the position, and what is saved for the next turn."""
        scene = self._refilled(scene)
        now = position_value(
            self.finder, scene, self.targets, self.expected_attacks, self.before, True, self.scene
        )
        one = scene.fighters[self.finder.who]
        carried_over = resources.carried_over_pools(self.finder.system, one)
        saved_share = min((one.pools[pool] / (one.full(pool) or 1) for pool in carried_over), default=0.0)
        return now.reach - now.threat + now.place + SAVED_SHARE * self.rate * saved_share

    def _refilled(self, scene: Scene) -> Scene:
        """The scene with weapons as full and hands as at the start of the turn, so that ammunition spent does not
        count as a worse position."""
        one, had = scene.fighters[self.finder.who], self.at_start.pools
        things = {pool: max(left, had.get(pool, 0)) for pool, left in one.pools.items() if ":" in pool}
        stocked = one._replace(pools={**one.pools, **things}, held=one.held or self.at_start.held)
        return scene._replace(fighters={**scene.fighters, one.name: stocked})
