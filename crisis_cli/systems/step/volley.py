"""The dice of attacks: shot after shot at one target or several, and bursts (STEP-18, STEP-21, STEP-28)."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

from ...errors import TooWide
from .area import Area, go_off, prepared
from .burst import aim_on, count_on, summed
from .harm import Blow, Shot, Toll, Victim, hurt
from .shots import finished, shoot

if TYPE_CHECKING:
    from ...dice.distribution import Distribution, OddsTable


class Volley(NamedTuple):
    """All that the dice of an attack need to know."""

    blow: Blow
    shots: tuple[Shot, ...]
    victims: tuple[Victim, ...]
    burst: bool = False
    area: Area | None = None
    executed: bool = False
    harmless: bool = False
    """Only the attack rolls count: for the odds of hitting several targets."""


class Fired(NamedTuple):
    """What an attack came to."""

    success: bool
    total: int | None
    """Of the attack roll, where there is only one."""
    hits: int
    landing: int
    """Where an area attack went off: 0 at its mark, else the direction of its miss (STEP-27)."""
    tolls: tuple[Toll, ...]
    """How the victims stand afterwards, in their order."""

    @property
    def word(self) -> str:
        """In one word."""
        return "hit" if self.success else "miss"


def _fire(table: Any, volley: Volley) -> Fired:
    """STEP-18: every attack roll, and the damage of every hit."""
    if volley.area is not None:
        return _lobbed(table, volley)
    if volley.harmless:
        _, hits = table.chain(len(volley.shots), count_on, (0, 0), volley.shots, volley.blow)
        return Fired(hits > 0, None, hits, 0, tuple(one.toll for one in volley.victims))
    if volley.burst:
        return _burst(table, volley)
    tolls = [one.toll for one in volley.victims]
    hits, reach = 0, None
    single = len(volley.shots) == 1
    for at, shots in groupby(volley.shots, key=lambda shot: shot.at):
        mine = tuple(shots)
        state = table.chain(len(mine), shoot, (0, 0, 0, tolls[at]), mine, volley.victims[at], volley.blow)
        _, landed, reach, tolls[at] = state
        hits += landed
    if volley.executed and hits:
        tolls[0] = table.ask(finished, volley.victims[0], tolls[0])
    return Fired(hits > 0, reach if single else None, hits, 0, tuple(tolls))


def _burst(table: Any, volley: Volley) -> Fired:
    """STEP-21: all attack dice first, then damage hit by hit, summed on each target before armour."""
    shots = volley.shots
    tolls = [one.toll for one in volley.victims]
    got: dict[int, tuple[int, int]] = {}
    for at, some in groupby(shots, key=lambda shot: shot.at):
        mine = tuple(some)
        name = volley.victims[at].name
        _, hits, earned = table.chain(len(mine), aim_on, (0, 0, 0), mine, name, volley.blow)
        before = got.get(at, (0, 0))
        got[at] = (before[0] + hits, before[1] + earned)
    for at, (hits, earned) in got.items():
        if hits:
            victim = volley.victims[at]
            harm = table.ask(summed, volley.blow, hits, earned, victim.name)
            tolls[at] = hurt(table, victim, tolls[at], harm, volley.blow)
    count = sum(hits for hits, _ in got.values())
    return Fired(count > 0, None, count, 0, tuple(tolls))


def _lobbed(table: Any, volley: Volley) -> Fired:
    """STEP-23 to STEP-27: an attack on an area, or one after the other."""
    assert volley.area is not None
    victims = prepared(table, volley.victims, lambda alone: (peril, volley._replace(victims=alone)))
    tolls = tuple(one.toll for one in victims)
    hits, reach, landing = 0, None, 0
    for number, shot in enumerate(volley.shots):
        hit, reach, landing, tolls = go_off(
            table, shot, victims, tolls, volley.blow, volley.area, first=not number
        )
        hits += hit
    return Fired(hits > 0, reach if len(volley.shots) == 1 else None, hits, landing, tolls)


def peril(table: Any, volley: Volley) -> int:
    """A rule: the wounds that an attack on an area brings its only victim; what a dodge is weighed by."""
    before, after = volley.victims[0].toll, table.ask(fire, volley).tolls[0]
    wounds: int = before.health - after.health + after.nonlethal - before.nonlethal
    return wounds


MOST_AT_ONCE = 1
"""Victims of one area whose joint law is followed; beyond it each has a law of its own (Staked.views)."""


def fire(table: Any, volley: Volley) -> Fired:
    """A rule: an attack, from the first die to the last."""
    return _fire(table, volley)


def _fire_law(odds_table: OddsTable, volley: Volley) -> Distribution:
    """Not for several victims of one area: all that may become of all of them together is too much."""
    if volley.area is not None and len(volley.victims) > MOST_AT_ONCE:
        raise TooWide(
            f"what an area does to {len(volley.victims)} victims together takes too many branches",
            hint="ask about each of them",
        )
    if len(volley.victims) > 1 or volley.area or volley.harmless or volley.burst or volley.executed:
        return odds_table.of(_fire, volley)
    shots, (victim,) = volley.shots, volley.victims
    law = odds_table.chain(len(shots), shoot, (0, 0, 0, victim.toll), (shots, victim, volley.blow))
    single = len(shots) == 1
    return law.of(lambda state: Fired(state[1] > 0, state[2] if single else None, state[1], 0, (state[3],)))


setattr(fire, "law", _fire_law)  # noqa: B010
