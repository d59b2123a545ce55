"""One attack roll after the other, and what a hit does (STEP-16, STEP-18, STEP-21, STEP-28)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...dice.distribution import Distribution, reduced
from .harm import Blow, Shot, Toll, Victim, damage, hurt, struck
from .rolls import extras, reached, roll, succeeds
from .sheet import LOWEST

if TYPE_CHECKING:
    from ...dice.distribution import OddsTable


def shoot(
    table: Any, state: tuple[int, int, int, Toll], shots: tuple[Shot, ...], victim: Victim, blow: Blow
) -> tuple[int, int, int, Toll]:
    """A rule: the next of some shots at one victim; the state is their number, hits, the total, the toll."""
    fired, hits, _, toll = state
    hit, reach, harm = table.ask(harmed, shots[fired], victim.name, blow)
    return fired + 1, hits + hit, reach, hurt(table, victim, toll, harm, blow) if hit else toll


def _shoot_law(
    odds_table: OddsTable,
    state: tuple[int, int, int, Toll],
    shots: tuple[Shot, ...],
    victim: Victim,
    blow: Blow,
) -> Distribution:
    """After the dice of a shot nothing is left to chance, and nobody spares unasked."""
    fired, hits, _, toll = state
    law = odds_table.of(harmed, shots[fired], victim.name, blow)
    return law.of(
        lambda shot: (
            fired + 1,
            hits + shot[0],
            shot[1],
            struck(victim, toll, shot[2], blow) if shot[0] else toll,
        )
    )


setattr(shoot, "law", _shoot_law)  # noqa: B010


def harmed(table: Any, shot: Shot, target: str, blow: Blow) -> tuple[bool, int, int]:
    """A rule: whether a shot hits, its total where it is the only one, and the damage before armour."""
    hit, reach, earned = aimed(table, shot, target, blow)
    harm = table.ask(damage_of, blow, earned, target, shot.number) if hit else 0
    return hit, reach if shot.keep else 0, harm


def _harmed_law(odds_table: OddsTable, shot: Shot, target: str, blow: Blow) -> Distribution:
    """The extras only move the sum of the dice."""
    rolls = odds_table.of(roll, shot.sides)
    dice = odds_table.of(damage_of, blow, 0, target, shot.number)
    ways: dict[tuple[bool, int, int], int] = {}
    for natural, count in rolls:
        hit, reach, earned = _came_to(natural, shot, blow)
        kept = reach if shot.keep else 0
        moved = min(earned * blow.extras, blow.most)
        for harm, more in dice if hit else ((0, dice.total),):
            answer = (hit, kept, min(harm + moved, blow.most) if hit else 0)
            ways[answer] = ways.get(answer, 0) + count * more
    return reduced(ways, rolls.total * dice.total, rolls.truncated or dice.truncated)


setattr(harmed, "law", _harmed_law)  # noqa: B010


def _came_to(natural: int, shot: Shot, blow: Blow) -> tuple[bool, int, int]:
    """STEP-6, STEP-8: whether a natural roll hits, its total, its extras."""
    reach, hit = reached(natural, shot.bonus), succeeds(natural, shot.bonus, shot.difficulty)
    return hit, reach, extras(reach, not blow.extras) if hit else 0


def aimed(table: Any, shot: Shot, target: str, blow: Blow) -> tuple[bool, int, int]:
    """STEP-18: an attack roll: whether it hits, its total, its extras (STEP-8)."""
    about = numbered(target, shot.number)
    table.label("attack", blow.who, f"d{shot.sides}", **about)
    natural = table.ask(roll, shot.sides)
    hit, reach, earned = _came_to(natural, shot, blow)
    table.result(total=reach, target=shot.difficulty, success=hit, **told(natural, earned))
    return hit, reach, earned


def numbered(target: str, number: int) -> dict[str, Any]:
    return {"against": target, "shot": number} if number else {}


def told(natural: int, earned: int) -> dict[str, Any]:
    return ({"extras": earned} if earned else {}) | ({} if natural else {"critical_failure": True})


def damage_of(table: Any, blow: Blow, earned: int, target: str, number: int) -> int:
    """A rule: the damage of one hit."""
    return damage(table, blow, earned, **numbered(target, number))


def finished(table: Any, victim: Victim, toll: Toll) -> Toll:
    """STEP-16: whoever survives an execution needs a body roll at or above its wounds, or dies (a reading)."""
    wounds = (victim.toll.health - toll.health) + (toll.nonlethal - victim.toll.nonlethal)
    if toll.health <= LOWEST:
        return toll
    sides, bonus = victim.body
    table.label("resist", victim.name, f"d{sides}")
    natural = table.ask(roll, sides)
    lives = succeeds(natural, bonus, wounds)
    table.result(total=reached(natural, bonus), target=wounds, success=lives, **told(natural, 0))
    return toll if lives else toll._replace(health=LOWEST, spared=False, wounded=True)


def _finished_law(odds_table: OddsTable, victim: Victim, toll: Toll) -> Distribution:
    """After the body roll nothing is left to chance."""
    if toll.health <= LOWEST:
        return Distribution({toll: 1}, 1)
    sides, bonus = victim.body
    wounds = (victim.toll.health - toll.health) + (toll.nonlethal - victim.toll.nonlethal)
    dead = toll._replace(health=LOWEST, spared=False, wounded=True)
    return odds_table.of(roll, sides).of(lambda natural: toll if succeeds(natural, bonus, wounds) else dead)


setattr(finished, "law", _finished_law)  # noqa: B010
