"""The dice of attacks: shot after shot at one target or several, and bursts (STEP-18, STEP-21, STEP-28)."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

from ...errors import TooWide
from .area import Area, go_off, prepared
from .harm import Blow, Shot, Toll, Victim, damage, struck
from .rolls import extras, reached, roll, succeeds
from .sheet import LOWEST

if TYPE_CHECKING:
    from ...table.odds import Law, Laws


class Volley(NamedTuple):
    """All that the dice of an attack need to know."""

    blow: Blow
    shots: tuple[Shot, ...]
    victims: tuple[Victim, ...]
    burst: bool = False
    area: Area | None = None
    executed: bool = False


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


def shoot(
    table: Any, state: tuple[int, int, int, Toll], shots: tuple[Shot, ...], victim: Victim, blow: Blow
) -> tuple[int, int, int, Toll]:
    """A rule: the next of some shots at one victim; the state is their number, hits, the total, the toll."""
    fired, hits, _, toll = state
    shot = shots[fired]
    return _after(state, table.ask(harmed, shot, victim.name, blow), victim, toll, hits, blow)


def _after(
    state: tuple[int, int, int, Toll],
    answer: tuple[bool, int, int],
    victim: Victim,
    toll: Toll,
    hits: int,
    blow: Blow,
) -> tuple[int, int, int, Toll]:
    hit, reach, harm = answer
    return state[0] + 1, hits + hit, reach, struck(victim, toll, harm, blow) if hit else toll


def _shoot_law(
    laws: Laws, state: tuple[int, int, int, Toll], shots: tuple[Shot, ...], victim: Victim, blow: Blow
) -> Law:
    """After the dice of a shot nothing is left to chance."""
    _, hits, _, toll = state
    law = laws.of(harmed, shots[state[0]], victim.name, blow)
    return law.of(lambda answer: _after(state, answer, victim, toll, hits, blow))


setattr(shoot, "law", _shoot_law)  # noqa: B010


def harmed(table: Any, shot: Shot, target: str, blow: Blow) -> tuple[bool, int, int]:
    """A rule: whether a shot hits, its total where it is the only one, and the damage before armour."""
    hit, reach, earned = aimed(table, shot, target, blow)
    harm = table.ask(damage_of, blow, earned, target, shot.number) if hit else 0
    return hit, reach if shot.keep else 0, harm


def aimed(table: Any, shot: Shot, target: str, blow: Blow) -> tuple[bool, int, int]:
    """STEP-18: an attack roll: whether it hits, its total, its extras (STEP-8)."""
    about = _about(target, shot.number)
    table.label("attack", blow.who, f"d{shot.sides}", **about)
    natural = table.ask(roll, shot.sides)
    reach, hit = reached(natural, shot.bonus), succeeds(natural, shot.bonus, shot.difficulty)
    earned = extras(reach, not blow.extras) if hit else 0
    table.reckon(total=reach, target=shot.difficulty, success=hit, **_told(natural, earned))
    return hit, reach, earned


def _about(target: str, number: int) -> dict[str, Any]:
    return {"against": target, "shot": number} if number else {}


def _told(natural: int, earned: int) -> dict[str, Any]:
    return ({"extras": earned} if earned else {}) | ({} if natural else {"critical_failure": True})


def damage_of(table: Any, blow: Blow, earned: int, target: str, number: int) -> int:
    """A rule: the damage of one hit."""
    return damage(table, blow, earned, **_about(target, number))


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
            tolls[at] = struck(victim, tolls[at], harm, volley.blow)
    count = sum(hits for hits, _ in got.values())
    return Fired(count > 0, None, count, 0, tuple(tolls))


def aim_on(
    table: Any, state: tuple[int, int, int], shots: tuple[Shot, ...], target: str, blow: Blow
) -> tuple[int, int, int]:
    """A rule: the next attack roll of a burst; the state is their number, the hits and their extras."""
    fired, hits, earned = state
    hit, more = table.ask(won, shots[fired], target, blow)
    return fired + 1, hits + hit, earned + more


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


def again(table: Any, blow: Blow, target: str) -> int:
    """A rule: the damage of one more hit of a burst."""
    return damage(table, blow, 0, against=target)


def finished(table: Any, victim: Victim, toll: Toll) -> Toll:
    """STEP-16: whoever survives an execution needs a body roll at or above its wounds, or dies (a reading)."""
    wounds = (victim.toll.health - toll.health) + (toll.nonlethal - victim.toll.nonlethal)
    if toll.health <= LOWEST:
        return toll
    sides, bonus = victim.body
    table.label("resist", victim.name, f"d{sides}")
    natural = table.ask(roll, sides)
    lives = succeeds(natural, bonus, wounds)
    table.reckon(total=reached(natural, bonus), target=wounds, success=lives, **_told(natural, 0))
    return toll if lives else toll._replace(health=LOWEST, spared=False, wounded=True)


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


def _fire_law(laws: Laws, volley: Volley) -> Law:
    """Not for several victims of one area: all that may become of all of them together is too much."""
    if volley.area is not None and len(volley.victims) > MOST_AT_ONCE:
        raise TooWide(
            f"what an area does to {len(volley.victims)} victims together takes too many branches",
            hint="ask about each of them",
        )
    return laws.of(_fire, volley)


setattr(fire, "law", _fire_law)  # noqa: B010
