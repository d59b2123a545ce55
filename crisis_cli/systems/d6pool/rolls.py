"""The pool of exploding d6, what is spent on it, and checks (POOL-4 to POOL-7, POOL-17, POOL-38, ALL-2)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Generic, NamedTuple, TypeVar

from ...dice.graded import NO_DICE, Graded, graded
from ...dice.table import Alternative
from ...engine.events import Event, shift
from ...engine.kinds import Whole, guess
from ...engine.record import Modifier
from ...engine.scene import Fighter, Intent, Scene
from ...engine.system import Action, Cost, Setup, refuse
from ...rules.situational import circumstance, standing
from .sheet import ATTRIBUTES, SKILLS, WALKED, value_of

# ---- The pool of d6 that explode, wave by wave (POOL-4, ALL-2), and what its dice are worth (POOL-6, POOL-17)

SIDES = 6
CRITICAL, STEP = 11, 6
"""POOL-17: from here on a hit is critical; a wound more for each further step."""
NEVER = 1_000_000
"""The critical threshold of a roll without critical hits (POOL-18)."""
HIT = "hit"
"""The grade of a hit that is not critical; that of one that is names what its die reaches at least."""


class Scale(NamedTuple):
    """What the dice of a pool are measured by."""

    least: int
    """The minimum roll (POOL-4)."""
    critical: int = NEVER

    @property
    def floor(self) -> int:
        """What the die of a critical hit reaches at least: it is a hit as well (POOL-17)."""
        return max(self.least, self.critical)


def grade_of(value: int, scale: Scale) -> str | int | None:
    """POOL-4: a success at the minimum roll; POOL-17: a critical one from the threshold on; None for a failure."""
    if value < scale.least:
        return None
    return HIT if value < scale.critical else scale.floor


def mega(value: int) -> int:
    """POOL-17: the wounds more of a critical hit; its steps never move."""
    return max(0, (value - CRITICAL) // STEP)


def scored(table: Any, count: int, scale: Scale) -> Graded:
    """A rule: the hits of a hit roll, or of a parry."""
    return graded(table, count, SIDES, grade_of, scale, note="values")


def critical(hits: Graded) -> Graded:
    """The critical ones among the hits."""
    return hits.without(HIT)


def criticals(hits: Graded) -> int:
    """How many of the hits are critical."""
    return hits.count - hits.of(HIT)


def worth_of(value: int, least: int) -> int:
    """POOL-6: one more at 11, two at 17 …, once the die is a success at all."""
    return 0 if value < least else 1 + max(0, (value - CRITICAL) // STEP + 1)


def counted(table: Any, count: int, least: int) -> int:
    """A rule, POOL-6: the successes of a roll that is no attack."""
    found: int = table.exploding(count, SIDES, worth_of, least, note="values")
    return found


def summed(table: Any, count: int) -> int:
    """A rule, POOL-8: the sum of the dice."""
    total: int = table.exploding(count, SIDES, int, note="values")
    return total


# ---- What one spends on a roll: bonus dice, destiny dice, re-rolls, said with it or chosen once it has failed (POOL-7)

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


# ---- What every roll of this system shares: how many dice, which minimum roll, and the dice one spends on it

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


def walking(scene: Scene, intent: Intent, roll: str) -> list[Modifier]:
    """POOL-12: walking along makes a roll harder."""
    goes = intent.get("walk") or scene.fighters[intent.actor].marks.get(WALKED)
    return [Modifier(roll, "walking", WALK, "POOL-12")] if goes else []


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


# ---- Checks of skills and attributes (POOL-4 to POOL-7)


class Checked(NamedTuple):
    """What a check came to."""

    success: bool
    total: int
    """Its successes (POOL-6)."""
    repaid: tuple[str, ...] = ()

    @property
    def counted(self) -> str:
        """What the total is."""
        return "successes"

    @property
    def word(self) -> str:
        """In one word."""
        return "success" if self.success else "failure"


def trying(
    scene: Scene, intent: Intent, roll: str, skill: str
) -> tuple[Hand, tuple[Any, ...], tuple[Any, ...]]:
    """The actor's roll of a skill outside attacks: the hand, the modifiers, the dice spent on it."""
    fighter = scene.fighters[intent.actor]
    found = (
        *dice_for(fighter, roll, skill),
        *least_for(fighter, roll, skill),
        *asked(intent, roll),
        *walking(scene, intent, roll),
    )
    return (
        hand_of(scene, intent, total(found, f"{roll} dice"), Scale(total(found, roll))),
        found,
        spent(scene, intent),
    )


def check_setup(scene: Scene, intent: Intent) -> Setup:
    """A roll of any skill or attribute at a difficulty (POOL-4, POOL-5)."""
    fighter = scene.fighters[intent.actor]
    if intent.get("vs"):
        refuse(
            intent,
            "no roll is measured against another's",
            "POOL-5",
            "--difficulty says how hard it is",
            final=True,
        )
    skill = known_skill(scene, intent, fighter, intent.get("skill", ""))
    hand, modifiers, costs = trying(scene, intent, "check", skill)
    return Setup(hand, modifiers, costs)


def known_skill(scene: Scene, intent: Intent, fighter: Fighter, skill: str) -> str:
    """The skill or attribute that a word names (POOL-1): one that nobody knows is worth 0, a slip of the pen is
    refused."""
    skill = skill.lower().replace("_", "-").replace(" ", "-")
    here = [name for one in scene.fighters.values() for name in one.sheet["skills"]]
    names = tuple(dict.fromkeys((*ATTRIBUTES, *SKILLS, *here)))
    if skill not in names and (near := guess(skill, names)):
        what = f"nobody here has a skill called {skill!r}{near}"
        refuse(intent, what, "POOL-1", "if it is another one, worth 0: --force")
    return skill


def check(table: Any, hand: Hand) -> Checked:
    """POOL-4, POOL-6: one success is enough; more are more."""
    found, used = successes(table, "check", hand)
    return Checked(found > 0, found, used)


def check_effects(scene: Scene, intent: Intent, stake: Any, outcome: Checked) -> Iterator[Event]:
    """POOL-7: what was spent once it had failed."""
    yield from repaid(scene, intent, outcome.repaid)


CHECK = Action(
    "Roll a skill or an attribute",
    "POOL-4",
    check_setup,
    check_effects,
    check,
    window="any",
    options=SPENDING,
    candidates=lambda scene, who: iter(()),
)
