"""Several attack rolls first and the damage after them: bursts, and hits that are only counted (STEP-21)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .harm import Blow, Shot, damage
from .shots import aimed

if TYPE_CHECKING:
    from ...dice.distribution import Distribution, OddsTable


def aim_on(
    table: Any, state: tuple[int, int, int], shots: tuple[Shot, ...], target: str, blow: Blow
) -> tuple[int, int, int]:
    """A rule: the next attack roll of a burst; the state is their number, the hits and their extras."""
    fired, hits, earned = state
    hit, more = table.ask(won, shots[fired], target, blow)
    return fired + 1, hits + hit, earned + more


def count_on(table: Any, state: tuple[int, int], shots: tuple[Shot, ...], blow: Blow) -> tuple[int, int]:
    """A rule: the next attack roll of several, of which only the hits count; the state is their number and these."""
    fired, hits = state
    return fired + 1, hits + table.ask(won, shots[fired], "", blow._replace(extras=0))[0]


def won(table: Any, shot: Shot, target: str, blow: Blow) -> tuple[bool, int]:
    """A rule: whether an attack roll hits, and its extras."""
    hit, _, earned = aimed(table, shot, target, blow)
    return hit, min(earned, blow.most)


def summed(table: Any, blow: Blow, hits: int, earned: int, target: str) -> int:
    """A rule: the damage of all hits of a burst on one target, their extras counted with the first."""
    plain = blow._replace(extras=0)
    first = damage(table, blow, earned, against=target)
    rest: int = table.times(hits - 1, again, plain, target)
    return min(blow.most, first + rest)


def _summed_law(odds_table: OddsTable, blow: Blow, hits: int, earned: int, target: str) -> Distribution:
    """The extras only move the sum of the dice."""
    dice = odds_table.sum(hits, again, (blow._replace(extras=0), target), 0)
    return dice.of(lambda harm: min(blow.most, harm + earned * blow.extras))


setattr(summed, "law", _summed_law)  # noqa: B010


def again(table: Any, blow: Blow, target: str) -> int:
    """A rule: the damage of one more hit of a burst."""
    return damage(table, blow, 0, against=target)
