"""Finding how strong a foe must be: the step of its role at which the players win a wanted share of fights."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import exp, inf, log, sqrt

from ..values import NamedTuple
from .tally import Share, share

BLOCK = 50
"""Fights in a block."""
SIGMAS = 3
"""After each block a step is given up if the share that the players won is so many standard deviations of what is
wanted off."""
MOST_TRIES = 12
"""Most steps that are tried by fights."""
CERTAIN = 0.02
"""A share nearer to none or all of the fights says no more than this one about how far off a step is."""
LEAST_RATIO, MOST_RATIO = 1e-6, 1e6

Fight = Callable[[int, int, int], int]
"""`fight(step, block, fights)` fights a block against a step, and gives how many of the fights the players win."""


class Tried(NamedTuple):
    """A step that was tried by fights."""

    step: int
    ratio: float
    """The exact ratio of harm."""
    won: int
    fights: int

    @property
    def wins(self) -> Share:
        """The share of fights that the players won, and its 95 % interval."""
        return share(self.won, self.fights)

    def confirms(self, wanted: float) -> bool:
        """Whether the players win the wanted share as far as the fights can tell."""
        return self.wins.low <= wanted <= self.wins.high

    def is_far_off(self, wanted: float) -> bool:
        """Whether more fights would hardly bring the share near the wanted one."""
        spread = sqrt(wanted * (1 - wanted) / self.fights) if self.fights else inf
        return abs(self.wins.p - wanted) > SIGMAS * spread


class Search:
    """The search among the steps of one role; `ratio` falls with the step, and so does what the players win."""

    def __init__(
        self,
        steps: int,
        ratio: Callable[[int], float],
        fight: Fight,
        ratios: Mapping[float, float],
        fights: int,
    ):
        self.steps = steps
        self.ratio = ratio
        self.fight = fight
        self.ratios = dict(sorted(ratios.items()))
        """The ratio at which players usually win a share of fights, by share."""
        self.fights = fights
        """Fights that confirm a step."""
        self.known: dict[int, float] = {}

    def find(self, wanted: float) -> Tried:
        """The step that the fights confirm, or the nearest one that was tried: with fewer fights where it is far off.

        The exact ratio gives the first guess. What the fights at a step tell about the ratio gives the next one,
        between the steps known to be too weak and too strong.
        """
        weak, strong = -1, self.steps
        aim = log(self._usual(wanted))
        tried: list[Tried] = []
        while strong - weak > 1 and len(tried) < MOST_TRIES:
            one = self._fought(self._nearest(aim, weak + 1, strong - 1), wanted)
            if one.fights >= self.fights and one.confirms(wanted):
                return one
            tried.append(one)
            weak, strong = (one.step, strong) if one.wins.p > wanted else (weak, one.step)
            aim = self._aim(tried, wanted)
        return min(reversed(tried), key=lambda one: abs(one.wins.p - wanted))

    def _aim(self, tried: list[Tried], wanted: float) -> float:
        """The logarithm of the ratio to try next: between the nearest steps on both sides, in proportion to what the
        players won there; with one side only as far off as such a share usually is."""
        weak = max((one for one in tried if one.wins.p > wanted), key=lambda one: one.step, default=None)
        strong = min((one for one in tried if one.wins.p <= wanted), key=lambda one: one.step, default=None)
        if weak is None or strong is None:
            one = tried[-1]
            return log(one.ratio) + log(self._usual(wanted)) - log(self._usual(_certain(one.wins.p)))
        high, low = _logit(_certain(weak.wins.p)), _logit(_certain(strong.wins.p))
        part = (high - _logit(wanted)) / (high - low) if high > low else 0.5
        return log(weak.ratio) + part * (log(strong.ratio) - log(weak.ratio))

    def _fought(self, step: int, wanted: float) -> Tried:
        """A step after all its fights, or after the first ones where these are clearly off."""
        one = Tried(step, self._ratio(step), 0, 0)
        while one.fights < self.fights and not (one.fights and one.is_far_off(wanted)):
            many = min(BLOCK, self.fights - one.fights)
            won = self.fight(one.step, one.fights // BLOCK, many)
            one = one._replace(won=one.won + won, fights=one.fights + many)
        return one

    def _ratio(self, step: int) -> float:
        if step not in self.known:
            self.known[step] = min(MOST_RATIO, max(LEAST_RATIO, self.ratio(step)))
        return self.known[step]

    def _nearest(self, aim: float, low: int, high: int) -> int:
        """The step from `low` to `high` whose ratio is nearest to one, which is given by its logarithm."""
        goal = exp(aim)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self._ratio(middle) > goal else (low, middle)
        return min((low, high), key=lambda step: abs(log(self._ratio(step)) - aim))

    def _usual(self, wanted: float) -> float:
        """The ratio at which players usually win a share, between and beyond those known along the logistic curve."""
        shares = list(self.ratios)
        at = min(max(1, sum(one < wanted for one in shares)), len(shares) - 1)
        first, second = shares[at - 1], shares[at]
        part = (_logit(wanted) - _logit(first)) / (_logit(second) - _logit(first))
        low, high = log(self.ratios[first]), log(self.ratios[second])
        return exp(low + part * (high - low))


def _certain(p: float) -> float:
    """A share that is neither none nor all."""
    return min(1 - CERTAIN, max(CERTAIN, p))


def _logit(p: float) -> float:
    return log(p / (1 - p))
