"""The dice of a pool, what is spent on a roll, what goes into a roll, and checks (POOL-4 to POOL-7, POOL-17)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import reduce
from operator import add
from typing import Any, TypeVar

from ...rules import (
    Alternative,
    Charge,
    Cost,
    Fault,
    Fighter,
    Graded,
    Intent,
    Modifiers,
    NamedTuple,
    RuleTable,
    Scene,
    Setup,
    Whole,
    check_action,
    known_word,
    refuse,
)
from .sheet import ATTRIBUTES, SKILLS, value_of

ONE = (Cost("actions"),)
"""POOL-12: what an action takes unless it says otherwise."""

# The dice

SIDES, CRITICAL, STEP, NEVER = 6, 11, 6, 1_000_000
"""POOL-17: from 11 on a hit is critical; one more wound for each further step. NEVER: no critical hits (POOL-18)."""
HIT = "hit"
"""The grade of a hit that is not critical; that of a critical one is the lowest value its die can have."""


class Scale(NamedTuple):
    """What a die of a pool must reach: the minimum roll (POOL-4), and the critical threshold."""

    minimum: int
    critical: int = NEVER


def grade_of(value: int, scale: Scale) -> str | int | None:
    """POOL-4: a success at the minimum roll; POOL-17: a critical one from the threshold on; None for a failure."""
    if value < scale.minimum:
        return None
    return HIT if value < scale.critical else max(scale.minimum, scale.critical)


def mega(value: int) -> int:
    """POOL-17: the additional wounds of a critical hit; its steps never move."""
    return max(0, (value - CRITICAL) // STEP)


def scored(table: RuleTable, count: int, scale: Scale) -> Graded:
    """POOL-16, POOL-17: the hits of a hit roll, or of a parry."""
    return Graded.thrown(table, count, SIDES, grade_of, scale, note="values")


def criticals(hits: Graded) -> int:
    """How many of the hits are critical."""
    return hits.count - hits.of(HIT)


def worth_of(value: int, scale: Scale) -> int:
    """POOL-6: one more at 11, two at 17 …, once the die is a success at all."""
    return 0 if value < scale.minimum else 1 + max(0, (value - CRITICAL) // STEP + 1)


def counted(table: RuleTable, count: int, scale: Scale) -> int:
    """POOL-6: the successes of a roll that is no attack."""
    return table.exploding(count, SIDES, worth_of, scale, note="values")


# What is spent on a roll

FATE = 4
"""POOL-7: what a destiny die must reach, whatever the difficulty."""
KEEP, BONUS, DESTINY, REROLL, FATED = "keep", "bonus", "destiny", "reroll", "reroll-destiny"
"""What can be done about a failed roll: nothing, one more die, the whole roll again, also by destiny."""
POOLS = {BONUS: "bonus-dice", DESTINY: "destiny-dice", REROLL: "rerolls", FATED: "destiny-dice"}
PRICES = {BONUS: "bonus die", DESTINY: "destiny die", REROLL: "re-roll", FATED: "destiny die"}
"""What each of them takes, in words, and the pool that it takes it from."""
PARTS = {REROLL: "re-roll", FATED: "re-roll by destiny"}
"""What the dice of a roll thrown again are called in the record."""
SPENDING = ("bonus", "destiny", "reroll", "reroll-destiny", "walk", "difficulty")
"""The options of every roll of the actor."""
Luck = tuple[tuple[str, int], ...]
"""Pools to spend from, and how many are left in each, none of them empty."""


class PoolRoll(NamedTuple):
    """One roll of a pool, and what may be spent on it: `luck` only once it has failed, if the player says so."""

    who: str
    dice: int
    scale: Scale
    bonus: int = 0
    destiny: int = 0
    again: tuple[str, ...] = ()
    """The re-rolls that are planned if it fails."""
    luck: Luck = ()
    cause: str = ""
    """What the roll is to withstand, as the player knows it."""

    def after(self, used: Iterable[str]) -> PoolRoll:
        """The roll with what is left of the luck once some ways have been taken."""
        taken = [POOLS[way] for way in used]
        left = ((pool, count - taken.count(pool)) for pool, count in self.luck)
        return self._replace(luck=tuple((pool, count) for pool, count in left if count > 0))


def roll_of(
    scene: Scene, who: str, dice: Modifiers, minimum: Modifiers, options: Mapping[str, Any] = {}
) -> PoolRoll:
    """A roll, with the options of the fighter's own action; the player is asked about its failure unless they say."""
    said = {way: options[way.replace("-", "_")] for way in POOLS if way.replace("-", "_") in options}
    luck = luck_of(scene.fighters[who]) if scene.asks(who) and not said else ()
    again, scale = tuple(way for way in (REROLL, FATED) if said.get(way)), Scale(minimum.total)
    return PoolRoll(who, max(0, dice.total), scale, said.get(BONUS, 0), said.get(DESTINY, 0), again, luck)


def luck_of(fighter: Fighter) -> Luck:
    """What a fighter has to spend on a failed roll (POOL-7)."""
    pools = dict.fromkeys(POOLS.values())
    return tuple((pool, fighter.pools[pool]) for pool in pools if fighter.pools[pool] > 0)


def count_of(
    intent: Intent, option: str, rule: str = "POOL-12", usual: int = 0, low: int = 0, high: int = 99
) -> int:
    """The number given with an option, else the usual one; Refused beyond `low` and `high`."""
    count: int = intent.get(option, usual)
    if not low <= count <= high:
        what = f"--{option} is a number from {low} to {high}, not {count}"
        refuse(intent, what, rule, final=True, code="bad_value")
    return count


def must_have(
    intent: Intent, fighter: Fighter, pool: str, needs: int, rule: str = "POOL-7", hint: str = "leave it out"
) -> None:
    """Refuse what takes more out of a pool than a fighter has in it."""
    if (left := fighter.pools[pool]) < needs:
        label = "re-rolls" if pool == "rerolls" else pool.replace("-", " ")
        what = f"{fighter.name} has {left or 'no'} {label} left; that takes {needs}"
        refuse(intent, what, rule, hint, code="cannot_pay", pool=pool, has=left, needs=needs)


def spent(scene: Scene, intent: Intent) -> tuple[Cost, ...]:
    """POOL-7: bonus and destiny dice, paid with the action; a re-roll must be there and is paid when it is made."""
    fighter = scene.fighters[intent.actor]
    counts = {option: count_of(intent, option, "POOL-7") for option in (BONUS, DESTINY)}
    if intent.get("reroll"):
        must_have(intent, fighter, "rerolls", 1)
    if intent.get("reroll_destiny"):
        must_have(intent, fighter, "destiny-dice", 1 + counts[DESTINY])
    return tuple(Cost(POOLS[way], count, rule="POOL-7") for way, count in counts.items() if count)


def luck_charge(who: str, used: Iterable[str], rule: str = "POOL-7") -> Charge:
    """POOL-7: what a fighter spent on a roll after it had failed."""
    return Charge(who, tuple(Cost(POOLS[way], rule=rule) for way in used))


def luck_spent(scene: Scene, intent: Intent, setup: Setup, outcome: Any) -> Iterable[Charge]:
    """POOL-7: what was spent on the rolls of an action after they had failed: `repaid` by the actor, or `spent`."""
    spent_by = getattr(outcome, "spent", None) or ((intent.actor, getattr(outcome, "repaid", ())),)
    return (luck_charge(who, used) for who, used in spent_by)


# The roll

Found = TypeVar("Found", int, Graded)
"""The successes of a roll that is no attack, or the hits of one that is."""
Throw = Callable[[RuleTable, int, Scale], Found]
"""How so many dice are thrown against a scale: `counted` or `scored`."""
Rolled = tuple[Found, tuple[str, ...]]
"""What all dice of a roll come to, and what was spent on it after it had failed, in that order."""


def roll_pool(
    table: RuleTable, what: str, roll: PoolRoll, throw: Throw[Found], needs: int = 1, asks: str = ""
) -> Rolled[Found]:
    """A roll, and what is spent on it while it lacks successes (POOL-7): in the record one roll. `asks`: what hangs on
    it. Only a roll without any success is thrown again."""
    thrown = throw_parts(table, what, roll, KEEP, throw)
    planned = [*roll.again] if roll.dice else []
    used: tuple[str, ...] = ()
    while (lacking := needs - sum(tallied(part)["successes"] for part in thrown)) > 0:
        if planned and lacking == needs:
            way = planned.pop(0)
            table.spend(roll.who, PRICES[way])
        elif (way := save(table, roll, lacking, needs, asks)) == KEEP:
            break
        thrown += throw_parts(table, what, roll, way, throw)
        used += (way,)
        bonus, destiny = roll.bonus + (way == BONUS), roll.destiny + (way == DESTINY)
        roll = roll.after((way,))._replace(bonus=bonus, destiny=destiny)
    whole: Found = reduce(add, thrown)
    table.join(len(thrown), target=roll.scale.minimum, **tallied(whole), success=lacking <= 0)
    return whole, used


def throw_parts(table: RuleTable, what: str, roll: PoolRoll, way: str, throw: Throw[Found]) -> list[Found]:
    """The dice of a roll, or of one way to save it, part by part."""
    thrown = []
    for name, dice, scale in parts(roll, way):
        table.label(what, roll.who, f"{dice}d6!" if dice else "", part=name, cause=roll.cause)
        thrown.append(table.ask(throw, dice, scale))
        table.result(target=scale.minimum, **tallied(thrown[-1]))
        if name in (DESTINY, PARTS[FATED]):
            table.part(f"{what} destiny die", "counts from", FATE, "POOL-7", against=roll.who)
    return thrown


def tallied(found: int | Graded) -> dict[str, int]:
    """What the record says of successes or hits."""
    if isinstance(found, int):
        return {"successes": found}
    return {"successes": found.count, "criticals": criticals(found)}


def parts(roll: PoolRoll, way: str) -> tuple[tuple[str, int, Scale], ...]:
    """POOL-7: pool, bonus dice, destiny dice, or what one way to save the roll throws: name, dice, and their scale."""
    fate = roll.scale._replace(minimum=FATE)
    if way in (BONUS, DESTINY):
        return ((way, 1, fate if way == DESTINY else roll.scale),)
    scale = fate if way == FATED else roll.scale
    pool = (PARTS.get(way, ""), roll.dice, scale)
    whole = (pool, (BONUS, roll.bonus, scale), (DESTINY, roll.destiny, fate))
    return tuple(part for part in whole if part[1]) or whole[:1]


def save(table: RuleTable, roll: PoolRoll, lacking: int, needs: int, asks: str) -> str:
    """What the player does about a roll that lacks so many successes; a re-roll only if it has none."""
    left, again = dict(roll.luck), roll.dice and lacking == needs
    options = [Alternative(KEEP, fails, (lacking,), asks=asks)]
    for way, pool in POOLS.items():
        if pool in left and (again or way in (BONUS, DESTINY)):
            chances = ((dice, scale) for _, dice, scale in parts(roll, way))
            options.append(Alternative(way, fails, (lacking, *chances), 1, PRICES[way]))
    return table.choose(roll.who, tuple(options)).name


def fails(table: RuleTable, lacking: int, *pools: tuple[int, Scale]) -> int:
    """1 where these dice have fewer successes than are lacking; else 0."""
    return int(sum(table.ask(counted, dice, scale) for dice, scale in pools) < lacking)


# What goes into a roll

HARDER = {"very easy": -2, "easy": -1, "normal": 0, "difficult": 1, "very difficult": 3}
HARDER |= {"extremely difficult": 6, "impossible": 12}
DIFFICULTY = Whole(
    -99, 99, {word: by for name, by in HARDER.items() for word in (name.replace(" ", "-"), name)}
)
"""POOL-5: what it adds to the minimum roll."""
WALKED = "walked"
"""The mark of walking along with the next action or, where none follows in the turn, the next reaction (POOL-12)."""
BODILY = ("deftness", "strength", "quickness")
"""POOL-38: attributes, and with them skills, that being hunkered makes harder, as it does what is done by hand."""
FIGHTING = ("attack", "throw", "parry")
"""POOL-38: rolls that fire makes harder; a parry is rolled as an attack is (POOL-28)."""


def dice_of(fighter: Fighter, roll: str, skill: str, free: bool = False, against: str = "") -> Modifiers:
    """The dice of a skill or attribute (POOL-1), fewer while shocked (POOL-38) unless `free`."""
    value, source = value_of(fighter, skill)
    dice = Modifiers(f"{roll} dice", "POOL-1", against).base(skill, value, source=source)
    return dice if free else dice.add("shocked", -fighter.level("shocked"), "POOL-38")


def minimum_of(fighter: Fighter, roll: str, skill: str, free: bool = False, against: str = "") -> Modifiers:
    """The minimum roll: the fighter's own (POOL-2), circumstance (ALL-6), conditions (POOL-38) unless `free`."""
    minimum = Modifiers(roll, "POOL-2", against)
    minimum.base("minimum roll", fighter.sheet["minimum_roll"], source="minimum_roll")
    minimum.situational(fighter, roll, skill, sign=-1)
    if free:
        return minimum
    burns = roll in FIGHTING or skill == "perception"
    by_hand = skill in (*BODILY, "first-aid", "medicine") or SKILLS.get(skill) in BODILY
    minimum.add("poisoned", fighter.level("poisoned"), "POOL-38", "condition")
    minimum.add("burning", burns * fighter.level("burning"), "POOL-38", "condition")
    bends = by_hand or roll in (*FIGHTING, "dodge")
    return minimum.add("hunkered", bends and fighter.has("hunkered"), "POOL-38", "condition")


def asked(minimum: Modifiers, scene: Scene, intent: Intent) -> Modifiers:
    """What the command adds to the minimum roll of the actor's roll (POOL-5, ALL-6), and walking along (POOL-12)."""
    minimum.add("difficulty", intent.get("difficulty", 0), "POOL-5", "--difficulty").asked(intent, sign=-1)
    walks = intent.get("walk") or scene.fighters[intent.actor].marks.get(WALKED)
    return minimum.add("walking", bool(walks), "POOL-12")


def skill_roll(scene: Scene, intent: Intent, roll: str, skill: str) -> Setup:
    """The actor's roll of a skill outside attacks: `dice` is the `PoolRoll`; the costs are what is spent on it."""
    fighter = scene.fighters[intent.actor]
    dice, minimum = dice_of(fighter, roll, skill), asked(minimum_of(fighter, roll, skill), scene, intent)
    pool = roll_of(scene, intent.actor, dice, minimum, intent.options)
    return Setup(pool, Modifiers.lines_of(dice, minimum), spent(scene, intent))


def forced_roll(scene: Scene, who: str, roll: str, skill: str, cause: str = "", free: bool = False) -> Setup:
    """A roll that a fighter must make to withstand a cause; `free` of conditions."""
    dice, minimum = (of(scene.fighters[who], roll, skill, free, who) for of in (dice_of, minimum_of))
    pool = roll_of(scene, who, dice, minimum)._replace(cause=cause)
    return Setup(pool, Modifiers.lines_of(dice, minimum))


# Checks


class CheckResult(NamedTuple):
    """What a check came to; the total is its successes (POOL-6)."""

    success: bool
    total: int
    repaid: tuple[str, ...] = ()


def check_setup(scene: Scene, intent: Intent) -> Setup:
    """A roll of the skill or attribute named (POOL-4, POOL-5): an unknown one is worth 0 (POOL-1), no misspelt one."""
    if intent.get("vs"):
        what, hint = "no roll is measured against another's", "--difficulty says how hard it is"
        refuse(intent, what, "POOL-5", hint, final=True, code="unheeded_option")
    word: str = intent.get("skill", "")
    here = (name for fighter in scene.fighters.values() for name in fighter.sheet["skills"])
    names = (*ATTRIBUTES, *SKILLS, *here)
    as_said = bool(intent.get("force")) or not Fault.guess(word, names)
    skill = known_word(scene.fighters[intent.actor], word, names, "skill", "POOL-1", forced=as_said)
    return skill_roll(scene, intent, "check", skill)


def check(table: RuleTable, roll: PoolRoll) -> CheckResult:
    """POOL-4, POOL-6: one success is enough; more are more."""
    successes, used = roll_pool(table, "check", roll, counted)
    return CheckResult(successes > 0, successes, used)


CHECK = check_action(
    "Roll a skill or an attribute", "POOL-4", check_setup, check, SPENDING, counts="successes"
)._replace(choices=luck_spent)
