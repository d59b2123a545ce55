"""All that a fighter does: the pool and what is rolled with it, attacks and what meets them, and the other actions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import reduce
from math import cos, pi, sin
from operator import add, sub
from typing import Any, Generic, TypeVar

from ...rules import (
    Action,
    Alternative,
    Changes,
    Cost,
    Fighter,
    Intent,
    Modifiers,
    NamedTuple,
    Number,
    RuleTable,
    Runner,
    Scene,
    Setup,
    Whole,
    aid_in_use,
    check_action,
    condition_action,
    guess,
    has,
    heal_action,
    in_hand,
    initiative_action,
    known_word,
    lacks,
    lines_of,
    move_action,
    patient_candidates,
    refuse,
    reload_action,
    slug,
    target_distance,
    tie,
    unable,
    use_action,
    within,
)
from ...rules.exploding import NO_DICE, Graded, graded
from ...rules.interrupts import Charge, Interrupted, Phase, Reactions
from ...rules.turn_order import grouped, in_order, leader_of
from .sheet import (
    ATTRIBUTES,
    CONDITIONS,
    DROPPED,
    PROTECTION,
    SHIELD,
    SKILL_OF,
    SKILLS,
    UNARMED,
    evasion_of,
    is_thrown_away,
    modes_of,
    value_of,
)

Weapon = Mapping[str, Any]
"""A weapon as the sheet has it."""
ONE = (Cost("actions"),)
"""POOL-12: what an action takes unless it says otherwise."""

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
    """One roll of a pool, and what may be spent on it: `fated` is a re-roll by a destiny die; `luck` may be spent once
    it has failed, if the player says so."""

    who: str
    dice: int
    scale: Scale
    bonus: int = 0
    destiny: int = 0
    reroll: bool = False
    fated: bool = False
    luck: Luck = ()
    cause: str = ""
    """What the roll is to withstand, as the player knows it."""


def roll_of(
    scene: Scene, who: str, dice: Modifiers, scale: Scale, options: Mapping[str, Any] = {}
) -> PoolRoll:
    """The roll of so many dice against a scale; `options` are those of the fighter's own action. In a crisis the
    player is asked about a failure (POOL-7), unless the options say what is spent."""
    fighter = scene.fighters[who]
    asks = scene.asks(who) and not any(way.replace("-", "_") in options for way in POOLS)
    bonus, destiny, again, fated = (options.get(way.replace("-", "_"), 0) for way in POOLS)
    luck = luck_of(fighter) if asks else ()
    return PoolRoll(who, max(0, dice.total), scale, bonus, destiny, bool(again), bool(fated), luck)


def luck_of(fighter: Fighter) -> Luck:
    """What a fighter has to spend on a failed roll (POOL-7)."""
    pools = dict.fromkeys(POOLS.values())
    return tuple((pool, fighter.pools[pool]) for pool in pools if fighter.pools[pool] > 0)


def without(luck: Luck, used: Iterable[str]) -> Luck:
    """What is left of it once some ways have been taken."""
    taken = [POOLS[way] for way in used]
    left = ((pool, count - taken.count(pool)) for pool, count in luck)
    return tuple((pool, count) for pool, count in left if count > 0)


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
    intent: Intent, one: Fighter, pool: str, needs: int, rule: str, hint: str = "leave it out"
) -> None:
    """Refuse what takes more out of a pool than a fighter has in it."""
    if (left := one.pools[pool]) < needs:
        label = "re-rolls" if pool == POOLS[REROLL] else pool.replace("-", " ")
        what = f"{one.name} has {left or 'no'} {label} left; that takes {needs}"
        refuse(intent, what, rule, hint, code="cannot_pay", pool=pool, has=left, needs=needs)


def spent(scene: Scene, intent: Intent) -> tuple[Cost, ...]:
    """POOL-7: bonus and destiny dice, paid with the action; a re-roll must be there and is paid when it is made."""
    fighter = scene.fighters[intent.actor]
    bonus, destiny = (count_of(intent, option, "POOL-7") for option in (BONUS, DESTINY))
    if intent.get("reroll"):
        must_have(intent, fighter, "rerolls", 1, "POOL-7")
    if intent.get("reroll_destiny"):
        must_have(intent, fighter, "destiny-dice", 1 + destiny, "POOL-7")
    costs = (Cost("bonus-dice", bonus, rule="POOL-7"), Cost("destiny-dice", destiny, rule="POOL-7"))
    return tuple(cost for cost in costs if cost.amount)


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


class Rolled(NamedTuple, Generic[Found]):
    """What all dice of a roll come to, and what was spent on it after it had failed, in that order."""

    found: Found
    repaid: tuple[str, ...]


def roll_pool(
    table: RuleTable, what: str, roll: PoolRoll, throw: Throw[Found], needs: int = 1, asks: str = ""
) -> Rolled[Found]:
    """A roll by `scored` or `counted`, and what is spent on it while it lacks successes (POOL-7), as planned or chosen.
    Only a roll without any is thrown again. All that is thrown is one roll in the record, against the minimum roll.
    `asks` says what hangs on it, as a sentence."""
    found = throw_parts(table, what, roll, KEEP, throw)
    planned = [way for way, is_on in ((REROLL, roll.reroll), (FATED, roll.fated)) if is_on and roll.dice]
    used: tuple[str, ...] = ()
    while (lacking := needs - sum(tallied(one)["successes"] for one in found)) > 0:
        if planned and lacking == needs:
            way = planned.pop(0)
            table.spend(roll.who, PRICES[way])
        else:
            way = save(table, roll, lacking, needs, asks)
        if way == KEEP:
            break
        found += throw_parts(table, what, roll, way, throw)
        used += (way,)
        bonus, destiny = roll.bonus + (way == BONUS), roll.destiny + (way == DESTINY)
        roll = roll._replace(bonus=bonus, destiny=destiny, luck=without(roll.luck, (way,)))
    whole: Found = reduce(add, found)
    table.join(len(found), target=roll.scale.minimum, **tallied(whole), success=lacking <= 0)
    return Rolled(whole, used)


def throw_parts(table: RuleTable, what: str, roll: PoolRoll, way: str, throw: Throw[Found]) -> list[Found]:
    """The dice of a roll, or of one way to save it, part by part."""
    found = []
    for name, dice, scale in parts(roll, way):
        table.label(what, roll.who, f"{dice}d6!" if dice else "", part=name, cause=roll.cause)
        found.append(table.ask(throw, dice, scale))
        table.result(target=scale.minimum, **tallied(found[-1]))
        if name in FATEFUL:
            table.part(f"{what} destiny die", "counts from", FATE, "POOL-7", against=roll.who)
    return found


def tallied(found: int | Graded) -> dict[str, int]:
    """What the record says of successes or hits."""
    if isinstance(found, int):
        return {"successes": found}
    return {"successes": found.count, "criticals": criticals(found)}


def parts(roll: PoolRoll, way: str) -> tuple[tuple[str, int, Scale], ...]:
    """POOL-7: the pool, then bonus dice, then destiny dice, each with its waves; or what one way to save it throws.
    Each part is its name, how many dice, and what they must reach."""
    fate = roll.scale._replace(minimum=FATE)
    if way in (BONUS, DESTINY):
        return ((way, 1, fate if way == DESTINY else roll.scale),)
    scale = fate if way == FATED else roll.scale
    pool = (PARTS.get(way, ""), roll.dice, scale)
    whole = (pool, (BONUS, roll.bonus, scale), (DESTINY, roll.destiny, fate))
    return tuple(part for part in whole if part[1]) or whole[:1]


def save(table: RuleTable, roll: PoolRoll, lacking: int, needs: int, asks: str) -> str:
    """What the player does about a roll that lacks so many successes; a re-roll only if it has none. `asks` says what
    hangs on the roll."""
    left = dict(roll.luck)
    again = roll.dice and lacking == needs
    ways = [way for way, pool in POOLS.items() if pool in left and (again or way in (BONUS, DESTINY))]
    chances = {way: tuple((dice, scale) for _, dice, scale in parts(roll, way)) for way in ways}
    options = [Alternative(KEEP, fails, (lacking,), asks=asks)]
    options += (Alternative(way, fails, (lacking, *chances[way]), 1, PRICES[way]) for way in ways)
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
"""POOL-38: attributes, and with them skills, that being hunkered makes harder."""
HANDWORK = ("first-aid", "medicine")
"""POOL-38: other skills that it makes harder, being done by hand."""
FIGHTING = ("attack", "throw", "parry")
"""POOL-38: rolls that fire makes harder; a parry is rolled as an attack is (POOL-28)."""


def dice_of(fighter: Fighter, roll: str, skill: str, free: bool = False, against: str = "") -> Modifiers:
    """The dice of a skill or attribute (POOL-1), fewer while shocked (POOL-38) unless `free`."""
    value, source = value_of(fighter.sheet, skill)
    found = Modifiers(f"{roll} dice", "POOL-1", against).base(skill, value, source=source)
    return found if free else found.add("shocked", -fighter.level("shocked"), "POOL-38")


def minimum_of(fighter: Fighter, roll: str, skill: str, free: bool = False, against: str = "") -> Modifiers:
    """The minimum roll: the fighter's own (POOL-2), circumstance (ALL-6), conditions (POOL-38) unless `free`."""
    found = Modifiers(roll, "POOL-2", against)
    found.base("minimum roll", fighter.sheet["minimum_roll"], source="minimum_roll")
    found.situational(fighter, roll, skill, sign=-1)
    if free:
        return found
    found.add("poisoned", fighter.level("poisoned"), "POOL-38", "condition")
    if roll in FIGHTING or skill == "perception":
        found.add("burning", fighter.level("burning"), "POOL-38", "condition")
    bodily = skill in (*BODILY, *HANDWORK) or SKILLS.get(skill) in BODILY
    if roll in (*FIGHTING, "dodge") or bodily:
        found.add("hunkered", int(fighter.has("hunkered")), "POOL-38", "condition")
    return found


def asked(found: Modifiers, scene: Scene, intent: Intent) -> Modifiers:
    """What the command adds to the minimum roll of the actor's roll (POOL-5, ALL-6), and walking along (POOL-12)."""
    found.add("difficulty", intent.get("difficulty") or 0, "POOL-5", "--difficulty").asked(intent, sign=-1)
    walks = intent.get("walk") or scene.fighters[intent.actor].marks.get(WALKED)
    return found.add("walking", int(bool(walks)), "POOL-12")


def skill_roll(scene: Scene, intent: Intent, roll: str, skill: str) -> Setup:
    """The actor's roll of a skill outside attacks: `dice` is the `PoolRoll`; the costs are what is spent on it."""
    fighter = scene.fighters[intent.actor]
    dice, minimum = dice_of(fighter, roll, skill), asked(minimum_of(fighter, roll, skill), scene, intent)
    own = roll_of(scene, intent.actor, dice, Scale(minimum.total), intent.options)
    return Setup(own, lines_of(dice, minimum), spent(scene, intent))


def forced_roll(
    scene: Scene, who: str, roll: str, skill: str, cause: str = "", *, free: bool = False
) -> tuple[PoolRoll, tuple[Modifiers, Modifiers]]:
    """A roll that a fighter must make to withstand a cause, and its lines; `free` of conditions."""
    fighter = scene.fighters[who]
    dice = dice_of(fighter, roll, skill, free=free, against=who)
    minimum = minimum_of(fighter, roll, skill, free=free, against=who)
    return roll_of(scene, who, dice, Scale(minimum.total))._replace(cause=cause), (dice, minimum)


# Checks


class CheckResult(NamedTuple):
    """What a check came to; the total is its successes (POOL-6)."""

    success: bool
    total: int
    repaid: tuple[str, ...] = ()


def check_setup(scene: Scene, intent: Intent) -> Setup:
    """A roll of any skill or attribute at a difficulty (POOL-4, POOL-5)."""
    if intent.get("vs"):
        what, hint = "no roll is measured against another's", "--difficulty says how hard it is"
        refuse(intent, what, "POOL-5", hint, final=True, code="unheeded_option")
    return skill_roll(scene, intent, "check", known_skill(scene, intent))


def known_skill(scene: Scene, intent: Intent) -> str:
    """The skill or attribute that the command names (POOL-1): an unknown one is worth 0, a misspelt one refused."""
    word: str = intent.get("skill", "")
    here = (name for one in scene.fighters.values() for name in one.sheet["skills"])
    names = (*ATTRIBUTES, *SKILLS, *here)
    as_said = bool(intent.get("force")) or not guess(word, names)
    return known_word(scene.fighters[intent.actor], word, names, "skill", "POOL-1", forced=as_said)


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


def hearts(fighter: Fighter) -> int:
    """POOL-37: wounds not yet taken, plus boosts."""
    return fighter.full("wounds") - fighter.pools["wounds"] + fighter.pools["boost"]


def consequences(changes: Changes, who: str) -> None:
    """POOL-37: without a heart left one is dying, unless stabilised; dying far enough is dead; nothing else stays."""
    fighter = changes.fighter(who)
    lifeless, dying = hearts(fighter) <= 0, fighter.level("dying")
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
        worsen(changes, who, wounds, rule)
        return
    # A stabilised fighter is dying again with the first wound.
    changes.end(who, "stable", "POOL-37")
    boosted = min(wounds.total, fighter.pools["boost"])
    changes.adjust(who, "boost", changes.number("POOL-39").add("wounds", -boosted), "POOL-39")
    changes.adjust(who, "wounds", wounds.absorb("boosts", boosted, "POOL-39"), rule)


def worsen(changes: Changes, who: str, levels: Number, rule: str = "POOL-37") -> None:
    """POOL-37: dying goes on by so many levels, to its end at most."""
    left = DEATH - changes.fighter(who).level("dying")
    changes.begin(who, "dying", rule, levels.add("limit", min(0, left - levels.total), "POOL-37"))


def inflict(changes: Changes, who: str, condition: str, level: Number, rule: str) -> None:
    """POOL-3: a condition at this level; the higher one stands, and what has no levels is on."""
    more = level.add("level before", -min(level.total, changes.fighter(who).level(condition)), "POOL-3")
    changes.begin(who, condition, rule, more if CONDITIONS[condition].levels else True)


ALIVE = lacks("dead", "POOL-37", "{who} is dead already", of="target", code="already_dead", final=True)

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


def heal_setup(scene: Scene, intent: Intent) -> Setup:
    """POOL-39: first aid, with an item that heals if there is one; POOL-37: the dying are stabilised."""
    fighter, patient = scene.fighters[intent.actor], scene.fighters[intent.patient]
    item, used = aid_in_use(
        intent, fighter, lambda one: "heals" in one, "POOL-39", "the {item} does not heal"
    )
    level = patient.level("dying")
    skills = ("first-aid", "medicine") if level else ("first-aid",)
    best = max(skills, key=lambda one: value_of(fighter.sheet, one)[0])
    roll = skill_roll(scene, intent, "heal", best)
    known = fighter.sheet["items"].get(item, {}).get("heals", {"boost": 1, "wounds": 0})
    dice = (roll.dice, max(1, level), level > 0)
    return Setup(dice, roll.modifiers, (*roll.costs, *used), item, known=known)


def heal(table: RuleTable, setup: tuple[PoolRoll, int, bool]) -> HealResult:
    """POOL-39: one success is enough; POOL-37: of the dying, who are stabilised, as many as the level."""
    roll, needs, dying = setup
    asks = "A success saves the patient from death." if dying else ""
    found, used = roll_pool(table, "heal", roll, counted, needs, asks)
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
        for pool, by in (("boost", setup.known["boost"]), ("wounds", -setup.known["wounds"])):
            changes.adjust(patient, pool, changes.number("POOL-39").add("first aid", by), "POOL-39")
        changes.end(patient, "bleeding", "POOL-39")


HEAL = heal_action(
    "Give first aid", "POOL-39", heal_setup, heal_effects, heal, ONE, ("item", *SPENDING)
)._replace(
    counts="successes",
    choices=luck_spent,
    candidates=patient_candidates("heal", lambda one: one.pools["wounds"] > 0 or one.has("bleeding")),
    requires=(ALIVE, within(1, "POOL-39", "treating")),  # a reading
)

# Resting


def no_crisis(scene: Scene, intent: Intent) -> None:
    """POOL-39: a rest takes six hours."""
    if scene.open:
        what = "a rest takes six hours: not in a crisis"
        refuse(intent, what, "POOL-39", "end it first: crisis end", code="open")


class RestResult(NamedTuple):
    """What a rest came to."""

    success: bool
    healed: int
    repaid: tuple[str, ...] = ()


def rest_setup(scene: Scene, intent: Intent) -> Setup:
    """POOL-39: six hours, and so not in a crisis; what is spent on the roll (POOL-7) is there again afterwards."""
    patient = scene.fighters[intent.patient]
    dice = Modifiers("rest dice", "POOL-1")
    for skill in ("resistance", "endurance", "willpower"):
        dice.extend(dice_of(patient, "rest", skill, free=True))
    minimum = minimum_of(patient, "rest", "rest", free=True)
    minimum.add("difficulty", intent.get("difficulty") or 0, "POOL-5", "--difficulty").asked(intent, sign=-1)
    own = intent._replace(actor=patient.name)
    for cost in spent(scene, own):
        must_have(intent, patient, cost.pool, cost.amount, cost.rule)
    roll = roll_of(scene, patient.name, dice, Scale(minimum.total), intent.options)
    return Setup(roll, lines_of(dice, minimum))


def rest(table: RuleTable, roll: PoolRoll) -> RestResult:
    """POOL-39: a wound less for each success."""
    found = roll_pool(table, "rest", roll, counted).found
    return RestResult(found > 0, found)


def rest_effects(changes: Changes, intent: Intent, setup: Setup, outcome: RestResult) -> None:
    """POOL-39: wounds heal, boosts are gone, and the dice to spend are there again."""
    who = setup.dice.who
    healed = changes.number("POOL-39").add("successes", -outcome.healed)
    changes.adjust(who, "wounds", healed, "POOL-39")
    patient = changes.fighter(who)
    for pool, rested in {"boost": 0, **{pool: patient.full(pool) for pool in POOLS.values()}}.items():
        more = changes.number("POOL-39").add("rest", rested - patient.pools[pool])
        changes.adjust(who, pool, more, "POOL-39")


RESTING = Action(
    "Rest for six hours",
    "POOL-39",
    rest_setup,
    rest_effects,
    rest,
    window="table",
    targets="patient",
    requires=(ALIVE, lacks("dying", "POOL-39", "{who} is dying", of="target", final=True), no_crisis),
    words=("rested", "rested"),
    options=("rest", *SPENDING),
    says="{target} rests for six hours",
)

# What the start of a round brings

SKILL = {
    "dying": ("resistance", "death"),
    "unconscious": ("willpower", "unconsciousness"),
    "shocked": ("endurance", "shock"),
    "bleeding": ("endurance", "bleeding"),
    "poisoned": ("resistance", "poison"),
}
"""The skill to withstand each condition, and what that is, in the order of the rolls (POOL-37, POOL-38)."""
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
        for condition, (skill, cause) in SKILL.items():
            if fighter.has(condition) and not fighter.gone:
                roll, more = forced_roll(scene, name, "resist", skill, cause, free=True)
                trials.append((condition, fighter.level(condition), roll))
                lines += more
        if trials:
            found.append((name, hearts(fighter), tuple(trials)))
    return Setup(tuple(found), lines_of(*lines))


def round_rule(table: RuleTable, patients: tuple[Patient, ...]) -> RoundResult | None:
    """Every trial in its order."""
    found = [(patient[0], *table.ask(withstand, patient)) for patient in patients]
    withstood = tuple((who, *one) for who, held, _ in found for one in held)
    return RoundResult(withstood, tuple((who, used) for who, _, used in found if used)) if found else None


def withstand(table: RuleTable, patient: Patient) -> tuple[tuple[tuple[str, int], ...], tuple[str, ...]]:
    """What a fighter withstood, by condition, and what was spent on it; one who bleeds to death rolls no more."""
    _, wounds_left, trials = patient
    found: list[tuple[str, int]] = []
    used: tuple[str, ...] = ()
    for condition, level, roll in trials:
        needs = level if condition == "unconscious" else 1
        left = roll._replace(luck=without(roll.luck, used))
        asks = failing(roll.who, level) if condition == "dying" else ""
        count, more = table.ask(roll_pool, "resist", left, counted, needs, asks)
        held, used = min(1 if condition in ("dying", "bleeding") else level, count), (*used, *more)
        if condition == "unconscious":
            table.result(difficulty=needs)
        found.append((condition, held))
        if condition == "bleeding" and not held and level >= wounds_left:
            break
    return tuple(found), used


def failing(who: str, level: int) -> str:
    """POOL-37: what a failure to resist death is to somebody who is dying at a level, as a sentence."""
    return f"A failure is dying {level + 1} of {DEATH}." if level + 1 < DEATH else f"A failure kills {who}."


def round_effects(changes: Changes, intent: Intent, setup: Setup, outcome: RoundResult | None) -> None:
    """POOL-37, POOL-38: what is not withstood takes its course."""
    for who, condition, held in outcome.withstood if outcome else ():
        level = changes.fighter(who).level(condition)
        if condition == "dying" and level and not held:
            worsen(changes, who, changes.number("POOL-37").add("death not resisted", 1))
        elif condition == "bleeding" and level and not held:
            wound(changes, who, changes.number("POOL-38").add("bleeding", level), "POOL-38")
        elif condition in ("unconscious", "shocked", "poisoned") and held >= level:
            changes.end(who, condition, "POOL-38")
        elif condition in ("shocked", "poisoned") and held:
            changes.begin(who, condition, "POOL-38", changes.number("POOL-38").add("resisted", -held))
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

# Attacks

AIM, ACCURATE, RECOIL, SUPPORTED = "aim", "accurate", "recoil", "supported"
"""Marks: what is built up before an attack."""
RAISED = "raised"
"""The mark of a shield held up: the round from which on it covers (POOL-23)."""
STOLEN = "stolen"
"""The mark of actions that the next refresh lacks (POOL-15)."""
DEFENCES = ("dodge", "parry", "shield")
"""POOL-14: the reactions of a target to hits."""
WOUNDS, KNOCKOUT, DISARM = "wounds", "knockout", "disarm"
"""What the hits are meant to do."""
RESISTED = {KNOCKOUT: (("resistance",), "the knock-out"), DISARM: (("strength", "deftness"), "disarming")}
"""What the target resists with, the better of them, and how the roll is called (POOL-31, POOL-33)."""
THING = "object"
"""What is thrown where there is no weapon for it (POOL-40)."""

# What an attack is made with


class Attacking(NamedTuple):
    """What an attack is made with, looked up once; its purpose is WOUNDS, KNOCKOUT or DISARM."""

    name: str
    weapon: Weapon
    mode: str
    purpose: str = WOUNDS


def attacking(scene: Scene, intent: Intent) -> Attacking:
    """POOL-16, POOL-18: the weapon of an attack, in hand in a crisis, and its use: as asked for, else as usual."""
    fighter = scene.fighters[intent.actor]
    name = weapon_name(fighter, intent)
    if name in fighter.sheet["weapons"]:
        in_hand(scene, intent, name, "POOL-12", "ready")
        weapon = fighter.sheet["weapons"][name]
    else:
        # POOL-29: with quickness above 2 one die more, with strength above 2 piercing 1.
        quick, strong = (value_of(fighter.sheet, one)[0] > 2 for one in ("quickness", "strength"))
        bare = {**UNARMED, "damage_potential": int(quick), "piercing": int(strong)}
        weapon = bare if name == "unarmed" else UNARMED
    modes = modes_of(weapon)
    mode: str = "throw" if intent.action == "throw" else intent.get("mode") or modes[0]
    if mode not in modes:
        can = f"it can {', '.join(modes)}"
        refuse(intent, f"the {name} has no mode {mode}", "POOL-18", can, final=True, code="unknown_name")
    if fighter.has("stuck") and name != "unarmed" and mode == "melee":
        free = f"pull it free: crisis act {slug(fighter.name)} free-weapon"
        refuse(intent, f"the {name} of {fighter.name} is stuck", "POOL-24", free, code="condition_forbids")
    return Attacking(name, weapon, mode)


def weapon_name(fighter: Fighter, intent: Intent) -> str:
    """The weapon of an attack: as asked for, else in hand, else `unarmed`; of a throw one for that, else an object."""
    weapons, held = fighter.sheet["weapons"], weapons_held(fighter)
    name: str = intent.get("weapon") or ""
    if not name and intent.get("off_hand"):
        if len(held) < 2:
            what = f"{fighter.name} has nothing in the other hand"
            refuse(intent, what, "POOL-34", final=True, code="not_in_hand")
        name = held[1]
    if not name and intent.action == "throw":
        name = next((one for one in (*held, *weapons) if "throw" in modes_of(weapons[one])), THING)
    name = name or (held[0] if held else "unarmed")
    if name not in (*weapons, "unarmed", THING):
        what = f"{fighter.name} has no weapon called {name!r}"
        refuse(intent, what, "POOL-3", final=True, code="unknown_name")
    return name


def weapons_held(fighter: Fighter) -> tuple[str, ...]:
    """The weapons in hand, the main hand first."""
    return tuple(one for one in fighter.held if one in fighter.sheet["weapons"])


def paired(fighter: Fighter) -> bool:
    """POOL-34: two weapons of one kind in hand, each for one hand."""
    held = [fighter.sheet["weapons"][one] for one in weapons_held(fighter)]
    return (
        len(held) == 2 and all(one["hands"] == 1 for one in held) and len({one["skill"] for one in held}) == 1
    )


def in_next_turn(fighter: Fighter, number: Number) -> Number:
    """POOL-11: the actions that a turn gives: those of the sheet, with circumstance (ALL-6), and one more with a pair
    of weapons (POOL-34); none to the dying (POOL-37)."""
    if unable(CONDITIONS, fighter)[0] in ("dead", "dying"):
        return number
    usual, more = fighter.sheet["actions"], fighter.sheet["circumstance"].get("actions", 0)
    number.add("renewed", usual).add("circumstance", more, "ALL-6")
    number.add("two weapons", paired(fighter), "POOL-34")
    return number.add("limit", max(0, -(usual + more + paired(fighter))))


def actions_a_turn(fighter: Fighter) -> int:
    """How many actions a turn gives, before any are stolen (POOL-15)."""
    return in_next_turn(fighter, Number("POOL-11")).total


def is_firearm(weapon: Weapon, mode: str) -> bool:
    """Whether a mode of a weapon is that of a firearm: it fires, and is no bow (POOL-19)."""
    return mode in ("single", "burst") and not weapon["bow"]


def is_off_hand(fighter: Fighter, name: str) -> bool:
    """POOL-34: whether a weapon is the second of a pair in hand."""
    return paired(fighter) and weapons_held(fighter)[1] == name


def shield_of(fighter: Fighter) -> int:
    """POOL-23: the cover of the shield in hand; 0 without one, or with a weapon for two hands."""
    weapons = fighter.sheet["weapons"]
    if SHIELD not in fighter.held or any(weapons[one]["hands"] > 1 for one in weapons_held(fighter)):
        return 0
    return int(fighter.sheet.get("shield", {"cover": 0})["cover"])


def rounds(scene: Scene, intent: Intent, using: Attacking) -> tuple[Cost, ...]:
    """POOL-18: the rounds that an attack takes; Refused where the weapon has been thrown away."""
    pool, pools = f"ammo:{using.name}", scene.fighters[intent.actor].pools
    needed = {"single": 1, "burst": 3, "throw": 1}.get(using.mode)
    if pool not in pools:
        return ()
    if needed is None and not pools[pool]:
        what = f"the {using.name} of {intent.actor} has been thrown"
        refuse(intent, what, "POOL-18", "use another weapon", code="used_up")
    return (Cost(pool, needed, rule="POOL-18"),) if needed else ()


# The hit roll


def hit_setup(scene: Scene, intent: Intent, using: Attacking) -> Setup:
    """The hit roll with all that goes into it, and the actions, rounds and dice that it takes."""
    fighter, name, weapon, mode = scene.fighters[intent.actor], using.name, using.weapon, using.mode
    firearm = is_firearm(weapon, mode)
    dice = dice_of(fighter, "attack", SKILL_OF[mode])
    dice.add(name, weapon["damage_potential"], "POOL-16", f"weapons.{name}")
    dice.add("burst", 2 * (mode == "burst"), "POOL-18", "--mode burst")
    minimum = minimum_of(fighter, "attack", SKILL_OF[mode])
    far(minimum, scene, intent, using)
    off = bool(intent.get("off_hand")) or is_off_hand(fighter, name)
    minimum.add("off hand", int(off), "POOL-34", name)
    asked(minimum, scene, intent)
    kick = max(0, 2 - weapon.get("recoil_compensation", 0)) * fighter.marks.get(RECOIL, 0) * firearm
    minimum.add("recoil", kick, "POOL-19")
    massive = count_of(intent, "massive")
    if massive and mode != "melee":
        what = "only a blow can be massive"
        refuse(intent, what, "POOL-32", "--mode melee", final=True, code="conflicting_options")
    capped(dice, fighter, "massive", 3 * massive, "strength", "POOL-32", "--massive")
    rests, supports = bool(fighter.marks.get(f"{SUPPORTED}:{name}")), bool(intent.get("supported"))
    if supports and not firearm:
        what, hint = f"the {name} cannot be supported", "firearms can, bows cannot"
        refuse(intent, what, "POOL-35", hint, final=True, code="wrong_item")
    minimum.add("supported", -(rests or supports), "POOL-35")
    minimum.add("disarming", 2 * (using.purpose == DISARM), "POOL-33", "--disarm")
    if intent.get(AIM) and intent.get(ACCURATE):
        what = "nothing else is done while taking one's time, aiming neither"
        refuse(intent, what, "POOL-30", final=True, code="conflicting_options")
    time = count_of(intent, ACCURATE)
    taken = -fighter.marks.get(ACCURATE, 0) - time
    if gained := capped(minimum, fighter, ACCURATE, taken, "perception", "POOL-30"):
        minimum.add("never below 2", max(0, min(2 - minimum.total, -gained)), "POOL-30")
    threshold = Modifiers("critical", "POOL-17").base("threshold", CRITICAL).add("recoil", kick, "POOL-19")
    aims = count_of(intent, AIM)
    if mode != "burst":
        taken = -2 * (fighter.marks.get(AIM, 0) + aims)
        capped(threshold, fighter, AIM, taken, "perception", "POOL-20")
    elif aims:
        what = f"the {name} cannot be aimed in bursts"
        refuse(intent, what, "POOL-18", "--mode single", final=True, code="conflicting_options")
    scale = Scale(minimum.total, NEVER if mode == "burst" else threshold.total)
    roll = roll_of(scene, intent.actor, dice, scale, intent.options)
    puts = int(supports and not rests)
    actions = {"POOL-32": massive, "POOL-35": puts, "POOL-30": time, "POOL-20": aims}
    costs = (
        *(Cost("actions", count, rule=rule) for rule, count in actions.items() if count),
        *rounds(scene, intent, using),
        *spent(scene, intent),
    )
    return Setup(roll, lines_of(dice, minimum, threshold), costs, name, known=using)


def far(minimum: Modifiers, scene: Scene, intent: Intent, using: Attacking) -> None:
    """POOL-21: up to the range nothing, up to twice it harder by 2, beyond it refused."""
    distance = target_distance(scene, intent)
    reaches: int | None = using.weapon.get("range", 1 if using.mode == "melee" else None)
    if distance is None or reaches is None or distance <= reaches:
        return
    if distance > 2 * reaches:
        limit = f"the {using.name} reaches {reaches} m, {2 * reaches} m at most"
        what = f"{intent.target} is {distance} m away; {limit}"
        closer = f"go closer: crisis act {slug(intent.actor)} run toward {slug(intent.target)}"
        refuse(intent, what, "POOL-21", closer, code="out_of_reach")
    minimum.add("distance", 2, "POOL-21", f"{distance} m at {reaches} m")


def capped(
    found: Modifiers, fighter: Fighter, name: str, worth: int, limit: str, rule: str, source: str = ""
) -> int:
    """Add what actions were spent on, no more than a skill or attribute of the fighter either way; gives that."""
    most = max(0, value_of(fighter.sheet, limit)[0])
    counts = max(-most, min(most, worth))
    if worth:
        found.base(name, counts, rule, source if counts == worth else f"{limit} {most}")
    return counts


def attack_setup(scene: Scene, intent: Intent, before: tuple[Setup, ...]) -> Setup:
    """An attack with a weapon (POOL-16); refused where reach, mode, rounds or manner forbid it."""
    target = scene.fighters[intent.target]
    if target.has("dead"):
        refuse(intent, f"{target.name} is dead already", "POOL-37", code="already_dead")
    using = attacking(scene, intent)
    knocks_out, disarms = bool(intent.get("knockout")), bool(intent.get("disarm"))
    if knocks_out and disarms:
        what = "one blow cannot knock out and disarm"
        refuse(intent, what, "POOL-31", final=True, code="conflicting_options")
    if knocks_out and not using.weapon["blunt"]:
        hint = "use something blunt, or --weapon unarmed"
        refuse(intent, f"the {using.name} is not blunt", "POOL-31", hint, code="wrong_item")
    using = using._replace(purpose=KNOCKOUT if knocks_out else DISARM if disarms else WOUNDS)
    if disarms and not weapons_held(target):
        refuse(intent, f"{target.name} holds no weapon", "POOL-33", final=True, code="not_in_hand")
    return hit_setup(scene, intent, using)


def hit_roll(table: RuleTable, roll: PoolRoll | tuple[PoolRoll]) -> Rolled[Graded] | Rolled[int]:
    """POOL-16: the hit roll; POOL-40: of an object, in a tuple of its own, a roll that is no attack (POOL-6)."""
    if isinstance(roll, PoolRoll):
        return roll_pool(table, "attack", roll, scored)
    return roll_pool(table, "throw", roll[0], counted)


# What the target can do


def interrupted_record(outcome: Interrupted) -> Mapping[str, Any]:
    """An attack or another action that was answered, as the record holds it."""
    lost = outcome.deed if outcome.lost else None
    toll = getattr(lost, "toll", DamageResult(0))
    return {
        "success": outcome.success,
        "total": outcome.total,
        "criticals": outcome.criticals,
        "deed": None if outcome.lost else outcome.deed,
        "tolls": tuple(one.toll._replace(spent=one.repaid) for one in outcome.others if one is not None),
        "lost": outcome.lost,
        "reaction": toll.reaction,
        "repaid": getattr(lost, "repaid", ()),
        "bought": toll.bought,
        "spent": toll.spent,
    }


REACTIONS = Reactions("actions", "POOL-14", rolls=("attack",), keeps=(SUPPORTED,), record=interrupted_record)
"""POOL-13, POOL-14: a kept action is a reaction, once to each action of others; one in a one-off (a reading)."""
Units = tuple[int, ...]
"""A number for each kind of protection."""
Dial = tuple[tuple[float, float], float, float]
"""The dial laid round the target of a throw: where its middle is, and how far east and north its 12 points."""
NONE: Units = (0,) * len(PROTECTION)


class DefenceSetup(NamedTuple):
    """What the dice of the target depend on; what it cannot do is None or 0."""

    who: str
    units: Units
    """Protection by kind (POOL-24)."""
    usable: int
    """How many of the units are used at most."""
    piercing: int
    demonic: bool
    """Whether the hits are of demonic origin."""
    each: int = 1
    """Wounds of each hit (POOL-26)."""
    most: int = 9999
    """Wounds beyond these make no difference."""
    cover: int = 0
    shield: int = 0
    dodge: PoolRoll | None = None
    parry: PoolRoll | None = None
    purpose: str = WOUNDS
    resist: PoolRoll | None = None
    buys: tuple[str, ...] = ()
    """The dice that can buy the action for a reaction, where none is kept (POOL-15); the player is asked."""

    def after(self, used: tuple[str, ...]) -> DefenceSetup:
        """The same once dice and re-rolls have been spent in these ways."""
        if not used:
            return self
        rolls = {name: getattr(self, name) for name in ("dodge", "parry", "resist")}
        left = {name: roll and roll._replace(luck=without(roll.luck, used)) for name, roll in rolls.items()}
        return self._replace(**left)

    @property
    def after_reaction(self) -> DefenceSetup:
        """What still matters once the target has reacted."""
        return self._replace(cover=0, shield=0, dodge=None, parry=None, buys=())


def defence_setup(scene: Scene, intent: Intent, before: tuple[Setup, ...]) -> Setup:
    """What stands between the hits and the target, and as `known` the scene that it holds for; nothing does against an
    object (POOL-40). Refused where `--react` names what the target cannot do."""
    using: Attacking | None = before[0].known
    if using is None:
        return Setup(None)
    target, weapon = scene.fighters[intent.target], using.weapon
    who, name, force = target.name, using.name, wounds_per_hit(intent, using)
    pierces = Modifiers("piercing", "POOL-25").add(name, weapon["piercing"], source=f"weapons.{name}")
    setup = shielded_by(scene, intent, target, weapon)._replace(
        each=max(0, force.total), purpose=using.purpose, buys=buying(scene, intent)
    )
    shelter = Modifiers("cover", "POOL-22").shelter(scene, intent, who, f"{setup.cover}+")
    lines = [force, pierces, shelter]
    skills, cause = RESISTED.get(using.purpose, ((), ""))
    if forced := [forced_roll(scene, who, "resist", skill, cause) for skill in skills]:
        resist, more = max(forced, key=lambda pair: pair[0].dice)
        setup, lines = setup._replace(resist=resist), [*lines, *more]
    barred = {one: unable_to(scene, intent, target, using.mode, one, setup.buys) for one in DEFENCES}
    wanted = intent.get("react", "none")
    if wanted in barred and barred[wanted][0]:
        refuse(intent, *barred[wanted], "let it be: --react none", code="cannot_react")
    # In the target's own turn an action can still follow the walk.
    walked = int(bool(target.marks.get(WALKED)) and who not in scene.acting)
    if not barred["dodge"][0] or wanted == "dodge":
        dice = Modifiers("dodge dice", "POOL-27", who)
        dice.base("evasion", evasion_of(target), "POOL-2", "evasion")
        dice.add("shocked", -target.level("shocked"), "POOL-38", "condition")
        minimum = minimum_of(target, "dodge", "dodge", against=who).add("walking", walked, "POOL-12")
        setup = setup._replace(dodge=roll_of(scene, who, dice, Scale(minimum.total)))
        lines += (dice, minimum)
    if not barred["parry"][0]:
        with_, potential = parries_with(scene, intent, target) or ("", 0)
        dice = dice_of(target, "parry", "hand-to-hand", against=who)
        dice.add(with_, potential, "POOL-3", f"weapons.{with_}")
        minimum = minimum_of(target, "parry", "hand-to-hand", against=who).add("walking", walked, "POOL-12")
        minimum.add("off hand", int(is_off_hand(target, with_)), "POOL-34", with_)
        setup = setup._replace(parry=roll_of(scene, who, dice, Scale(minimum.total, CRITICAL)))
        lines += (dice, minimum)
    if not barred["shield"][0]:
        setup = setup._replace(shield=shield_of(target))
    return Setup(setup, lines_of(*lines), known=scene)


COVERS = ("4+", "5+", "6+")
"""POOL-22: the levels of cover; none of them helps against a foe who has come within 1 m (a reading)."""


def shielded_by(scene: Scene, intent: Intent, target: Fighter, weapon: Weapon) -> DefenceSetup:
    """What meets hits whatever the target does: cover (POOL-22), and protection, no more than is left (POOL-24)."""
    units = tuple(target.pools.get(f"protection:{kind}", 0) for kind in PROTECTION)
    usable = count_of(intent, "protection", "POOL-24", sum(units), 0, sum(units))
    found = scene.cover(target.name, intent.actor, 1, dict.fromkeys(COVERS, "none"))
    given = intent.get("cover") or found.level
    covers = [int(given[0])] if given != "none" else []
    if target.has("hunkered"):
        covers.append(6)
    if target.has("blocking") and scene.round >= target.marks.get(RAISED, 0) and shield_of(target):
        covers.append(shield_of(target))
    wounds_left, cover = hearts(target) if hearts(target) > 0 else DEATH, min(covers, default=0)
    return DefenceSetup(
        target.name, units, usable, weapon["piercing"], weapon["demonic"], 1, wounds_left, cover
    )


def wounds_per_hit(intent: Intent, using: Attacking) -> Modifiers:
    """POOL-26: the wounds of each hit with a weapon; below 0 they count as 0."""
    found = Modifiers("wounds per hit", "POOL-26")
    found.base(using.name, using.weapon["wounds"], source=f"weapons.{using.name}")
    return found.asked(intent, "mod_damage")


def buying(scene: Scene, intent: Intent) -> tuple[str, ...]:
    """POOL-15: the dice with which the player may buy the target an action for a reaction, where none is kept.

    A destiny die steals it from the attacker, who must have one left to lose (none left: refused, a reading).
    """
    target, attacker = scene.fighters[intent.target], scene.fighters[intent.actor]
    asks = scene.asks(intent.target) and intent.get("react") in (None, "ask")
    if not asks or REACTIONS.left(scene, target) > 0:
        return ()
    luck = dict(luck_of(target))
    now = attacker.name in scene.acting
    can_steal = attacker.pools["actions"] > 0 if now else not all_stolen(attacker)
    ways = (BONUS, DESTINY) if can_steal and attacker.side != target.side else (BONUS,)
    return tuple(way for way in ways if luck.get(POOLS[way]))


def all_stolen(fighter: Fighter) -> bool:
    """POOL-15: whether no action of the next refresh is left to be stolen."""
    return fighter.marks.get(STOLEN, 0) >= actions_a_turn(fighter)


def theft(scene: Scene, victim: str) -> Charge:
    """POOL-15: an action of an opponent's goes, in its own turn of what it has, else of its next refresh."""
    if victim in scene.acting:
        return Charge(victim, (Cost("actions", rule="POOL-15"),))
    return Charge(victim, mark=STOLEN, rule="POOL-15")


def unable_to(
    scene: Scene, intent: Intent, target: Fighter, mode: str, reaction: str, buys: tuple[str, ...]
) -> tuple[str, str]:
    """Why the target cannot react so, and the rule; two empty words where it can."""
    who, (idle, idle_rule) = target.name, unable(CONDITIONS, target)
    dodges, parries, shields = (reaction == one for one in DEFENCES)
    reasons = (
        (who in intent.get("unaware", ()), f"{who} does not perceive the attack", "POOL-14"),
        (idle, f"{who} is {idle}", idle_rule),
        (REACTIONS.left(scene, target) < 1 and not buys, f"{who} has no action left", "POOL-14"),
        (shields and not shield_of(target), f"{who} holds no shield", "POOL-23"),
        (not shields and mode != "melee", f"only a blow can be answered with {reaction}", "POOL-18"),
        (parries and target.has("stuck"), f"the weapon of {who} is stuck", "POOL-24"),
        (dodges and intent.get("behind"), f"{who} cannot dodge what comes from behind", "POOL-27"),
        (parries and not parries_with(scene, intent, target), f"{who} has no melee weapon ready", "POOL-28"),
    )
    return next(((why, rule) for holds, why, rule in reasons if holds), ("", ""))


def parries_with(scene: Scene, intent: Intent, target: Fighter) -> tuple[str, int] | None:
    """POOL-28: the melee weapon in hand (one-off: or not), else what the GM allows; with its dice."""
    weapons, held = target.sheet["weapons"], weapons_held(target)
    at_hand = [one for one in (held if scene.open else weapons) if not is_thrown_away(target, one)]
    ready = [one for one in at_hand if "melee" in modes_of(weapons[one])]
    named = intent.get("react_weapon")
    if named and named not in ready:
        return None if named in weapons else (named, 0)
    name = named or next((one for one in held if one in ready), "")
    return (name, weapons[name]["damage_potential"]) if name else None


# What the target does


class ReactionResult(NamedTuple):
    """What the target's reaction leaves of the hits, of which it stops the worst (a reading)."""

    normal: int
    critical: int
    cover: int
    """The cover against them, 0 for none (POOL-22)."""
    spent: tuple[str, ...] = ()
    """What went into its roll (POOL-7)."""
    reaction: str = ""
    bought: str = ""
    """The die that bought the action for it (POOL-15)."""


class DamageResult(NamedTuple):
    """What an attack comes to for its target."""

    harm: int
    """Wounds; the level of unconsciousness; 1 for a weapon lost."""
    past: bool = False
    """Whether a hit got past parry, dodge and cover (POOL-20)."""
    through: bool = False
    """Whether a hit was left in the end (POOL-3)."""
    used: Units = NONE
    worked: Units = NONE
    """Of the units used those that piercing did not swallow (POOL-25)."""
    reflected: int = 0
    reaction: str = ""
    bought: str = ""
    spent: tuple[str, ...] = ()
    """On the rolls of reacting and resisting (POOL-7)."""

    @property
    def worn(self) -> int:
        """How many units of protection are used up (POOL-24)."""
        return sum(self.used)


def react(table: RuleTable, setup: DefenceSetup | None, rolled: Rolled[Graded]) -> ReactionResult | None:
    """POOL-14: the reaction that the target chooses by what is announced of the hits; None where there are none, and of
    an object."""
    hits = rolled.found
    if not setup or not hits.count:
        return None
    able = [name for name in DEFENCES if getattr(setup, name)]
    ways = {f"{name}-{die}" if die else name: (name, die) for name in able for die in setup.buys or ("",)}
    wears, counts = "protection", "wounds" if setup.purpose == WOUNDS else "harm"
    options = [Alternative("none", priced, (setup, hits, "none"), wears=wears, counts=counts)]
    for option, (name, die) in ways.items():
        args, pays = (setup.after((die,) if die else ()), hits, name), PRICES.get(die, "action")
        options.append(
            Alternative(option, priced, args, 1, willed=bool(die), pays=pays, wears=wears, counts=counts)
        )
    taken = table.choose(setup.who, tuple(options))
    setup, hits, way = taken.args
    name, die = ways.get(taken.name, ("", ""))
    faced: ReactionResult = table.ask(WAYS[way], setup, hits)
    return faced._replace(reaction=name, bought=die)


def priced(table: RuleTable, setup: DefenceSetup, hits: Graded, way: str) -> DamageResult:
    """What hits come to if the target reacts in this way."""
    return table.ask(inflicted, setup.after_reaction, hits.without(HIT), table.ask(WAYS[way], setup, hits))


def borne(table: RuleTable, setup: DefenceSetup, hits: Graded) -> ReactionResult:
    """Nothing is done about it."""
    return ReactionResult(hits.of(HIT), criticals(hits), setup.cover)


def dodged(table: RuleTable, setup: DefenceSetup, hits: Graded) -> ReactionResult:
    """POOL-27: evasion, harder by every hit; one success and none of them counts."""
    assert setup.dodge is not None
    scale = Scale(setup.dodge.scale.minimum + hits.count)
    found, used = table.ask(roll_pool, "dodge", setup.dodge._replace(scale=scale), counted)
    faced = ReactionResult(0, 0, 0) if found else borne(table, setup, hits)
    return faced._replace(spent=used)


def parried(table: RuleTable, setup: DefenceSetup, hits: Graded) -> ReactionResult:
    """POOL-28: each success stops a hit; critical ones stop critical hits first, and nothing else does."""
    assert setup.parry is not None
    parry, used = table.ask(roll_pool, "parry", setup.parry, scored)
    worst = min(criticals(parry), criticals(hits))
    others = min(hits.of(HIT), parry.count - worst)
    table.result(stopped=worst + others, left=hits.count - worst - others)
    normal = table.plus(hits.of(HIT), "parry", -others, "POOL-28")
    left = table.plus(criticals(hits), "parry", -worst, "POOL-28")
    return ReactionResult(normal, left, setup.cover, spent=used)


def shielded(table: RuleTable, setup: DefenceSetup, hits: Graded) -> ReactionResult:
    """POOL-23: the shield is cover against this one attack; of several the best counts (POOL-22)."""
    return borne(table, setup, hits)._replace(cover=min(setup.shield, setup.cover or setup.shield))


WAYS = {"none": borne, "dodge": dodged, "parry": parried, "shield": shielded}
"""What can be done about hits, by the name of the reaction."""


# What is left of the hits


def damage_setup(scene: Scene, intent: Intent, before: tuple[Setup, ...]) -> Setup:
    """The defence as it is after all reactions; of an object where it can land."""
    hit, defence = before
    if hit.known and defence.known is not scene:
        defence = defence_setup(scene, intent, before)
    dial = dial_of(scene, intent) if not hit.known or hit.known.mode == "throw" else None
    return Setup((intent.actor, defence.dice, dial))


def damage(
    table: RuleTable,
    setup: tuple[str, DefenceSetup | None, Dial | None],
    rolled: Rolled[Any],
    faced: ReactionResult | None,
) -> AttackResult:
    """What cover and protection leave; POOL-40: an object needs one success; POOL-41: where a missed throw goes."""
    (who, defence, dial), (hits, used) = setup, rolled
    if defence and faced:
        met = faced._replace(reaction="", bought="")
        toll = table.ask(inflicted, defence.after_reaction, hits.without(HIT), met)
        toll = toll._replace(reaction=faced.reaction, bought=faced.bought)
        return AttackResult(True, hits.count, criticals(hits), toll, repaid=used)
    found = 0 if defence else hits
    landing = table.ask(deviation, who) if dial and not found else (0, 0)
    return AttackResult(found > 0, found, 0, landing=landing, repaid=used)


def inflicted(table: RuleTable, setup: DefenceSetup, critical: Graded, faced: ReactionResult) -> DamageResult:
    """POOL-37: what hits come to, as `endured`, where wounds beyond the last make no difference."""
    toll: DamageResult = table.ask(endured, setup._replace(most=0), critical, faced)
    if setup.purpose == WOUNDS and toll.harm > setup.most:
        toll = toll._replace(harm=table.plus(toll.harm, "limit", setup.most - toll.harm, "POOL-37"))
    return toll


def endured(table: RuleTable, setup: DefenceSetup, critical: Graded, faced: ReactionResult) -> DamageResult:
    """POOL-22: a cover die for each critical hit that is left, then for each normal one; then protection and wounds.

    `critical` are all critical hits of the roll. Wounds are not limited yet.
    """
    count, setup = faced.normal + faced.critical, setup.after(faced.spent)
    left = covered(table, setup.who, faced.cover, faced.critical, "critical hits")
    normal = covered(table, setup.who, faced.cover, faced.normal, "normal hits")
    hits = normal + left
    if faced.cover and count:
        table.result(stopped=count - hits, left=int(hits))
    if not hits:
        return DamageResult(0, spent=faced.spent)
    if setup.purpose == DISARM:
        found, used = resisted(table, setup, hits)
        return DamageResult(int(found < hits), True, spent=faced.spent + used)
    normal, left, toll = protect(setup, normal, left)
    count, pierced = normal + left, sum(toll.used) - sum(toll.worked)
    harm = table.plus(hits, "protection", count - hits - pierced, "POOL-24")
    harm = table.plus(harm, "piercing", pierced, "POOL-25")
    if setup.purpose == KNOCKOUT:
        found, used = resisted(table, setup, count) if toll.through else (0, ())
        harm = table.plus(harm, "resisted", -min(found, count), "POOL-31")
        return toll._replace(harm=harm, spent=faced.spent + used)
    harm = table.plus(harm, "wounds per hit", count * (setup.each - 1), "POOL-26")
    harm = table.plus(harm, "mega-critical", table.reveal(critical, left, mega) if left else 0, "POOL-17")
    return toll._replace(harm=harm, spent=faced.spent)


def covered(table: RuleTable, who: str, cover: int, count: int, what: str) -> int:
    """The hits that cover leaves: its dice do not explode, and count once (POOL-22)."""
    if not cover or not count:
        return count
    table.label("cover", who, f"{count}d6", part=what)
    found = table.times(count, covers, cover)
    table.result(target=cover, successes=found)
    return table.plus(count, "cover", -found, "POOL-22")


def covers(table: RuleTable, cover: int) -> int:
    """One cover die."""
    return int(table.die(6) >= cover)


def resisted(table: RuleTable, setup: DefenceSetup, needs: int) -> Rolled[int]:
    """The successes of resisting a knock-out or being disarmed (POOL-31, POOL-33)."""
    assert setup.resist is not None
    found = roll_pool(table, "resist", setup.resist, counted, needs)
    table.result(difficulty=needs)
    return found


SPENT_FIRST = (
    (PROTECTION.index("critical"), "critical", True),
    *((at, kind, False) for at, kind in enumerate(PROTECTION)),
)
"""POOL-24: units in the order in which they are spent, and whether on critical hits or on normal ones."""


def protect(setup: DefenceSetup, normal: int, critical: int) -> tuple[int, int, DamageResult]:
    """POOL-24: the hits left, normal and critical, and what the units did; POOL-25: the first ones stop nothing."""
    left, worked, spent, reflected = [*setup.units], [*NONE], 0, 0
    for at, kind, on_critical in SPENT_FIRST:
        while (critical if on_critical else normal) and left[at] and spent < setup.usable:
            left[at] -= 1
            spent += 1
            if spent <= setup.piercing:
                continue
            worked[at] += 1
            if on_critical:
                critical -= 1
            elif kind == "demonic" and setup.demonic:
                normal = max(0, normal - 3)
            else:
                normal -= 1
                reflected += kind == "reflecting"
    used = tuple(map(sub, setup.units, left))
    return normal, critical, DamageResult(0, True, normal + critical > 0, used, tuple(worked), reflected)


# What an attack comes to


class AttackResult(NamedTuple):
    """What an attack came to: its hits, critical ones included; what they did to the target; the hour and the metres
    of a throw that missed (POOL-41); and what was spent on the roll after it had failed (POOL-7)."""

    success: bool
    total: int
    criticals: int
    toll: DamageResult = DamageResult(0)
    landing: tuple[int, int] = (0, 0)
    repaid: tuple[str, ...] = ()


def attack_result(
    rolled: Rolled[Any], faced: ReactionResult | None = None, outcome: AttackResult | None = None
) -> AttackResult:
    """The outcome; of an attack that was lost what was chosen and spent until then."""
    toll = DamageResult(0)
    if faced is not None:
        toll = toll._replace(reaction=faced.reaction, bought=faced.bought, spent=faced.spent)
    return outcome or AttackResult(False, 0, 0, toll, repaid=rolled.repaid)


def attack_choices(scene: Scene, intent: Intent, setup: Setup, outcome: AttackResult) -> Iterable[Charge]:
    """What the attacker spent on the roll (POOL-7); what the target's reaction took, an action kept or the die that
    bought one (POOL-14, POOL-15), and what it spent on its rolls."""
    toll, target = outcome.toll, intent.target
    yield luck_charge(intent.actor, outcome.repaid)
    if toll.reaction:
        yield Charge(target, () if toll.bought else (Cost("actions", rule="POOL-14"),), reaction=True)
    if toll.bought == DESTINY:
        yield theft(scene, intent.actor)
    bought = (toll.bought,) if toll.bought else ()
    yield luck_charge(target, (*bought, *toll.spent), "POOL-15" if bought else "POOL-7")


def attack_effects(changes: Changes, intent: Intent, setup: Setup, outcome: AttackResult) -> None:
    """What an attack changes: what was built up before it, the weapon, the target; of an object the first alone."""
    using: Attacking | None = setup.known
    if using is None:
        changes.clear_marks(intent.actor, "POOL-20", RECOIL, SUPPORTED)
        return
    use_weapon(changes, intent, using)
    toll = outcome.toll
    suffer(changes, intent.target, using.purpose, toll, using.weapon)
    if toll.worked[PROTECTION.index("sticky")] and using.mode == "melee" and using.name != "unarmed":
        changes.begin(intent.actor, "stuck", "POOL-24")
    if toll.reflected and using.purpose == WOUNDS:
        # POOL-31: a knock-out leaves no wounds, with the attacker neither. Hits that come back go through the
        # attacker's own protection (a reading of POOL-24).
        attacker = changes.fighter(intent.actor)
        armour = shielded_by(changes.scene, Intent("attack"), attacker, using.weapon)
        normal, _, own = protect(armour, toll.reflected, 0)
        use_up(changes, intent.actor, own)
        pierced = sum(own.used) - sum(own.worked)
        harm = changes.number("POOL-24").add("reflected", toll.reflected)
        harm.add("protection", normal - toll.reflected - pierced).add("piercing", pierced, "POOL-25")
        harm.add("wounds per hit", normal * (using.weapon["wounds"] - 1), "POOL-26")
        wound(changes, intent.actor, harm, "POOL-24")


def use_weapon(changes: Changes, intent: Intent, using: Attacking) -> None:
    """POOL-18, POOL-19, POOL-35: recoil adds up, a support stays, the last weapon thrown leaves the hand."""
    fighter, name = changes.fighter(intent.actor), using.name
    kicks = fighter.marks.get(RECOIL, 0) + 1 if is_firearm(using.weapon, using.mode) else 0
    changes.mark(intent.actor, RECOIL, kicks, "POOL-19")
    if intent.get("supported"):
        changes.mark(intent.actor, SUPPORTED, 1, "POOL-35", key=name)
    if using.mode == "throw" and name in fighter.held and not fighter.pools.get(f"ammo:{name}", 0):
        changes.drop(intent.actor, name, "POOL-18")


STOPS = {"bleeding": "bleeding", "poison": "poisoned", "fire": "burning", "shock": "shocked"}
"""POOL-24: the conditions that units of these kinds keep off."""


def suffer(changes: Changes, who: str, purpose: str, toll: DamageResult, weapon: Weapon) -> None:
    """Protection spent, wounds, conditions, aim lost (POOL-3, POOL-20, POOL-24, POOL-26, POOL-31, POOL-33)."""
    use_up(changes, who, toll)
    if toll.past and not toll.reaction:
        changes.mark(who, AIM, 0, "POOL-20")
    if purpose == WOUNDS:
        wound(changes, who, changes.number("POOL-26").from_dice("hits", toll.harm))
        off = {STOPS.get(kind) for kind, count in zip(PROTECTION, toll.worked, strict=True) if count}
        inflicts = weapon["inflicts"]
        for condition in inflicts if toll.through else ():
            if condition not in off:
                level = int(inflicts[condition]) if isinstance(inflicts, Mapping) else 1
                inflict(changes, who, condition, changes.number("POOL-3").add("weapon", level), "POOL-3")
    elif toll.harm and purpose == KNOCKOUT:
        hits = changes.number("POOL-31").from_dice("hits", toll.harm)
        inflict(changes, who, "unconscious", hits, "POOL-31")
    elif toll.harm:
        for lost in weapons_held(changes.fighter(who))[:1]:
            changes.drop(who, lost, "POOL-33")
            changes.mark(who, DROPPED, 1, "POOL-33", key=lost)


def use_up(changes: Changes, who: str, toll: DamageResult) -> None:
    """POOL-24: the pools get smaller by the units that stopped hits; POOL-25: and by those that piercing swallowed."""
    for kind, used, worked in zip(PROTECTION, toll.used, toll.worked, strict=True):
        spent = changes.number("POOL-24").add("stopped", -worked).add("piercing", worked - used, "POOL-25")
        changes.adjust(who, f"protection:{kind}", spent, "POOL-24")


def attack_outputs(scene: Scene, intent: Intent, setup: Setup, outcome: AttackResult) -> Mapping[str, Any]:
    """The mode, the normal hits apart from critical ones (POOL-17), what was of no use, where a throw went."""
    facts = manner(setup, outcome.total - outcome.criticals) if setup.known else {}
    return facts | landed(setup.dice[2][-1], outcome.landing) if outcome.landing[0] else facts


def manner(setup: Setup, normal: int) -> dict[str, Any]:
    """How an attack was made, how many of its hits are normal, and what was capped by which skill."""
    built_up = [one for one in setup.modifiers if one.rule in ("POOL-20", "POOL-30", "POOL-32")]
    over = [[one.name, one.source] for one in built_up if one.source.startswith(("perception", "strength"))]
    return {"mode": setup.known.mode, "normal": normal, **({"surplus": over} if over else {})}


def weapon_candidates(action: str) -> Callable[[Scene, str], Iterator[Intent]]:
    """Offers an attack on every foe with every weapon in hand, in every mode; a throw with those that are thrown."""
    throws = action == "throw"

    def candidates(scene: Scene, who: str) -> Iterator[Intent]:
        weapons = scene.fighters[who].sheet["weapons"]
        held = {name: weapons[name] for name in weapons_held(scene.fighters[who])}
        bare = {} if throws else {"unarmed": UNARMED}
        ways = [(name, mode) for name, weapon in (held or bare).items() for mode in modes_of(weapon)]
        for foe in scene.foes(who):
            for name, mode in ways if not foe.has("dead") else ():
                if (mode == "throw") == throws:
                    options = {"weapon": name} if throws else {"weapon": name, "mode": mode}
                    yield Intent(action, who, (foe.name,), options)

    return candidates


COMMON = (
    *("weapon", "range", "cover", "behind", "mod_damage", "off-hand", "supported", "protection", "unaware"),
    *("react-weapon", AIM, ACCURATE, *SPENDING),
)
ATTACK = Action(
    "Attack with the weapon in hand",
    "POOL-16",
    effects=attack_effects,
    costs=ONE,
    gear="weapons",
    candidates=weapon_candidates("attack"),
    options=(*COMMON, "mode", "massive", "knockout", "disarm"),
    targets="one",
    words=("hit", "miss"),
    counts="hits",
    outputs=attack_outputs,
    reactions=DEFENCES,
    effect_key=lambda outcome: outcome._replace(total=0, criticals=0, landing=(0, 0)),
    phases=(
        Phase(attack_setup, hit_roll),
        Phase(defence_setup, react, by="target"),
        Phase(damage_setup, damage),
    ),
    result=attack_result,
    choices=attack_choices,
    keeps=(RECOIL, SUPPORTED),
    says={
        "": "{actor} attacks {target} with the {gear}",
        "unarmed": "{actor} goes for {target} with bare hands",
        "bare": "{actor} attacks {target}",
    },
)

# Throws


def dial_of(scene: Scene, intent: Intent) -> Dial:
    """12 points straight away from the thrower; without positions the target is 0, 0 and the thrower south of it."""
    here = scene.fighters[intent.actor].at
    there = intent.get("at") or (scene.fighters[intent.target].at if intent.target else None)
    middle = (0.0, 0.0) if there is None else (float(there[0]), float(there[1]))
    if here is None or there is None or tuple(here) == middle:
        return middle, 0.0, 1.0
    east, north = middle[0] - here[0], middle[1] - here[1]
    long = (east**2 + north**2) ** 0.5
    return middle, east / long, north / long


def deviation(table: RuleTable, who: str) -> tuple[int, int]:
    """POOL-41: the hour, a d12, and the metres, a d6; neither explodes (a reading)."""
    table.label("scatter", who, "d12 + d6")
    hour, metres = table.die(12), table.die(6)
    table.result(hour=hour, metres=metres)
    return hour, metres


def landed(dial: Dial, landing: tuple[int, int]) -> dict[str, Any]:
    """How far off it lands, and where, to the centimetre: the hour × 30° clockwise."""
    (x, y), east, north = dial
    hour, metres = landing
    ahead, aside = metres * cos(hour * pi / 6), metres * sin(hour * pi / 6)
    at = [round(one, 2) + 0.0 for one in (x + ahead * east + aside * north, y + ahead * north - aside * east)]
    return {"off": metres, "hour": hour, "at": [int(part) if part == int(part) else part for part in at]}


def throw_setup(scene: Scene, intent: Intent, before: tuple[Setup, ...]) -> Setup:
    """A throwing weapon as an attack (POOL-18); an object where one is named, or where there is no such weapon:
    throwing dice, no range limit (POOL-40), and `known` None."""
    fighter, item = scene.fighters[intent.actor], intent.get("item") or ""
    unnamed = not intent.get("weapon") and weapon_name(fighter, intent) == THING
    if not item and not unnamed:
        if not intent.target:
            what, hint = "a weapon is thrown at somebody", "an object: --item NAME"
            refuse(intent, what, "POOL-18", hint, final=True, code="missing_target")
        return attack_setup(scene, intent, before)
    for option in (AIM, ACCURATE, "off_hand", "supported"):
        if intent.get(option):
            what = f"--{option.replace('_', '-')} is for weapons"
            refuse(intent, what, "POOL-40", final=True, code="conflicting_options")
    setup = skill_roll(scene, intent, "throw", "throwing")
    counted = "uses" in fighter.sheet["items"].get(item, {})
    used = (Cost(f"uses:{item}", rule="POOL-40"),) if counted else ()
    return setup._replace(dice=(setup.dice,), costs=(*setup.costs, *used), gear=item)


THROW = ATTACK._replace(
    title="Throw a weapon or an object",
    rule_id="POOL-40",
    candidates=weapon_candidates("throw"),
    options=(*COMMON, "item", "at"),
    phases=(Phase(throw_setup, hit_roll), *ATTACK.phases[1:]),
    says={"": "{actor} throws the {gear} at {target}", "bare": "{actor} throws something at {target}"},
)

# The coup de grâce


class FinishResult(NamedTuple):
    """What a coup de grâce came to."""

    success: bool
    total: int
    criticals: int
    wounds: int
    repaid: tuple[str, ...] = ()


def is_helpless(fighter: Fighter) -> bool:
    """POOL-36: who can be given a coup de grâce."""
    return any(fighter.has(one) for one in ("unconscious", "asleep", "dying"))


def finish_setup(scene: Scene, intent: Intent) -> Setup:
    """POOL-36: the attack roll, at somebody unconscious, asleep or dying."""
    if not is_helpless(scene.fighters[intent.target]):
        what = f"{intent.target} is neither unconscious nor asleep nor dying"
        refuse(intent, what, "POOL-36", "attack instead: crisis attack", code="condition_forbids")
    using = attacking(scene, intent)
    setup, force = hit_setup(scene, intent, using), wounds_per_hit(intent, using)
    dice = (setup.dice, max(0, force.total))
    return setup._replace(dice=dice, modifiers=(*setup.modifiers, *force))


def finish(table: RuleTable, setup: tuple[PoolRoll, int]) -> FinishResult:
    """POOL-36: no reaction, cover or protection helps (a reading); each hit has so many wounds."""
    roll, each = setup
    hits, used = roll_pool(table, "attack", roll, scored)
    worst = hits.without(HIT)
    more = table.reveal(worst, worst.count, mega) if worst.count else 0
    return FinishResult(hits.count > 0, hits.count, worst.count, hits.count * each + more, used)


def finish_effects(changes: Changes, intent: Intent, setup: Setup, outcome: FinishResult) -> None:
    """POOL-36: dead, at the level of the successes; the dying are worse by the wounds; a miss wakes a sleeper."""
    use_weapon(changes, intent, setup.known)
    if not outcome.success:
        changes.end(intent.target, "asleep", "POOL-36")
    elif changes.fighter(intent.target).has("dying"):
        worsen(changes, intent.target, changes.number("POOL-36").from_dice("hits", outcome.wounds), "POOL-36")
    else:
        changes.begin(intent.target, "dead", "POOL-36", changes.number("POOL-36").add("hits", outcome.total))


FINISH = Action(
    "Kill somebody helpless",
    "POOL-36",
    finish_setup,
    finish_effects,
    finish,
    costs=ONE,
    gear="weapons",
    candidates=lambda scene, who: (
        Intent("coup-de-grace", who, (foe.name,)) for foe in scene.foes(who) if is_helpless(foe)
    ),
    targets="one",
    requires=(ALIVE,),
    words=("hit", "miss"),
    counts="hits",
    options=(*COMMON, "mode", "massive"),
    outputs=lambda scene, intent, setup, outcome: manner(setup, outcome.total - outcome.criticals),
    choices=luck_spent,
    keeps=(RECOIL, SUPPORTED),
    says={
        "": "{actor} means to finish {target} with the {gear}",
        "unarmed": "{actor} means to finish {target} with bare hands",
    },
)

# Hits that nobody rolled for


def hits_setup(scene: Scene, intent: Intent) -> Setup:
    """POOL-26: so many hits, each of so many wounds; cover and protection count as ever."""
    hits, each = (count_of(intent, option, "POOL-26", 1, 1, 100) for option in ("hits", "each"))
    defence = shielded_by(scene, intent, scene.fighters[intent.patient], UNARMED)._replace(each=each)
    lines = Modifiers("wounds per hit", "POOL-26").base("wounds per hit", each, source="--each")
    return Setup((defence, ReactionResult(hits, 0, defence.cover)), lines_of(lines))


TAKE_HITS = Action(
    "Be struck by hits that nobody rolled for",
    "POOL-26",
    hits_setup,
    lambda changes, intent, setup, toll: suffer(changes, intent.patient, WOUNDS, toll, UNARMED),
    lambda table, dice: table.ask(inflicted, dice[0], NO_DICE, dice[1]),
    window="any",
    targets="patient",
    requires=(ALIVE,),
    ai=False,
    options=("hits", "each", "cover", "protection"),
    says="{target} is struck",
)

# Movement and posture


def pace(metres: Callable[[int], int]) -> Callable[[Fighter], int]:
    """POOL-12: metres of one move, by quickness; POOL-23: half of them with the shield up."""

    def most(fighter: Fighter) -> int:
        found = max(0, metres(value_of(fighter.sheet, "quickness")[0]))
        return found // 2 if fighter.has("blocking") else found

    return most


WALK, RUN = pace(lambda quickness: quickness + 1), pace(lambda quickness: quickness + 5)
CRAWL = pace(lambda quickness: -(-quickness // 2) + 1)


def along(scene: Scene, intent: Intent) -> None:
    """POOL-12: walking goes along with another action, once."""
    fighter = scene.fighters[intent.actor]
    if fighter.marks.get(WALKED):
        hint = "the next walk goes with the next action"
        refuse(intent, f"{fighter.name} has walked already", "POOL-12", hint, code="condition_forbids")
    if scene.open:
        must_have(intent, fighter, "actions", 1, "POOL-12", "run next turn")


def has_shield(scene: Scene, intent: Intent) -> None:
    """POOL-23: a shield in hand beside a weapon for one hand."""
    fighter = scene.fighters[intent.actor]
    if not shield_of(fighter):
        hint = f"crisis act {slug(fighter.name)} ready shield, beside a weapon for one hand"
        refuse(intent, f"{fighter.name} holds no shield", "POOL-23", hint, final=True, code="not_in_hand")


on_foot = lacks("hunkered", "POOL-12", "{who} is hunkered and cannot {action}", hint="crawl, or get up first")
get_down = "get down first: crisis act hunker"
hunkered = has("hunkered", "POOL-12", "{who} is not hunkered and cannot {action}", hint=get_down)
MOVES = {
    "walk": move_action(
        "Walk along with another action",
        "POOL-12",
        WALK,
        (),
        "{actor} walks",
        requires=(on_foot, along),
        hint="go part of the way, or run",
        also=lambda changes, intent: changes.mark(intent.actor, WALKED, 1, "POOL-12"),
    )._replace(keeps=(AIM, ACCURATE, RECOIL)),
    "run": move_action("Run", "POOL-12", RUN, ONE, "{actor} runs", requires=(on_foot,)),
    "crawl": move_action("Crawl, hunkered", "POOL-12", CRAWL, ONE, "{actor} crawls", requires=(hunkered,)),
    "hunker": condition_action(
        "Hunker down: cover 6+", "POOL-12", ONE, "{actor} hunkers down", begins="hunkered"
    ),
    "stand-up": condition_action("Get up", "POOL-12", ONE, "{actor} gets up", ends="hunkered"),
    "shield-block": Action(
        "Hold the shield up",
        "POOL-23",
        effects=lambda changes, intent, setup, outcome: changes.mark(
            intent.actor, RAISED, changes.scene.round + 1, "POOL-23"
        ),
        costs=(Cost("actions", 2),),
        requires=(lacks("blocking", "POOL-23", "{who} holds the shield up already", final=True), has_shield),
        sets={"blocking": True},
        says="{actor} holds the shield up",
    ),
    "lower-shield": Action(
        "Lower the shield",
        "POOL-23",
        effects=lambda changes, intent, setup, outcome: changes.mark(intent.actor, RAISED, 0, "POOL-23"),
        requires=(has("blocking", "POOL-23", "{who} does not hold a shield up"),),
        sets={"blocking": False},
        keeps=(AIM, ACCURATE, RECOIL, SUPPORTED, WALKED),
        says="{actor} lowers the shield",
    ),
}

# Things in hand


def actions(count: int) -> tuple[Cost, ...]:
    """POOL-12: so many actions."""
    return (Cost("actions", count, rule="POOL-12"),) if count else ()


def to_ready(fighter: Fighter) -> tuple[str, ...]:
    """Every weapon, and the shield."""
    return (*fighter.sheet["weapons"], *((SHIELD,) if "shield" in fighter.sheet else ()))


def ready_setup(scene: Scene, intent: Intent) -> Setup:
    """POOL-12: a weapon or the shield, not in hand yet."""
    fighter = scene.fighters[intent.actor]
    weapons, things = fighter.sheet["weapons"], to_ready(fighter)
    name = intent.get("thing") or (things[0] if len(things) == 1 else "")
    others = [one for one in things if one not in fighter.held]
    at_hand = f"to ready: {', '.join(others)}" if others else ""
    if name not in things:
        what = f"{fighter.name} must say what to ready"
        refuse(intent, what, "POOL-12", at_hand, final=True, code="missing_argument")
    if name in fighter.held:
        what = f"{fighter.name} has the {name} in hand already"
        refuse(intent, what, "POOL-12", at_hand, code="in_hand_already")
    if intent.get("off_hand") and (name == SHIELD or weapons[name]["hands"] > 1 or not weapons_held(fighter)):
        refuse(intent, f"the {name} is nothing for the other hand", "POOL-34", final=True, code="wrong_item")
    if name in weapons and is_thrown_away(fighter, name):
        refuse(intent, f"{fighter.name} has thrown the {name} away", "POOL-18", at_hand, code="not_in_hand")
    return Setup(name, (), actions(weapons[name]["ready"] if name in weapons else 1), name)


def ready(changes: Changes, intent: Intent, setup: Setup, outcome: Any) -> None:
    """In hand: instead of the weapon before, with `--off-hand` beside it; two hands leave none for the shield."""
    fighter, name = changes.fighter(intent.actor), setup.gear
    weapons, held = fighter.sheet["weapons"], weapons_held(fighter)
    now: tuple[str, ...] = (name,)
    if name == SHIELD:
        now = (*(one for one in held[:1] if weapons[one]["hands"] == 1), SHIELD)
    elif intent.get("off_hand"):
        now = (held[0], name)
    elif SHIELD in fighter.held and weapons[name]["hands"] == 1:
        now = (name, SHIELD)
    changes.hold(intent.actor, now, "POOL-12")
    changes.mark(intent.actor, DROPPED, 0, "POOL-33", key=name)
    changes.end(intent.actor, "stuck", "POOL-24")
    if SHIELD not in now:
        changes.end(intent.actor, "blocking", "POOL-23")


def support_setup(scene: Scene, intent: Intent) -> Setup:
    """POOL-35: a firearm in hand, and no bow."""
    fighter = scene.fighters[intent.actor]
    held = {one: fighter.sheet["weapons"][one] for one in weapons_held(fighter)}
    able = [one for one, weapon in held.items() if any(is_firearm(weapon, mode) for mode in modes_of(weapon))]
    name = intent.get("thing") or (able[0] if able else "")
    if name not in able:
        what = f"{fighter.name} holds no firearm to support"
        refuse(intent, what, "POOL-35", final=True, code="not_in_hand")
    if fighter.marks.get(f"{SUPPORTED}:{name}"):
        refuse(intent, f"the {name} is supported already", "POOL-35", final=True, code="condition_forbids")
    return Setup(name, gear=name)


GEAR = {
    "ready": Action(
        "Ready a weapon or the shield",
        "POOL-12",
        ready_setup,
        ready,
        gear="weapons",
        candidates=lambda scene, who: (
            Intent("ready", who, (), {"thing": name}) for name in to_ready(scene.fighters[who])
        ),
        options=("off-hand",),
        says="{actor} readies the {gear}",
    ),
    "reload": reload_action(
        "POOL-12",
        (),
        loads="rounds",
        says="{actor} reloads the {gear}",
        price=lambda name, weapon: actions(weapon["reload"]),
        takes=lambda weapon: "capacity" in weapon and not {"single", "burst"}.isdisjoint(modes_of(weapon)),
    ),
    "support": Action(
        "Rest the firearm on something",
        "POOL-35",
        support_setup,
        lambda changes, intent, setup, outcome: changes.mark(
            intent.actor, SUPPORTED, 1, "POOL-35", key=setup.gear
        ),
        costs=ONE,
        gear="weapons",
        says="{actor} rests the {gear} on something",
    ),
    "use": use_action("use", "Use a thing carried", "POOL-12", ONE, "{actor} uses the {gear}", "heals"),
}

# The other actions


def build_up(mark: str, title: str, rule: str, says: str) -> Action:
    """The row of spending actions on a later attack, which counts them by a mark."""
    return Action(title, rule, costs=ONE, builds=(mark,), keeps=(mark, SUPPORTED), says=says)


def end_condition(action: str, condition: str, title: str, rule: str, says: str) -> Action:
    """The row of ending a condition of one's own, or of somebody else."""
    return Action(
        title,
        rule,
        effects=lambda changes, intent, setup, outcome: changes.end(intent.patient, condition, rule),
        costs=ONE,
        requires=(has(condition, rule, of="target"),),
        candidates=patient_candidates(action),
        targets="patient",
        says=says,
    )


def do_setup(scene: Scene, intent: Intent) -> Setup:
    """POOL-12: anything else: as many actions as the GM says, and with a skill a roll."""
    costs = actions(count_of(intent, "cost", usual=1))
    if not intent.get("skill"):
        return Setup(None, (), costs)
    setup = skill_roll(scene, intent, "check", known_skill(scene, intent))
    return setup._replace(costs=(*costs, *setup.costs))


def gain(changes: Changes, intent: Intent, setup: Setup, outcome: Any) -> None:
    """POOL-15: one more action, at once."""
    changes.adjust(intent.actor, "actions", changes.number("POOL-15").add("bought", 1), "POOL-15")


def actions_count(scene: Scene, intent: Intent) -> None:
    """POOL-15: in a crisis, where actions count."""
    if not scene.open:
        opens = "crisis init WHO… --open"
        refuse(intent, "actions count only in a crisis", "POOL-15", opens, final=True, code="no_crisis")


def can_steal(scene: Scene, intent: Intent) -> None:
    """POOL-15: from what is left of the opponent's own turn; at any other time from its next refresh."""
    victim = scene.fighters[intent.target]
    if victim.side == scene.fighters[intent.actor].side:
        refuse(intent, f"{victim.name} is no opponent", "POOL-15", code="wrong_target")
    if victim.name in scene.acting:
        must_have(intent, victim, "actions", 1, "POOL-15", "wait until the turn is over")
    elif all_stolen(victim):
        what = f"no action of {victim.name}'s next turn is left: {victim.marks.get(STOLEN, 0)} stolen"
        refuse(intent, what, "POOL-15", final=True, code="condition_forbids")


ACTS = {
    "aim": build_up(AIM, "Aim: critical threshold −2", "POOL-20", "{actor} takes aim"),
    "accurate": build_up(ACCURATE, "Take one's time: minimum roll −1", "POOL-30", "{actor} aims carefully"),
    "put-out-fire": end_condition(
        "put-out-fire", "burning", "Put out the fire", "POOL-38", "{actor} puts out the fire on {target}"
    ),
    "free-weapon": end_condition(
        "free-weapon", "stuck", "Pull the weapon free", "POOL-24", "{actor} pulls the weapon free"
    ),
    "wake": end_condition("wake", "asleep", "Wake somebody", "POOL-38", "{actor} shakes {target} awake"),
    "do": CHECK._replace(
        title="Do anything else",
        rule_id="POOL-12",
        setup=do_setup,
        rule=lambda table, roll: check(table, roll) if roll else None,
        candidates=None,
        window="turn",
        options=("cost", "skill", *SPENDING),
        says="{actor} does something else",
    ),
    "gain-action": Action(
        "An action for a bonus die",
        "POOL-15",
        effects=gain,
        costs=(Cost("bonus-dice", rule="POOL-15"),),
        window="any",
        requires=(actions_count,),
        says="{actor} spends a bonus die on an action",
    ),
    "steal-action": Action(
        "An opponent's action for a destiny die",
        "POOL-15",
        effects=gain,
        choices=lambda scene, intent, setup, outcome: (theft(scene, intent.target),),
        costs=(Cost("destiny-dice", rule="POOL-15"),),
        window="any",
        targets="one",
        requires=(actions_count, can_steal),
        candidates=lambda scene, who: (Intent("steal-action", who, (foe.name,)) for foe in scene.foes(who)),
        says="{actor} spends a destiny die on an action of {target}",
    ),
}

# The turn order


class StartResult(NamedTuple):
    """The turn order, who has a quick reaction, and by fighter what was spent on the check for it (POOL-7)."""

    order: tuple[str, ...]
    scores: tuple[tuple[str, int], ...]
    quick: tuple[str, ...]
    spent: tuple[tuple[str, tuple[str, ...]], ...] = ()


def init_setup(scene: Scene, intent: Intent) -> Setup:
    """POOL-8: everyone's quickness; POOL-10: everyone's apprehension."""
    for option in ("surprise", "initiator"):
        if intent.get(option):
            what = f"there is no extra turn before the first: --{option} gives none"
            refuse(intent, what, "POOL-8", f"leave out --{option}", code="unheeded_option")
    whole = LINE_UP.setup(scene, intent)
    alerts = [forced_roll(scene, name, "alert", "apprehension") for name in grouped(scene, intent)]
    lines = lines_of(*(line for _, more in alerts for line in more))
    return Setup((whole.dice, tuple(roll for roll, _ in alerts)), (*whole.modifiers, *lines))


def runner(fighter: Fighter) -> tuple[Runner, Modifiers]:
    """POOL-8: the dice of quickness; POOL-9: quickness and deftness settle ties."""
    dice = dice_of(fighter, "initiative", "quickness", against=fighter.name)
    plus = Modifiers("initiative", "POOL-8", fighter.name).situational(fighter, "initiative")
    own = fighter.sheet["attributes"]
    one = Runner(fighter.name, plus.total, (-own["quickness"], -own["deftness"]), max(0, dice.total))
    plus.lines[:0] = dice.lines
    return one, plus


def initiative(
    table: RuleTable, field: tuple[tuple[tuple[Runner, ...], tuple[str, ...]], tuple[PoolRoll, ...]]
) -> StartResult:
    """POOL-8: everyone rolls; then everyone checks apprehension (POOL-10); POOL-9: ties by quickness, deftness, as
    those who tie have agreed, or new rolls, at most 24 times."""
    (runners, agreed), rolls = field
    scores = {one.name: score(table, one) for one in runners}
    alerts = [(roll.who, *table.ask(is_alert, roll)) for roll in rolls]
    quick = tuple(name for name, is_quick, _ in alerts if is_quick)
    used = tuple((name, used) for name, _, used in alerts if used)
    return StartResult(*in_order(table, runners, scores, score, agreed, 24), quick, used)


QUICK = "A success is a quick reaction: one action, for reactions only, until the first own turn."
"""POOL-10: what an apprehension check brings."""


def is_alert(table: RuleTable, roll: PoolRoll) -> tuple[bool, tuple[str, ...]]:
    """POOL-10: whether an apprehension check succeeds, and what was spent on it."""
    found, used = roll_pool(table, "alert", roll, counted, asks=QUICK)
    return found > 0, used


def score(table: RuleTable, one: Runner, tied: tuple[str, ...] = ()) -> int:
    """POOL-8: the sum of the dice; POOL-9: once more for a tie."""
    table.label("initiative", one.name, f"{one.dice}d6!" if one.dice else "", **tie(tied))
    found: int = table.exploding(one.dice, SIDES, int, note="values") + one.bonus
    table.result(total=found)
    return found


def line_up(changes: Changes, intent: Intent, setup: Setup, outcome: StartResult) -> None:
    """The turn order; one action for those who are quick to react, none for the others, until their first turn. Who
    comes back after a turn of this round keeps the actions that are left of it."""
    LINE_UP.effects(changes, intent, setup, outcome)
    newcomers = [name for name in intent.targets if name not in changes.scene.late]
    for name in newcomers if changes.scene.open else ():
        has_one = int(leader_of(changes.scene, intent, name) in outcome.quick)
        changes.set(name, "actions", has_one, "POOL-10")


LINE_UP = initiative_action(
    "POOL-8", runner, score, ahead=lambda new, other: runner(new)[0].tie < runner(other)[0].tie
)
INIT = LINE_UP._replace(setup=init_setup, effects=line_up, rule=initiative, choices=luck_spent)

# What turns bring


def refresh(changes: Changes, intent: Intent, setup: Setup, outcome: Any) -> None:
    """POOL-11: actions as many as a turn has; POOL-15: less what was stolen."""
    fighter = changes.fighter(intent.actor)
    more = changes.number("POOL-11").add("left over", -fighter.pools["actions"])
    stolen = min(fighter.marks.get(STOLEN, 0), actions_a_turn(fighter))
    in_next_turn(fighter, more).add("stolen", -stolen, "POOL-15")
    changes.adjust(intent.actor, "actions", more, "POOL-11")
    changes.mark(intent.actor, STOLEN, 0, "POOL-15")


def turn_ends(changes: Changes, intent: Intent, setup: Setup, outcome: Any) -> None:
    """POOL-13: everyone may react anew."""
    for name in changes.scene.fighters:
        changes.mark(name, REACTIONS.mark, 0, "POOL-14")


def mend_armour(changes: Changes, intent: Intent, setup: Setup, outcome: Any) -> None:
    """POOL-24: armour is put in order when the crisis is over."""
    for fighter in changes.scene.fighters.values():
        for pool in (f"protection:{kind}" for kind in PROTECTION):
            if pool in fighter.pools:
                changes.set(fighter.name, pool, fighter.full(pool), "POOL-24")


PHASES = {
    "start-round": ROUND,
    "start-turn": Action("Actions for the turn", "POOL-11", effects=refresh, window="table"),
    "end-turn": Action("Reactions anew", "POOL-13", effects=turn_ends, window="table"),
    "end-crisis": Action("Armour is put in order", "POOL-24", effects=mend_armour, window="table"),
}
ACTIONS = {
    "check": CHECK,
    "init": INIT,
    "attack": ATTACK,
    "throw": THROW,
    "coup-de-grace": FINISH,
    "heal": HEAL,
    "rest": RESTING,
    **MOVES,
    **GEAR,
    **ACTS,
    "take-hits": TAKE_HITS,
}
