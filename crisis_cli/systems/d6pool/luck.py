"""What one spends on a roll: bonus dice, destiny dice, re-rolls, said with it or chosen once it has failed (POOL-7)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from ...dice.table import Alternative
from ...engine.events import Event, shift
from ...engine.scene import Intent, Scene
from ...engine.system import Cost, refuse
from .pool import Scale, counted

FATE = 4
"""POOL-7: what a destiny die must reach, whatever the difficulty."""
KEEP, BONUS, DESTINY, REROLL, FATED = "keep", "bonus", "destiny", "reroll", "reroll-destiny"
"""What can be done about a roll without success: nothing, a die more, the whole roll again, also by destiny."""
POOLS = {BONUS: "bonus-dice", DESTINY: "destiny-dice", REROLL: "rerolls", FATED: "destiny-dice"}
"""What each of them is paid from."""
PRICES = {BONUS: "bonus die", DESTINY: "destiny die", REROLL: "re-roll", FATED: "destiny die"}
"""What each of them takes one of."""

AGAIN, AGAIN_BY_DESTINY = "re-roll", "re-roll by destiny"
"""What the dice of a roll thrown again are called in the record."""
FATEFUL = (DESTINY, AGAIN_BY_DESTINY)
"""The parts of a roll that a destiny die makes count on 4."""

Luck = tuple[tuple[str, int], ...]
"""Pools of what lasts, and how many are left in each, none of them empty."""
Part = tuple[str, int, Scale]
"""Dice thrown together: their name, how many, and what measures them."""


class Hand(NamedTuple):
    """All that one roll needs to know."""

    who: str
    dice: int
    scale: Scale
    bonus: int = 0
    destiny: int = 0
    reroll: bool = False
    fated: bool = False
    """Whether a destiny die may make a re-roll."""
    luck: Luck = ()
    """What may still be spent once it has failed; empty where nobody is to be asked."""


def spent(scene: Scene, intent: Intent) -> tuple[Cost, ...]:
    """POOL-7: bonus and destiny dice, paid with the action; a re-roll must be there and is paid when it is made."""
    pools = scene.fighters[intent.actor].pools
    costs = []
    for option, pool in (("bonus", "bonus-dice"), ("destiny", "destiny-dice")):
        count = intent.get(option, 0)
        if count < 0:
            refuse(intent, f"--{option} is a number from 0", "POOL-7", final=True)
        if count:
            costs.append(Cost(pool, count, rule="POOL-7"))
    for option, pool, taken in (
        ("reroll", "rerolls", 0),
        ("reroll_destiny", "destiny-dice", intent.get("destiny", 0)),
    ):
        if intent.get(option) and pools[pool] <= taken:
            what = {"rerolls": "re-roll", "destiny-dice": "destiny die for a re-roll"}[pool]
            spent = f", and spends {taken} on the roll itself" if taken else ""
            refuse(intent, f"no {what} is left: {intent.actor} has {pools[pool]}{spent}", "POOL-7")
    return tuple(costs)


def luck_of(scene: Scene, who: str, said: Mapping[str, Any] = {}) -> Luck:
    """What the player of a fighter is asked about after a failure; nothing in a one-off, for fighters that play
    themselves, or where the options `said` of the fighter's own action say it."""
    fighter = scene.fighters[who]
    if any(way.replace("-", "_") in said for way in POOLS) or not scene.open or not fighter.player:
        return ()
    pools = dict.fromkeys(POOLS.values())
    return tuple((pool, fighter.pools[pool]) for pool in pools if fighter.pools[pool] > 0)


def parts(hand: Hand, way: str = KEEP) -> tuple[Part, ...]:
    """POOL-7: the pool, then bonus dice, then destiny dice, each with its waves; or what one more way throws."""
    fate = hand.scale._replace(least=FATE)
    if way in (BONUS, DESTINY):
        return ((way, 1, fate if way == DESTINY else hand.scale),)
    name = {REROLL: AGAIN, FATED: AGAIN_BY_DESTINY}.get(way, "")
    scale = fate if way == FATED else hand.scale
    whole = ((name, hand.dice, scale), (BONUS, hand.bonus, scale), (DESTINY, hand.destiny, fate))
    return tuple(part for part in whole if part[1]) or whole[:1]


def offered(hand: Hand, lacking: int, again: bool) -> tuple[Alternative, ...]:
    """What may be done about a roll that lacks so many successes; empty where there is nothing to choose.

    `again` says whether it may be re-rolled, having had none.
    """
    left = dict(hand.luck)
    added = (BONUS, DESTINY)
    ways = [way for way, pool in POOLS.items() if pool in left and ((hand.dice and again) or way in added)]
    if not ways:
        return ()
    chances = {way: tuple((dice, scale.least) for _, dice, scale in parts(hand, way)) for way in ways}
    return (
        Alternative(KEEP, fails, (lacking,)),
        *(Alternative(way, fails, (lacking, *chances[way]), 1, PRICES[way]) for way in ways),
    )


def fails(table: Any, lacking: int, *pools: tuple[int, int]) -> int:
    """A rule: 1 where these dice have fewer successes than are lacking, pools of so many at so much; else 0."""
    return int(sum(table.ask(counted, dice, least) for dice, least in pools) < lacking)


def lessened(hand: Hand, way: str) -> Hand:
    """The hand after one of them: what is left to spend, and what a re-roll throws again."""
    return hand._replace(
        bonus=hand.bonus + (way == BONUS),
        destiny=hand.destiny + (way == DESTINY),
        luck=without(hand.luck, (way,)),
    )


def without(luck: Luck, used: Iterable[str]) -> Luck:
    """What is left of it once some ways have been taken."""
    taken = [POOLS[way] for way in used]
    left = ((pool, count - taken.count(pool)) for pool, count in luck)
    return tuple((pool, count) for pool, count in left if count > 0)


def repaid(scene: Scene, intent: Intent, used: Iterable[str]) -> Iterator[Event]:
    """POOL-7: what the actor spent after the roll had failed, on top of what was said with it."""
    return taken(scene, intent.actor, used, intent.get("destiny", 0))


def taken(
    scene: Scene, who: str, used: Iterable[str], destiny: int = 0, rule: str = "POOL-7"
) -> Iterator[Event]:
    """Dice and re-rolls spent in these ways; `destiny` of the destiny dice are paid with the action."""
    pools = [POOLS[way] for way in used]
    for pool in dict.fromkeys(pools):
        before = destiny if pool == POOLS[DESTINY] else 0
        yield from shift(scene, who, pool, -pools.count(pool) - before, rule)
