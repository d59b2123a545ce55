"""The pool of exploding d6, and all that is rolled outside attacks: checks, treatment, rest, and what conditions demand
(POOL-4 to POOL-7, POOL-17, POOL-37 to POOL-39, ALL-2)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import reduce
from operator import add
from typing import Any, Generic, NamedTuple, TypeVar

from ...rules import (
    Action,
    Alternative,
    Changes,
    Condition,
    Cost,
    Fighter,
    Intent,
    Modifiers,
    Number,
    RuleTable,
    Scene,
    Setup,
    Whole,
    aid_in_use,
    check_action,
    guess,
    heal_action,
    lines_of,
    refuse,
    within,
)
from ...rules.exploding import Graded, graded
from ...rules.interrupts import Charge
from .sheet import ATTRIBUTES, ONE, SKILLS, value_of

# The dice

SIDES = 6
CRITICAL, STEP = 11, 6
"""POOL-17: from here on a hit is critical; one more wound for each further step."""
NEVER = 1_000_000
"""The critical threshold of a roll without critical hits (POOL-18)."""
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
    return graded(table, count, SIDES, grade_of, scale, note="values")


def criticals(hits: Graded) -> int:
    """How many of the hits are critical."""
    return hits.count - hits.of(HIT)


def worth_of(value: int, scale: Scale) -> int:
    """POOL-6: one more at 11, two at 17 …, once the die is a success at all."""
    return 0 if value < scale.minimum else 1 + max(0, (value - CRITICAL) // STEP + 1)


def counted(table: RuleTable, count: int, scale: Scale) -> int:
    """POOL-6: the successes of a roll that is no attack."""
    return table.exploding(count, SIDES, worth_of, scale, note="values")


def summed(table: RuleTable, count: int) -> int:
    """POOL-8: the sum of the dice."""
    return table.exploding(count, SIDES, int, note="values")


# What is spent on a roll

FATE = 4
"""POOL-7: what a destiny die must reach, whatever the difficulty."""
KEEP, BONUS, DESTINY, REROLL, FATED = "keep", "bonus", "destiny", "reroll", "reroll-destiny"
"""What can be done about a failed roll: nothing, one more die, the whole roll again, also by destiny."""
POOLS = {BONUS: "bonus-dice", DESTINY: "destiny-dice", REROLL: "rerolls", FATED: "destiny-dice"}
"""The pool that each of them takes one from."""
PRICES = {BONUS: "bonus die", DESTINY: "destiny die", REROLL: "re-roll", FATED: "destiny die"}
"""What each of them takes, in words."""
PARTS = {REROLL: "re-roll", FATED: "re-roll by destiny"}
"""What the dice of a roll thrown again are called in the record."""
FATEFUL = (DESTINY, PARTS[FATED])
"""The parts of a roll that a destiny die makes count on 4."""
SPENDING = ("bonus", "destiny", "reroll", "reroll-destiny", "walk", "difficulty")
"""The options of every roll of the actor."""

Luck = tuple[tuple[str, int], ...]
"""Pools to spend from, and how many are left in each, none of them empty."""


class PoolRoll(NamedTuple):
    """One roll of a pool, and what may be spent on it.

    `fated` is a re-roll by a destiny die; `luck` may be spent once it has failed, if the player says so.
    """

    who: str
    dice: int
    scale: Scale
    bonus: int = 0
    destiny: int = 0
    reroll: bool = False
    fated: bool = False
    luck: Luck = ()


def roll_of(
    scene: Scene,
    who: str,
    dice: Modifiers,
    minimum: Modifiers,
    threshold: int = NEVER,
    said: Mapping[str, Any] = {},
) -> PoolRoll:
    """The roll that these lines add up to; `said` are the options of the fighter's own action.

    The player is asked about a failure (POOL-7) in a crisis, unless the options say what is spent.
    """
    fighter = scene.fighters[who]
    asks = scene.open and fighter.player and not any(way.replace("-", "_") in said for way in POOLS)
    more = (
        said.get("bonus", 0),
        said.get("destiny", 0),
        bool(said.get("reroll")),
        bool(said.get("reroll_destiny")),
    )
    luck = luck_of(fighter) if asks else ()
    return PoolRoll(who, max(0, dice.total), Scale(minimum.total, threshold), *more, luck)


def luck_of(fighter: Fighter) -> Luck:
    """What a fighter has to spend on a failed roll (POOL-7)."""
    return tuple(
        (pool, fighter.pools[pool]) for pool in dict.fromkeys(POOLS.values()) if fighter.pools[pool] > 0
    )


def without(luck: Luck, used: Iterable[str]) -> Luck:
    """What is left of it once some ways have been taken."""
    taken = [POOLS[way] for way in used]
    left = ((pool, count - taken.count(pool)) for pool, count in luck)
    return tuple((pool, count) for pool, count in left if count > 0)


def count_of(intent: Intent, option: str, rule: str = "POOL-12") -> int:
    """The number given with an option, 0 without it; Refused below 0."""
    count: int = intent.get(option, 0)
    if count < 0:
        refuse(intent, f"--{option} is a number from 0", rule, final=True)
    return count


def spent(scene: Scene, intent: Intent) -> tuple[Cost, ...]:
    """POOL-7: bonus and destiny dice, paid with the action; a re-roll must be there and is paid when it is made."""
    who, pools = intent.actor, scene.fighters[intent.actor].pools
    bonus, destiny = (count_of(intent, option, "POOL-7") for option in (BONUS, DESTINY))
    if intent.get("reroll") and pools["rerolls"] < 1:
        refuse(intent, f"no re-roll is left: {who} has {pools['rerolls']}", "POOL-7")
    if intent.get("reroll_destiny") and pools["destiny-dice"] <= destiny:
        also = f", and spends {destiny} on the roll itself" if destiny else ""
        what = f"no destiny die for a re-roll is left: {who} has {pools['destiny-dice']}{also}"
        refuse(intent, what, "POOL-7")
    costs = (Cost("bonus-dice", bonus, rule="POOL-7"), Cost("destiny-dice", destiny, rule="POOL-7"))
    return tuple(cost for cost in costs if cost.amount)


def luck_charge(who: str, used: Iterable[str], rule: str = "POOL-7") -> Charge:
    """POOL-7: what a fighter spent on a roll after it had failed."""
    return Charge(who, tuple(Cost(POOLS[way], rule=rule) for way in used))


def luck_spent(scene: Scene, intent: Intent, setup: Setup, outcome: Any) -> Iterable[Charge]:
    """POOL-7: the choices of an action whose only ones are what is spent on its rolls: `repaid` by the actor, or
    `spent` by fighter."""
    spent_by = getattr(outcome, "spent", None) or ((intent.actor, getattr(outcome, "repaid", ())),)
    return (luck_charge(who, used) for who, used in spent_by)


# The roll

Found = TypeVar("Found", int, Graded)
"""The successes of a roll that is no attack, or the hits of one that is."""


class Rolled(NamedTuple, Generic[Found]):
    """What all dice of a roll come to, and what was spent on it after it had failed, in that order."""

    found: Found
    repaid: tuple[str, ...]


def roll_pool(
    table: RuleTable,
    what: str,
    roll: PoolRoll,
    throw: Callable[[RuleTable, int, Scale], Found],
    needs: int = 1,
) -> Rolled[Found]:
    """A roll by `scored` or `counted`, and what is spent on it while it lacks successes (POOL-7), as said or chosen.

    It is thrown again only as long as it has none. Whatever is thrown for it is one roll in the record, measured
    against the minimum roll.
    """
    found = throw_parts(table, what, roll, KEEP, throw)
    said = [way for way, is_said in ((REROLL, roll.reroll), (FATED, roll.fated)) if is_said and roll.dice]
    used: tuple[str, ...] = ()
    while (lacking := needs - sum(told(one)["successes"] for one in found)) > 0:
        way = said.pop(0) if said and lacking == needs else save(table, roll, lacking, needs)
        if way == KEEP:
            break
        found += throw_parts(table, what, roll, way, throw)
        used += (way,)
        bonus, destiny = roll.bonus + (way == BONUS), roll.destiny + (way == DESTINY)
        roll = roll._replace(bonus=bonus, destiny=destiny, luck=without(roll.luck, (way,)))
    whole: Found = reduce(add, found)
    table.join(len(found), target=roll.scale.minimum, **told(whole), success=lacking <= 0)
    return Rolled(whole, used)


def throw_parts(
    table: RuleTable, what: str, roll: PoolRoll, way: str, throw: Callable[[RuleTable, int, Scale], Found]
) -> list[Found]:
    """The dice of a roll, or of one way to save it, part by part."""
    found = []
    for name, dice, scale in parts(roll, way):
        table.label(what, roll.who, f"{dice}d6!" if dice else "", **({"part": name} if name else {}))
        found.append(table.ask(throw, dice, scale))
        table.result(target=scale.minimum, **told(found[-1]))
        if name in FATEFUL:
            table.part(f"{what} destiny die", "counts from", FATE, "POOL-7", against=roll.who)
    return found


def told(found: int | Graded) -> dict[str, int]:
    """What the record says of successes or hits."""
    if isinstance(found, int):
        return {"successes": found}
    return {"successes": found.count, "criticals": criticals(found)}


def parts(roll: PoolRoll, way: str) -> tuple[tuple[str, int, Scale], ...]:
    """POOL-7: the pool, then bonus dice, then destiny dice, each with its waves; or what one way to save it throws.

    Each part is its name, how many dice, and what they must reach.
    """
    fate = roll.scale._replace(minimum=FATE)
    if way in (BONUS, DESTINY):
        return ((way, 1, fate if way == DESTINY else roll.scale),)
    scale = fate if way == FATED else roll.scale
    whole = (
        (PARTS.get(way, ""), roll.dice, scale),
        (BONUS, roll.bonus, scale),
        (DESTINY, roll.destiny, fate),
    )
    return tuple(part for part in whole if part[1]) or whole[:1]


def save(table: RuleTable, roll: PoolRoll, lacking: int, needs: int) -> str:
    """What the player does about a roll that lacks so many successes; a re-roll only if it has none."""
    left = dict(roll.luck)
    again = roll.dice and lacking == needs
    ways = [way for way, pool in POOLS.items() if pool in left and (again or way in (BONUS, DESTINY))]
    chances = {way: tuple((dice, scale) for _, dice, scale in parts(roll, way)) for way in ways}
    options = [Alternative(KEEP, fails, (lacking,))]
    options += (Alternative(way, fails, (lacking, *chances[way]), 1, PRICES[way]) for way in ways)
    return table.choose(roll.who, tuple(options)).name


def fails(table: RuleTable, lacking: int, *pools: tuple[int, Scale]) -> int:
    """1 where these dice have fewer successes than are lacking; else 0."""
    return int(sum(table.ask(counted, dice, scale) for dice, scale in pools) < lacking)


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
    return found if free else found.add("shocked", -level_of(fighter, "shocked"), "POOL-38")


def minimum_of(
    fighter: Fighter, roll: str, skill: str, *, free: bool = False, against: str = ""
) -> Modifiers:
    """The minimum roll: the fighter's own (POOL-2), circumstance (ALL-6), conditions (POOL-38) unless `free`."""
    found = Modifiers(roll, "POOL-2", against)
    found.base("minimum roll", fighter.sheet["minimum_roll"], source="minimum_roll")
    found.situational(fighter, roll, skill, sign=-1)
    if free:
        return found
    found.add("poisoned", level_of(fighter, "poisoned"), "POOL-38", "condition")
    if roll in FIGHTING or skill == "perception":
        found.add("burning", level_of(fighter, "burning"), "POOL-38", "condition")
    bodily = skill in (*BODILY, *HANDWORK) or SKILLS.get(skill) in BODILY
    if roll in (*FIGHTING, "dodge") or bodily:
        found.add("hunkered", int(fighter.has("hunkered")), "POOL-38", "condition")
    return found


def level_of(fighter: Fighter, condition: str) -> int:
    """The level of a condition; 0 for none."""
    return int(fighter.conditions.get(condition, 0))


def asked(found: Modifiers, scene: Scene, intent: Intent) -> Modifiers:
    """What the command adds to the minimum roll of the actor's roll (POOL-5, ALL-6), and walking along (POOL-12)."""
    found.add("difficulty", intent.get("difficulty") or 0, "POOL-5", "--difficulty").asked(intent, sign=-1)
    walks = intent.get("walk") or scene.fighters[intent.actor].marks.get(WALKED)
    return found.add("walking", int(bool(walks)), "POOL-12")


def skill_roll(scene: Scene, intent: Intent, roll: str, skill: str) -> Setup:
    """The actor's roll of a skill outside attacks: `dice` is the `PoolRoll`; the costs are what is spent on it."""
    fighter = scene.fighters[intent.actor]
    dice, minimum = dice_of(fighter, roll, skill), asked(minimum_of(fighter, roll, skill), scene, intent)
    own = roll_of(scene, intent.actor, dice, minimum, said=intent.options)
    return Setup(own, lines_of(dice, minimum), spent(scene, intent))


def forced_roll(
    scene: Scene, who: str, roll: str, skill: str, *, free: bool = False
) -> tuple[PoolRoll, tuple[Modifiers, Modifiers]]:
    """A roll that a fighter must make, and its lines; `free` of conditions."""
    fighter = scene.fighters[who]
    dice = dice_of(fighter, roll, skill, free=free, against=who)
    minimum = minimum_of(fighter, roll, skill, free=free, against=who)
    return roll_of(scene, who, dice, minimum), (dice, minimum)


# Checks


class CheckResult(NamedTuple):
    """What a check came to; the total is its successes (POOL-6)."""

    success: bool
    total: int
    repaid: tuple[str, ...] = ()


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
    found, used = roll_pool(table, "check", roll, counted)
    return CheckResult(found > 0, found, used)


CHECK = check_action("Roll a skill or an attribute", "POOL-4", check_setup, check, SPENDING)._replace(
    counts="successes", choices=luck_spent
)

# Conditions and wounds

DEATH = 6
"""POOL-37: dying at this level is death."""
CONDITIONS = {
    "dead": Condition(
        "dead", "POOL-37", levels=True, defeated="dead", cannot_act=True, ends="{who} is alive again."
    ),
    "dying": Condition(
        "dying",
        "POOL-37",
        levels=True,
        defeated="dying",
        cannot_act=True,
        ends="{who} is not dying any more.",
    ),
    "stable": Condition("stable", "POOL-37", ends="{who} is no longer in need of care."),
    "unconscious": Condition(
        "unconscious", "POOL-38", levels=True, defeated="down", cannot_act=True, ends="{who} comes to."
    ),
    "asleep": Condition("asleep", "POOL-38", cannot_act=True, ends="{who} is awake."),
    **{
        name: Condition(name, "POOL-38", levels=True)
        for name in ("shocked", "burning", "bleeding", "poisoned")
    },
    "hunkered": Condition("hunkered", "POOL-38", lasting=False, ends="{who} is on their feet again."),
    "blocking": Condition(
        "blocking with the shield",
        "POOL-23",
        lasting=False,
        begins="{who} has the shield up.",
        ends="{who} has lowered the shield.",
    ),
    "stuck": Condition(
        "stuck",
        "POOL-24",
        lasting=False,
        begins="{who}’s weapon is held fast.",
        ends="{who}’s weapon is free.",
    ),
}


def hearts(fighter: Fighter) -> int:
    """POOL-37: wounds not yet taken, plus boosts."""
    return fighter.full("wounds") - fighter.pools["wounds"] + fighter.pools["boost"]


def consequences(changes: Changes, who: str) -> None:
    """POOL-37: without a heart left one is dying, unless stabilised; dying far enough is dead; nothing else stays."""
    fighter = changes.fighter(who)
    lifeless, dying = hearts(fighter) <= 0, level_of(fighter, "dying")
    if fighter.has("dead") or (lifeless and dying >= DEATH):
        kept, level, ended = "dead", fighter.conditions.get("dead", 1), tuple(fighter.conditions)
    elif lifeless and not fighter.has("stable"):
        kept, level, ended = "dying", dying or 1, tuple(fighter.conditions)
    else:
        kept, level, ended = "", 0, () if lifeless else ("dying", "stable")
    if kept:
        changes.put(who, f"condition:{kept}", level, "POOL-37")
    for condition in ended:
        if condition != kept:
            changes.put(who, f"condition:{condition}", False, "POOL-37")


def wound(changes: Changes, who: str, wounds: Number, rule: str = "POOL-26") -> None:
    """POOL-37, POOL-39: wounds take boosts first, then hearts; those of the dying make it worse."""
    fighter = changes.fighter(who)
    if wounds.total <= 0 or fighter.has("dead"):
        return
    if hearts(fighter) <= 0 and fighter.has("dying"):
        worsen(changes, who, wounds.total, rule)
        return
    # A stabilised fighter is dying again with the first wound.
    changes.end(who, "stable", "POOL-37")
    boosted = min(wounds.total, fighter.pools["boost"])
    changes.adjust(who, "boost", -boosted, "POOL-39")
    changes.adjust(who, "wounds", wounds.absorb("boosts", boosted, "POOL-39"), rule)


def worsen(changes: Changes, who: str, levels: int, rule: str = "POOL-37") -> None:
    """POOL-37: dying goes on by so many levels, to its end at most."""
    level = level_of(changes.fighter(who), "dying") + levels
    changes.begin(who, "dying", rule, min(DEATH, level))


def inflict(changes: Changes, who: str, condition: str, level: int, rule: str) -> None:
    """POOL-3: a condition at this level; the higher one stands, and what has no levels is on."""
    now = max(level, level_of(changes.fighter(who), condition))
    changes.begin(who, condition, rule, now if CONDITIONS[condition].levels else True)


# First aid


class HealResult(NamedTuple):
    """What a treatment came to."""

    success: bool
    total: int
    stabilised: bool
    repaid: tuple[str, ...] = ()

    @property
    def word(self) -> str:
        """In one word."""
        return ("stabilised" if self.stabilised else "healed") if self.success else "failure"


in_reach = within(1, "POOL-39", "treating")
"""Refuses a patient who is more than a metre away (a reading)."""


def heal_setup(scene: Scene, intent: Intent) -> Setup:
    """POOL-39: first aid, with an item that heals if there is one; POOL-37: the dying are stabilised."""
    fighter, patient = scene.fighters[intent.actor], scene.fighters[intent.patient]
    if patient.has("dead"):
        refuse(intent, f"{patient.name} is dead", "POOL-37", final=True)
    in_reach(scene, intent)
    item = aid_in_use(intent, fighter, lambda one: "heals" in one, "POOL-39", "the {item} does not heal")
    level = level_of(patient, "dying")
    skills = ("first-aid", "medicine") if level else ("first-aid",)
    best = max(skills, key=lambda one: value_of(fighter.sheet, one)[0])
    roll = skill_roll(scene, intent, "heal", best)
    thing = fighter.sheet["items"].get(item, {})
    used = (Cost(f"uses:{item}", rule="POOL-39"),) if "uses" in thing else ()
    known = thing.get("heals", {"boost": 1, "wounds": 0})
    dice = (roll.dice, max(1, level), level > 0)
    return Setup(dice, roll.modifiers, (*roll.costs, *used), item, known=known)


def heal(table: RuleTable, setup: tuple[PoolRoll, int, bool]) -> HealResult:
    """POOL-39: one success is enough; POOL-37: of the dying, who are stabilised, as many as the level."""
    roll, needs, dying = setup
    found, used = roll_pool(table, "heal", roll, counted, needs)
    if needs > 1:
        table.result(difficulty=needs)
    return HealResult(found >= needs, found, dying and found >= needs, used)


def heal_effects(changes: Changes, intent: Intent, setup: Setup, outcome: HealResult) -> None:
    """POOL-39: boosts, and no more bleeding; POOL-37: stabilised, and unconscious without a heart left."""
    patient = intent.patient
    if outcome.stabilised:
        changes.begin(patient, "stable", "POOL-37")
        changes.end(patient, "dying", "POOL-37")
        changes.begin(patient, "unconscious", "POOL-37", 1)
    elif outcome.success:
        changes.adjust(patient, "boost", setup.known["boost"], "POOL-39")
        changes.adjust(patient, "wounds", -setup.known["wounds"], "POOL-39")
        changes.end(patient, "bleeding", "POOL-39")


HEAL = heal_action(
    "Give first aid", "POOL-39", heal_setup, heal_effects, heal, ONE, ("item", *SPENDING)
)._replace(counts="successes", choices=luck_spent)

# Resting


class RestResult(NamedTuple):
    """What a rest came to."""

    success: bool
    healed: int
    repaid: tuple[str, ...] = ()


def rest_setup(scene: Scene, intent: Intent) -> Setup:
    """POOL-39: six hours, and so not in a crisis; what is spent on the roll (POOL-7) is there again afterwards."""
    patient = scene.fighters[intent.patient]
    for condition in ("dead", "dying"):
        if patient.has(condition):
            refuse(intent, f"{patient.name} is {condition}", "POOL-39", final=True)
    if scene.open:
        refuse(intent, "a rest takes six hours: not in a crisis", "POOL-39", "end it first: crisis end")
    dice = Modifiers("rest dice", "POOL-1")
    for skill in ("resistance", "endurance", "willpower"):
        dice.extend(dice_of(patient, "rest", skill, free=True))
    minimum = minimum_of(patient, "rest", "rest", free=True)
    minimum.add("difficulty", intent.get("difficulty") or 0, "POOL-5", "--difficulty").asked(intent, sign=-1)
    own = intent._replace(actor=patient.name)
    for cost in spent(scene, own):
        if patient.pools[cost.pool] < cost.amount:
            has = f"{patient.name} has {patient.pools[cost.pool]} {cost.pool.replace('-', ' ')}"
            refuse(intent, f"{has}, not {cost.amount}", cost.rule, "leave it out")
    roll = roll_of(scene, patient.name, dice, minimum, said=intent.options)
    return Setup(roll, lines_of(dice, minimum))


def rest(table: RuleTable, roll: PoolRoll) -> RestResult:
    """POOL-39: a wound less for each success."""
    found = roll_pool(table, "rest", roll, counted).found
    return RestResult(found > 0, found)


def rest_effects(changes: Changes, intent: Intent, setup: Setup, outcome: RestResult) -> None:
    """POOL-39: wounds heal, boosts are gone, and the dice to spend are there again."""
    who = setup.dice.who
    changes.adjust(who, "wounds", -outcome.healed, "POOL-39")
    changes.set(who, "boost", 0, "POOL-39")
    for pool in ("bonus-dice", "destiny-dice", "rerolls"):
        changes.set(who, pool, changes.fighter(who).full(pool), "POOL-39")


RESTING = Action(
    "Rest for six hours",
    "POOL-39",
    rest_setup,
    rest_effects,
    rest,
    window="table",
    targets="patient",
    words=("rested", "rested"),
    options=("rest", *SPENDING),
    says="{target} rests for six hours",
)

# What the start of a round brings

SKILL = {
    "dying": "resistance",
    "unconscious": "willpower",
    "shocked": "endurance",
    "bleeding": "endurance",
    "poisoned": "resistance",
}
"""The skill to withstand each condition, in the order of the rolls (POOL-37, POOL-38)."""
Trial = tuple[str, int, PoolRoll]
"""One roll that a condition demands: the condition, its level, the roll."""
Patient = tuple[str, int, tuple[Trial, ...]]
"""A fighter whose conditions demand rolls: the name, how many wounds would be too many, the rolls."""


class RoundResult(NamedTuple):
    """By fighter and condition, what was withstood of it: its levels, or 1 where one success is enough; and by
    fighter, what was spent on these rolls (POOL-7)."""

    withstood: tuple[tuple[str, str, int], ...]
    spent: tuple[tuple[str, tuple[str, ...]], ...] = ()


def round_setup(scene: Scene, intent: Intent) -> Setup:
    """Everyone in the order of initiative; their conditions make none of these rolls harder."""
    found: list[Patient] = []
    lines: list[Modifiers] = []
    for name in scene.order or scene.fighters:
        fighter = scene.fighters[name]
        trials: list[Trial] = []
        for condition, skill in SKILL.items():
            if fighter.has(condition) and not fighter.gone:
                roll, more = forced_roll(scene, name, "resist", skill, free=True)
                trials.append((condition, level_of(fighter, condition), roll))
                lines += more
        if trials:
            found.append((name, hearts(fighter), tuple(trials)))
    return Setup(tuple(found), lines_of(*lines))


def round_rule(table: RuleTable, patients_: tuple[Patient, ...]) -> RoundResult | None:
    """Every trial in its order."""
    found = [(patient[0], *table.ask(withstand, patient)) for patient in patients_]
    withstood = tuple((who, *one) for who, held, _ in found for one in held)
    return RoundResult(withstood, tuple((who, used) for who, _, used in found if used)) if found else None


def withstand(table: RuleTable, patient: Patient) -> tuple[tuple[tuple[str, int], ...], tuple[str, ...]]:
    """The trials of one fighter: by condition what was withstood of it; and what was spent on them.

    A fighter who bleeds to the last heart need not roll against poison.
    """
    _, wounds_left, trials = patient
    found: list[tuple[str, int]] = []
    used: tuple[str, ...] = ()
    for condition, level, roll in trials:
        needs = level if condition == "unconscious" else 1
        left = roll._replace(luck=without(roll.luck, used))
        count, more = table.ask(roll_pool, "resist", left, counted, needs)
        held, used = min(1 if condition in ("dying", "bleeding") else level, count), (*used, *more)
        if condition == "unconscious":
            table.result(difficulty=needs)
        found.append((condition, held))
        if condition == "bleeding" and not held and level >= wounds_left:
            break
    return tuple(found), used


def round_effects(changes: Changes, intent: Intent, setup: Setup, outcome: RoundResult | None) -> None:
    """POOL-37, POOL-38: what is not withstood takes its course."""
    for who, condition, held in outcome.withstood if outcome else ():
        level = level_of(changes.fighter(who), condition)
        if condition == "dying" and level and not held:
            worsen(changes, who, 1)
        elif condition == "bleeding" and level and not held:
            wound(changes, who, changes.number("POOL-38").add("bleeding", level), "POOL-38")
        elif condition in ("unconscious", "shocked", "poisoned") and held >= level:
            changes.end(who, condition, "POOL-38")
        elif condition in ("shocked", "poisoned") and held:
            changes.begin(who, condition, "POOL-38", level - held)
        consequences(changes, who)


ROUND = Action(
    "What conditions do",
    "POOL-38",
    round_setup,
    round_effects,
    round_rule,
    window="table",
    choices=luck_spent,
)
