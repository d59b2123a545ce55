"""How strong two sides are beside each other, by exact odds alone: what each would do to the other in a turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..dice.distribution import OddsTable, least_harm
from ..engine.action_odds import action_odds
from ..engine.legal_actions import of
from ..engine.ranking import left, losses
from ..engine.scene import Fighter, Intent, Scene
from ..errors import Refused, TooWide
from .resources import following, turn_share, with_full_turn

if TYPE_CHECKING:
    from ..engine.system import System


class Balance:
    """Compares sides of one system; it remembers the odds that it has worked out."""

    def __init__(self, system: System):
        self.system = system
        self.odds_table = OddsTable(least_harm)

    def ratio(self, players: Sequence[Fighter], foes: Sequence[Fighter]) -> float:
        """How many times as fast the players bring down the foes as the foes bring down the players; infinite where
        the foes do no harm.

        Each does what harms most for its price, without positions and in full turns of its own. Of a side that goes
        down one by one, a little more than half fights on average.
        """
        theirs = self._rate(foes, players)
        return self._rate(players, foes) / theirs if theirs else float("inf")

    def _rate(self, side: Sequence[Fighter], others: Sequence[Fighter]) -> float:
        """The share of all the others that a side brings down in a turn of each of its fighters."""
        found = 0.0
        for one, times in _alike(side):
            turns = 0.0
            for other, bodies in _alike(others):
                harm = self.harm(one, other)
                turns += bodies / harm if harm else float("inf")
            found += times / turns
        return found * (len(side) + 1) / (2 * len(side))

    def harm(self, one: Fighter, other: Fighter) -> float:
        """The share of what another fighter has to lose that the best attack on it takes in a turn, on average."""
        other = other._replace(name=f"{other.name} 2") if other.name == one.name else other
        both = {each.name: each._replace(at=None) for each in (one, other)}
        scene = Scene(self.system.name, both, open=True, order=(*both,), round=1)
        scene = with_full_turn(self.system, scene, one.name, fresh=True)
        most = 0.0
        for action in of(self.system, scene, one.name, lambda intent: other.name in intent.targets):
            points = self._loss(scene, action.intent)
            if points:
                points += following(self.system, self.odds_table, scene, action.intent, self._loss)
            most = max(most, points / turn_share(self.system, scene.fighters[one.name], action))
        return most / left(self.system, scene.fighters[other.name])

    def _loss(self, scene: Scene, attack: Intent) -> float:
        """What the target of an attack loses on average; nothing where that cannot be worked out."""
        try:
            odds = action_odds(self.system, scene, attack, self.odds_table)
        except (TooWide, Refused):
            return 0.0
        return losses(self.system, odds).get(attack.target, 0.0)


def _alike(side: Sequence[Fighter]) -> list[tuple[Fighter, int]]:
    """The different fighters of a side, each with how many there are with the same sheet."""
    found: dict[int, tuple[Fighter, int]] = {}
    for one in side:
        first, times = found.get(id(one.sheet), (one, 0))
        found[id(one.sheet)] = first, times + 1
    return list(found.values())
