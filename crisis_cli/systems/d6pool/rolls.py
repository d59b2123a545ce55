"""The pool of exploding d6, what is spent on it, and checks (POOL-4 to POOL-7, POOL-17, POOL-38, ALL-2)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Generic, NamedTuple, TypeVar

from ...dice.graded import NO_DICE, Graded, graded
from ...engine.setup import Charge
from ...rules import (
    Action,
    Alternative,
    Cost,
    Fighter,
    Intent,
    Modifiers,
    RuleTable,
    Scene,
    Setup,
    Whole,
    guess,
    lines_of,
    refuse,
)
from .sheet import ATTRIBUTES, SKILLS, value_of

# The dice

SIDES = 6
CRITICAL, STEP = 11, 6
"""POOL-17: from here on a hit is critical; one more wound for each further step."""
NEVER = 1_000_000
"""The critical threshold of a roll without critical hits (POOL-18)."""
HIT = "hit"
"""The grade of a hit that is not critical; that of a critical one is the lowest value its die can have."""


class Scale(NamedTuple):
    """What a die of a pool must reach."""

    minimum: int
    """The minimum roll (POOL-4)."""
    critical: int = NEVER

    @property
    def floor(self) -> int:
        """The lowest value of a critical hit: it is a hit as well (POOL-17)."""
        return max(self.minimum, self.critical)


def grade_of(value: int, scale: Scale) -> str | int | None:
    """POOL-4: a success at the minimum roll; POOL-17: a critical one from the threshold on; None for a failure."""
    if value < scale.minimum:
        return None
    return HIT if value < scale.critical else scale.floor


def mega(value: int) -> int:
    """POOL-17: the additional wounds of a critical hit; its steps never move."""
    return max(0, (value - CRITICAL) // STEP)


def scored(table: RuleTable, count: int, scale: Scale) -> Graded:
    """The hits of a hit roll, or of a parry."""
    return graded(table, count, SIDES, grade_of, scale, note="values")


def critical(hits: Graded) -> Graded:
    """The critical ones among the hits."""
    return hits.without(HIT)


def criticals(hits: Graded) -> int:
    """How many of the hits are critical."""
    return hits.count - hits.of(HIT)


def worth_of(value: int, minimum: int) -> int:
    """POOL-6: one more at 11, two at 17 …, once the die is a success at all."""
    return 0 if value < minimum else 1 + max(0, (value - CRITICAL) // STEP + 1)


def counted(table: RuleTable, count: int, minimum: int) -> int:
    """POOL-6: the successes of a roll that is no attack."""
    found: int = table.exploding(count, SIDES, worth_of, minimum, note="values")
    return found


def summed(table: RuleTable, count: int) -> int:
    """POOL-8: the sum of the dice."""
    total: int = table.exploding(count, SIDES, int, note="values")
    return total


# What is spent on a roll

FATE = 4
"""POOL-7: what a destiny die must reach, whatever the difficulty."""
KEEP, BONUS, DESTINY, REROLL, FATED = "keep", "bonus", "destiny", "reroll", "reroll-destiny"
"""What can be done about a failed roll: nothing, one more die, the whole roll again, also by destiny."""
POOLS = {BONUS: "bonus-dice", DESTINY: "destiny-dice", REROLL: "rerolls", FATED: "destiny-dice"}
"""The pool that each of them takes one from."""
PRICES = {BONUS: "bonus die", DESTINY: "destiny die", REROLL: "re-roll", FATED: "destiny die"}
"""What each of them takes, in words."""
AGAIN, AGAIN_BY_DESTINY = "re-roll", "re-roll by destiny"
"""What the dice of a roll thrown again are called in the record."""
FATEFUL = (DESTINY, AGAIN_BY_DESTINY)
"""The parts of a roll that a destiny die makes count on 4."""
SPENDING = ("bonus", "destiny", "reroll", "reroll-destiny", "walk", "difficulty")
"""The options of every roll of the actor."""

Luck = tuple[tuple[str, int], ...]
"""Pools to spend from, and how many are left in each, none of them empty."""
Part = tuple[str, int, Scale]
"""Dice thrown together: their name, how many, and what they must reach."""


class PoolRoll(NamedTuple):
    """One roll of a pool, and what may be spent on it."""

    who: str
    dice: int
    scale: Scale
    bonus: int = 0
    destiny: int = 0
    reroll: bool = False
    fated: bool = False
    """Whether a destiny die may make a re-roll."""
    luck: Luck = ()
    """What may still be spent once it has failed; empty where nobody is asked."""


def spent(scene: Scene, intent: Intent) -> tuple[Cost, ...]:
    """POOL-7: bonus and destiny dice, paid with the action; a re-roll must be there and is paid when it is made."""
    pools = scene.fighters[intent.actor].pools
    counts = {POOLS[option]: count_of(intent, option, "POOL-7") for option in (BONUS, DESTINY)}
    for option, pool, taken in (
        ("reroll", "rerolls", 0),
        ("reroll_destiny", "destiny-dice", intent.get("destiny", 0)),
    ):
        if intent.get(option) and pools[pool] <= taken:
            what = {"rerolls": "re-roll", "destiny-dice": "destiny die for a re-roll"}[pool]
            also = f", and spends {taken} on the roll itself" if taken else ""
            refuse(intent, f"no {what} is left: {intent.actor} has {pools[pool]}{also}", "POOL-7")
    return tuple(Cost(pool, count, rule="POOL-7") for pool, count in counts.items() if count)


def count_of(intent: Intent, option: str, rule: str = "POOL-12") -> int:
    """The number given with an option, 0 without it; Refused below 0."""
    count: int = intent.get(option, 0)
    if count < 0:
        refuse(intent, f"--{option} is a number from 0", rule, final=True)
    return count


def luck_of(scene: Scene, who: str, said: Mapping[str, Any] = {}) -> Luck:
    """What the player of a fighter is asked about after a failure; nothing in a one-off, for fighters that play
    themselves, or where the options `said` of the fighter's own action say it."""
    fighter = scene.fighters[who]
    if any(way.replace("-", "_") in said for way in POOLS) or not scene.open or not fighter.player:
        return ()
    pools = dict.fromkeys(POOLS.values())
    return tuple((pool, fighter.pools[pool]) for pool in pools if fighter.pools[pool] > 0)


def parts(roll: PoolRoll, way: str = KEEP) -> tuple[Part, ...]:
    """POOL-7: the pool, then bonus dice, then destiny dice, each with its waves; or what one more way throws."""
    fate = roll.scale._replace(minimum=FATE)
    if way in (BONUS, DESTINY):
        return ((way, 1, fate if way == DESTINY else roll.scale),)
    name = {REROLL: AGAIN, FATED: AGAIN_BY_DESTINY}.get(way, "")
    scale = fate if way == FATED else roll.scale
    whole = ((name, roll.dice, scale), (BONUS, roll.bonus, scale), (DESTINY, roll.destiny, fate))
    return tuple(part for part in whole if part[1]) or whole[:1]


def offered(roll: PoolRoll, lacking: int, again: bool) -> tuple[Alternative, ...]:
    """What may be done about a roll that lacks so many successes; empty where there is nothing to choose.

    `again` says whether it may be re-rolled, having had none.
    """
    left = dict(roll.luck)
    ways = [
        way
        for way, pool in POOLS.items()
        if pool in left and ((roll.dice and again) or way in (BONUS, DESTINY))
    ]
    if not ways:
        return ()
    chances = {way: tuple((dice, scale.minimum) for _, dice, scale in parts(roll, way)) for way in ways}
    return (
        Alternative(KEEP, fails, (lacking,)),
        *(Alternative(way, fails, (lacking, *chances[way]), 1, PRICES[way]) for way in ways),
    )


def fails(table: RuleTable, lacking: int, *pools: tuple[int, int]) -> int:
    """1 where these dice have fewer successes than are lacking, pools of so many at a minimum roll; else 0."""
    return int(sum(table.ask(counted, dice, minimum) for dice, minimum in pools) < lacking)


def without(luck: Luck, used: Iterable[str]) -> Luck:
    """What is left of it once some ways have been taken."""
    taken = [POOLS[way] for way in used]
    left = ((pool, count - taken.count(pool)) for pool, count in luck)
    return tuple((pool, count) for pool, count in left if count > 0)


def luck_charge(who: str, used: Iterable[str], rule: str = "POOL-7") -> Charge:
    """POOL-7: what a fighter spent on a roll after it had failed."""
    return Charge(who, tuple(Cost(POOLS[way], rule=rule) for way in used))


def own_luck(scene: Scene, intent: Intent, setup: Setup, outcome: Any) -> Iterable[Charge]:
    """POOL-7: the choices of an action whose only ones are what the actor spends on its roll."""
    return (luck_charge(intent.actor, outcome.repaid),) if outcome else ()


# What goes into a roll

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
WALKED = "walked"
"""The mark of walking along with the next action (POOL-12)."""
WALK = 1
"""POOL-12: what walking along adds to the minimum roll."""
HUNKERED = 1
"""POOL-38: what being hunkered adds to it."""
BODILY = ("deftness", "strength", "quickness")
"""POOL-38: attributes, and with them skills, that being hunkered makes harder."""
HANDWORK = ("first-aid", "medicine")
"""POOL-38: other skills that it makes harder, being done by hand."""
FIGHTING = ("attack", "throw", "parry")
"""POOL-38: rolls that fire makes harder; a parry is rolled as an attack is (POOL-28)."""


def dice_of(fighter: Fighter, roll: str, skill: str, *, free: bool = False, against: str = "") -> Modifiers:
    """The dice of a skill or attribute (POOL-1), fewer while shocked (POOL-38) unless `free`."""
    value, source = value_of(fighter.sheet, skill)
    found = Modifiers(f"{roll} dice", "POOL-1", against).base(skill, value, source=source)
    return found if free else found.add("shocked", -int(fighter.conditions.get("shocked", 0)), "POOL-38")


def minimum_of(
    fighter: Fighter, roll: str, skill: str, *, free: bool = False, against: str = ""
) -> Modifiers:
    """The minimum roll: the fighter's own (POOL-2), circumstance (ALL-6), conditions (POOL-38) unless `free`."""
    found = Modifiers(roll, "POOL-2", against)
    found.base("minimum roll", fighter.sheet["minimum_roll"], source="minimum_roll")
    found.situational(fighter, roll, skill, sign=-1)
    if free:
        return found
    on = fighter.conditions
    found.add("poisoned", int(on.get("poisoned", 0)), "POOL-38", "condition")
    if roll in FIGHTING or skill == "perception":
        found.add("burning", int(on.get("burning", 0)), "POOL-38", "condition")
    bodily = skill in (*BODILY, *HANDWORK) or SKILLS.get(skill) in BODILY
    if roll in (*FIGHTING, "dodge") or bodily:
        found.add("hunkered", HUNKERED * fighter.has("hunkered"), "POOL-38", "condition")
    return found


def asked(found: Modifiers, scene: Scene, intent: Intent) -> Modifiers:
    """What the command adds to the minimum roll of the actor's roll (POOL-5, ALL-6), and walking along (POOL-12)."""
    found.add("difficulty", intent.get("difficulty") or 0, "POOL-5", "--difficulty").asked(intent, sign=-1)
    walks = bool(intent.get("walk") or scene.fighters[intent.actor].marks.get(WALKED))
    return found.add("walking", WALK * walks, "POOL-12")


def own_roll(
    scene: Scene, intent: Intent, dice: Modifiers, minimum: Modifiers, threshold: int = NEVER
) -> PoolRoll:
    """The roll of the actor, with what is spent on it (POOL-7)."""
    return PoolRoll(
        intent.actor,
        max(0, dice.total),
        Scale(minimum.total, threshold),
        intent.get("bonus", 0),
        intent.get("destiny", 0),
        bool(intent.get("reroll")),
        bool(intent.get("reroll_destiny")),
        luck_of(scene, intent.actor, intent.options),
    )


def skill_roll(scene: Scene, intent: Intent, roll: str, skill: str) -> Setup:
    """The actor's roll of a skill outside attacks: `dice` is the `PoolRoll`; the costs are what is spent on it."""
    fighter = scene.fighters[intent.actor]
    dice, minimum = dice_of(fighter, roll, skill), asked(minimum_of(fighter, roll, skill), scene, intent)
    return Setup(own_roll(scene, intent, dice, minimum), lines_of(dice, minimum), spent(scene, intent))


def reaction_roll(
    scene: Scene, who: str, dice: Modifiers, minimum: Modifiers, threshold: int = NEVER
) -> PoolRoll:
    """The roll of a fighter who is not the actor, with what the player may spend on it (POOL-7)."""
    return PoolRoll(who, max(0, dice.total), Scale(minimum.total, threshold), luck=luck_of(scene, who))


def resistance_roll(
    scene: Scene, who: str, roll: str, skill: str, *, free: bool = False, against: str = ""
) -> tuple[PoolRoll, tuple[Modifiers, Modifiers]]:
    """A roll that a fighter must make, and its lines; `free` of conditions."""
    fighter = scene.fighters[who]
    dice = dice_of(fighter, roll, skill, free=free, against=against)
    minimum = minimum_of(fighter, roll, skill, free=free, against=against)
    return reaction_roll(scene, who, dice, minimum), (dice, minimum)


# The roll

Found = TypeVar("Found", int, Graded)


class Rolled(NamedTuple, Generic[Found]):
    """What a roll comes to."""

    found: Found
    """Hits (Graded), or the number of successes, of all its dice together."""
    repaid: tuple[str, ...]
    """What was spent on it after it failed, in that order."""


def thrown(table: RuleTable, what: str, roll: PoolRoll) -> Rolled[Graded]:
    """POOL-16, POOL-17: a hit roll or a parry: its hits."""
    return _thrown(table, what, roll, NO_DICE, scored, hits_told)


def successes(table: RuleTable, what: str, roll: PoolRoll, needs: int = 1) -> Rolled[int]:
    """POOL-4, POOL-6: a roll that is no attack: its successes, of which it `needs` so many."""
    return _thrown(table, what, roll, 0, counted_at, successes_told, needs)


def counted_at(table: RuleTable, dice: int, scale: Scale) -> int:
    """The successes of dice that are no attack."""
    return table.ask(counted, dice, scale.minimum)


def hits_told(hits: Graded) -> dict[str, int]:
    """What the record says of hits."""
    return {"successes": hits.count, "criticals": criticals(hits)}


def successes_told(found: int) -> dict[str, int]:
    """What the record says of successes."""
    return {"successes": found}


def _thrown(
    table: RuleTable,
    what: str,
    roll: PoolRoll,
    zero: Found,
    throw: Callable[[RuleTable, int, Scale], Found],
    told: Callable[[Found], dict[str, int]],
    needs: int = 1,
) -> Rolled[Found]:
    """A roll, and what is spent on it (POOL-7): as was said, or as is chosen while it lacks successes.

    It is thrown again only as long as it has none. Whatever is thrown for it is one roll in the record, measured
    against the minimum roll.
    """
    throws = 0

    def more(way: str, found: Found) -> Found:
        nonlocal throws
        for name, dice, scale in parts(roll, way):
            table.label(what, roll.who, f"{dice}d6!" if dice else "", **({"part": name} if name else {}))
            one = table.ask(throw, dice, scale)
            table.result(target=scale.minimum, **told(one))
            if name in FATEFUL:
                table.part(f"{what} destiny die", "counts from", FATE, "POOL-7", against=roll.who)
            found, throws = found + one, throws + 1
        return found

    found = more(KEEP, zero)
    used: tuple[str, ...] = ()
    for said, way in ((roll.reroll, REROLL), (roll.fated, FATED)):
        if said and roll.dice and not told(found)["successes"]:
            found, used = more(way, found), (*used, way)
    while (has := told(found)["successes"]) < needs and (ways := offered(roll, needs - has, not has)):
        way = table.choose(roll.who, ways).name
        if way == KEEP:
            break
        found, used = more(way, found), (*used, way)
        roll = roll._replace(
            bonus=roll.bonus + (way == BONUS),
            destiny=roll.destiny + (way == DESTINY),
            luck=without(roll.luck, (way,)),
        )
    won = told(found)["successes"] >= needs
    table.join(throws, target=roll.scale.minimum, **told(found), success=won)
    return Rolled(found, used)


# Checks


class CheckResult(NamedTuple):
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


def check_setup(scene: Scene, intent: Intent) -> Setup:
    """A roll of any skill or attribute at a difficulty (POOL-4, POOL-5)."""
    if intent.get("vs"):
        what = "no roll is measured against another's"
        refuse(intent, what, "POOL-5", "--difficulty says how hard it is", final=True)
    return skill_roll(scene, intent, "check", known_skill(scene, intent))


def known_skill(scene: Scene, intent: Intent) -> str:
    """The skill or attribute that the command names (POOL-1): one that nobody knows is worth 0, a slip of the pen is
    refused."""
    skill: str = intent.get("skill", "").lower().replace("_", "-").replace(" ", "-")
    here = [name for one in scene.fighters.values() for name in one.sheet["skills"]]
    names = tuple(dict.fromkeys((*ATTRIBUTES, *SKILLS, *here)))
    if skill not in names and (near := guess(skill, names)):
        what = f"nobody here has a skill called {skill!r}{near}"
        refuse(intent, what, "POOL-1", "if it is another one, worth 0: --force")
    return skill


def check(table: RuleTable, roll: PoolRoll) -> CheckResult:
    """POOL-4, POOL-6: one success is enough; more are more."""
    found, used = successes(table, "check", roll)
    return CheckResult(found > 0, found, used)


CHECK = Action(
    "Roll a skill or an attribute",
    "POOL-4",
    check_setup,
    rule=check,
    window="any",
    options=SPENDING,
    candidates=lambda scene, who: (),
    choices=own_luck,
    says="{actor} tries {skill}",
)
