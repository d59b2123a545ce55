"""What every roll of this system shares: how many dice, which minimum roll, and the dice one spends on it
(POOL-4 to POOL-7, POOL-38)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Generic, NamedTuple, TypeVar

from ...dice.graded import NO_DICE, Graded
from ...engine.kinds import Whole
from ...engine.record import Modifier
from ...engine.scene import Fighter, Intent, Scene
from ...rules.situational import circumstance, standing
from .luck import FATE, FATED, FATEFUL, KEEP, REROLL, Hand, lessened, luck_of, offered, parts
from .pool import Scale, counted, criticals, scored
from .sheet import SKILLS, value_of

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


Found = TypeVar("Found")


class Rolled(NamedTuple, Generic[Found]):
    """What a roll comes to."""

    found: Found
    """Hits (Graded), or the number of successes, of all its dice together."""
    repaid: tuple[str, ...]
    """What was spent on it after it failed, in that order."""


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
    found += standing(fighter, roll, roll, skill, sign=-1)
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
    return found + circumstance(intent, roll, sign=-1)


def hand_of(scene: Scene, intent: Intent, dice: int, scale: Scale) -> Hand:
    """The actor's own roll, with what is spent on it."""
    return Hand(
        intent.actor,
        max(0, dice),
        scale,
        intent.get("bonus", 0),
        intent.get("destiny", 0),
        bool(intent.get("reroll")),
        bool(intent.get("reroll_destiny")),
        luck_of(scene, intent.actor, intent.options),
    )


class Measure(NamedTuple, Generic[Found]):
    """How the dice of a roll are measured."""

    zero: Found
    throw: Callable[[Any, int, Scale], Found]
    """So many dice thrown, and what they come to."""
    together: Callable[[Found, Found], Found]
    numbers: Callable[[Found], dict[str, int]]
    """What the record says of it, `successes` among it."""


HITS = Measure(
    NO_DICE,
    lambda table, dice, scale: table.ask(scored, dice, scale),
    Graded.__add__,
    lambda hits: {"successes": hits.count, "criticals": criticals(hits)},
)
"""POOL-16, POOL-17: the dice of a hit roll or a parry."""
SUCCESSES = Measure(
    0,
    lambda table, dice, scale: table.ask(counted, dice, scale.least),
    int.__add__,
    lambda found: {"successes": found},
)
"""POOL-4, POOL-6: the dice of any other roll."""


def thrown(table: Any, what: str, hand: Hand) -> Rolled[Graded]:
    """A hit roll or a parry: its hits."""
    return _made(table, what, hand, HITS)


def successes(table: Any, what: str, hand: Hand, needs: int = 1) -> Rolled[int]:
    """A roll that is no attack: its successes (POOL-6), of which it `needs` so many."""
    return _made(table, what, hand, SUCCESSES, needs)


def _made(table: Any, what: str, hand: Hand, measure: Measure[Found], needs: int = 1) -> Rolled[Found]:
    """A roll, and what is spent on it (POOL-7): as was said, or as is chosen while it lacks successes.

    It is thrown again only as long as it has none. Whatever is thrown for it is one roll in the record, measured
    against the minimum roll.
    """

    throws = 0

    def more(way: str, found: Found) -> Found:
        nonlocal throws
        for name, dice, scale in parts(hand, way):
            table.label(what, hand.who, f"{dice}d6!" if dice else "", **({"part": name} if name else {}))
            one = measure.throw(table, dice, scale)
            table.result(target=scale.least, **measure.numbers(one))
            if name in FATEFUL:
                table.part(f"{what} destiny die", "counts from", FATE, "POOL-7", against=hand.who)
            found, throws = measure.together(found, one), throws + 1
        return found

    def count(found: Found) -> int:
        return measure.numbers(found)["successes"]

    found = more(KEEP, measure.zero)
    used: tuple[str, ...] = ()
    for said, way in ((hand.reroll, REROLL), (hand.fated, FATED)):
        if said and hand.dice and not count(found):
            found, used = more(way, found), (*used, way)
    while (has := count(found)) < needs and (options := offered(hand, needs - has, not has)):
        way = table.choose(hand.who, options).name
        if way == KEEP:
            break
        found, used, hand = more(way, found), (*used, way), lessened(hand, way)
    table.join(throws, target=hand.scale.least, **measure.numbers(found), success=count(found) >= needs)
    return Rolled(found, used)


def resisting(
    scene: Scene, who: str, what: str, skill: str, *, free: bool = False
) -> tuple[Hand, list[Modifier]]:
    """A roll that someone makes who is not the actor, or whom a round makes roll."""
    fighter = scene.fighters[who]
    found = dice_for(fighter, what, skill, free=free) + least_for(fighter, what, skill, free=free)
    return reacting(scene, who, total(found, f"{what} dice"), Scale(total(found, what))), found


def reacting(scene: Scene, who: str, dice: int, scale: Scale) -> Hand:
    """The roll of a fighter who is not the actor, with what the player may spend on it (POOL-7)."""
    return Hand(who, max(0, dice), scale, luck=luck_of(scene, who))
