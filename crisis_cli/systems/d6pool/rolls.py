"""What every roll of this system shares: how many dice, which minimum roll, and the dice one spends on it
(POOL-4 to POOL-7, POOL-38)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from ...play.events import Event, shift
from ...play.record import Modifier
from ...play.scene import Fighter, Intent, Scene
from ..kinds import Whole
from ..system import Cost, forbid
from .pool import NOTHING, Scale, Score, counted, hits, scored, together
from .sheet import SKILLS, value_of

FATE = 4
"""POOL-7: what a destiny die must reach, whatever the difficulty."""
DIFFICULTY = Whole(
    -99,
    99,
    {
        **dict.fromkeys(("very-easy", "very easy"), -2),
        "easy": -1,
        "normal": 0,
        "difficult": 1,
        **dict.fromkeys(("very-difficult", "very difficult"), 3),
        **dict.fromkeys(("extremely-difficult", "extremely difficult"), 6),
        "impossible": 12,
    },
)
"""POOL-5: what it adds to the minimum roll."""
SPENDING = ("bonus", "destiny", "reroll", "reroll-destiny", "walk", "difficulty")
"""The options that every roll of the actor's heeds."""
WALK = 1
"""POOL-12: what walking along adds to the minimum roll."""
HUNKERED = 1
"""POOL-38: what being hunkered adds to it."""
BODILY = ("deftness", "strength", "quickness")
"""POOL-38: attributes, and with them skills, that being hunkered hampers."""
HANDWORK = ("first-aid", "medicine")
"""POOL-38: other skills that it hampers, being done by hand."""
REROLLED, FATED = 1, 2
"""What was spent on a roll after it failed: a re-roll, a destiny die, or both."""


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


def total(modifiers: Iterable[Modifier], roll: str) -> int:
    """The sum of the modifiers of one roll."""
    return sum(one.value for one in modifiers if one.roll == roll)


def dice_for(fighter: Fighter, roll: str, skill: str, *, free: bool = False) -> list[Modifier]:
    """The dice of a skill or attribute (POOL-1), fewer for whoever is shocked (POOL-38) unless `free`."""
    value, source = value_of(fighter.sheet, skill)
    found = [Modifier(f"{roll} dice", skill, value, "POOL-1", source)]
    level = int(fighter.conditions.get("shocked", 0))
    return found + ([] if free or not level else [Modifier(f"{roll} dice", "shocked", -level, "POOL-38")])


def least_for(fighter: Fighter, roll: str, skill: str, *, free: bool = False) -> list[Modifier]:
    """What makes up the minimum roll: the fighter's own (POOL-2), circumstance (ALL-6), conditions unless `free`."""
    found = [Modifier(roll, "minimum roll", fighter.sheet["minimum_roll"], "POOL-2", "minimum_roll")]
    worth = fighter.sheet["circumstance"]
    found += [
        Modifier(roll, f"circumstance ({key})", -worth[key], "ALL-6", "sheet")
        for key in dict.fromkeys((roll, skill))
        if worth.get(key)
    ]
    return found if free else found + list(_burdens(fighter, roll, skill))


def _burdens(fighter: Fighter, roll: str, skill: str) -> Iterator[Modifier]:
    """POOL-38: what conditions add to the minimum roll."""
    on = fighter.conditions
    if on.get("poisoned"):
        yield Modifier(roll, "poisoned", int(on["poisoned"]), "POOL-38", "condition")
    if on.get("burning") and (roll in ("attack", "throw", "parry") or skill == "perception"):
        # A parry is rolled as an attack is (POOL-28).
        yield Modifier(roll, "burning", int(on["burning"]), "POOL-38", "condition")
    if on.get("hunkered") and (
        roll in ("attack", "throw", "dodge", "parry")
        or skill in (*BODILY, *HANDWORK)
        or SKILLS.get(skill) in BODILY
    ):
        yield Modifier(roll, "hunkered", HUNKERED, "POOL-38", "condition")


def asked(intent: Intent, roll: str) -> list[Modifier]:
    """What the command adds to the minimum roll of the actor's roll (POOL-5, POOL-12)."""
    found = []
    if intent.get("difficulty"):
        found.append(Modifier(roll, "difficulty", intent.get("difficulty"), "POOL-5", "--difficulty"))
    if intent.get("mod"):
        found.append(Modifier(roll, "circumstance", -intent.get("mod"), "ALL-6", intent.get("why", "--mod")))
    return found


def spent(scene: Scene, intent: Intent) -> tuple[Cost, ...]:
    """POOL-7: bonus and destiny dice, paid with the action; a re-roll must be there and is paid when it is made."""
    pools = scene.fighters[intent.actor].pools
    costs = []
    for option, pool in (("bonus", "bonus-dice"), ("destiny", "destiny-dice")):
        count = intent.get(option, 0)
        if count < 0:
            forbid(intent, f"--{option} is a number from 0", "POOL-7", final=True)
        if count:
            costs.append(Cost(pool, count, rule="POOL-7"))
    for option, pool, taken in (
        ("reroll", "rerolls", 0),
        ("reroll_destiny", "destiny-dice", intent.get("destiny", 0)),
    ):
        if intent.get(option) and pools[pool] <= taken:
            what = pool.replace("-", " ")
            forbid(intent, f"{intent.actor} has {pools[pool]} {what}; a re-roll takes one more", "POOL-7")
    return tuple(costs)


def hand_of(intent: Intent, dice: int, scale: Scale) -> Hand:
    """The actor's own roll, with what is spent on it."""
    return Hand(
        intent.actor,
        max(0, dice),
        scale,
        intent.get("bonus", 0),
        intent.get("destiny", 0),
        bool(intent.get("reroll")),
        bool(intent.get("reroll_destiny")),
    )


def repaid(scene: Scene, intent: Intent, used: int) -> Iterator[Event]:
    """POOL-7: the re-rolls that were made."""
    if used & REROLLED:
        yield from shift(scene, intent.actor, "rerolls", -1, "POOL-7")
    if used & FATED:
        yield from shift(scene, intent.actor, "destiny-dice", -1 - intent.get("destiny", 0), "POOL-7")


def thrown(table: Any, what: str, hand: Hand) -> tuple[Score, int]:
    """A hit roll or a parry: its hits, and what was spent on re-rolls."""
    score = _scored(table, what, hand, hand.scale)
    used = 0
    if hand.dice and hand.reroll and not hits(score):
        score, used = _scored(table, what, hand, hand.scale, "re-roll"), REROLLED
    if hand.dice and hand.fated and not hits(score):
        fate = hand.scale._replace(least=FATE)
        score, used = _scored(table, what, hand, fate, "re-roll by destiny"), used | FATED
    return score, used


def _scored(table: Any, what: str, hand: Hand, scale: Scale, part: str = "") -> Score:
    """POOL-7: the pool, then bonus dice, then destiny dice, each with its waves."""
    score = NOTHING
    for name, dice, by in (
        (part, hand.dice, scale),
        ("bonus", hand.bonus, scale),
        ("destiny", hand.destiny, scale._replace(least=FATE)),
    ):
        if dice or (name == part and not hand.bonus and not hand.destiny):
            table.label(what, hand.who, f"{dice}d6!" if dice else "", **({"part": name} if name else {}))
            one = table.ask(scored, dice, by)
            table.reckon(target=by.least, successes=hits(one), criticals=len(one[1]), success=hits(one) > 0)
            score = together(score, one)
    return score


def successes(table: Any, what: str, hand: Hand) -> tuple[int, int]:
    """A roll that is no attack: its successes (POOL-6), and what was spent on re-rolls."""
    found = _counted(table, what, hand, hand.scale.least)
    used = 0
    if hand.dice and hand.reroll and not found:
        found, used = _counted(table, what, hand, hand.scale.least, "re-roll"), REROLLED
    if hand.dice and hand.fated and not found:
        found, used = _counted(table, what, hand, FATE, "re-roll by destiny"), used | FATED
    return found, used


def _counted(table: Any, what: str, hand: Hand, least: int, part: str = "") -> int:
    found = 0
    for name, dice, by in (
        (part, hand.dice, least),
        ("bonus", hand.bonus, least),
        ("destiny", hand.destiny, FATE),
    ):
        if dice or (name == part and not hand.bonus and not hand.destiny):
            table.label(what, hand.who, f"{dice}d6!" if dice else "", **({"part": name} if name else {}))
            one = table.ask(counted, dice, by)
            table.reckon(target=by, successes=one, success=one > 0)
            found += one
    return found


def resisting(fighter: Fighter, what: str, skill: str, *, free: bool = False) -> tuple[Hand, list[Modifier]]:
    """A roll that someone makes who is not the actor, or whom a round makes roll."""
    found = dice_for(fighter, what, skill, free=free) + least_for(fighter, what, skill, free=free)
    return Hand(fighter.name, max(0, total(found, f"{what} dice")), Scale(total(found, what))), found
