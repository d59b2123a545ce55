"""Conditions, wounds, treatment, and what the start of a round brings (POOL-37 to POOL-39)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ...engine.setup import Charge
from ...rules import (
    Action,
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
    lines_of,
    patients,
    refuse,
    within,
)
from . import rolls
from .rolls import PoolRoll, counted, level_of, roll_pool
from .sheet import ONE, value_of

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
        kept = "dead"
        changes.put(who, "condition:dead", fighter.conditions.get("dead", 1), "POOL-37")
    elif lifeless and not fighter.has("stable"):
        kept = "dying"
        changes.put(who, "condition:dying", dying or 1, "POOL-37")
    else:
        for condition in () if lifeless else ("dying", "stable"):
            changes.put(who, f"condition:{condition}", False, "POOL-37")
        return
    for condition in fighter.conditions:
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


class HealSetup(NamedTuple):
    """What the dice of a treatment depend on."""

    roll: PoolRoll
    needs: int
    """Successes: one; of the dying as many as the level (POOL-37)."""
    dying: bool


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
    fighter, patient = scene.fighters[intent.actor], scene.fighters[intent.target or intent.actor]
    if patient.has("dead"):
        refuse(intent, f"{patient.name} is dead", "POOL-37", final=True)
    in_reach(scene, intent._replace(targets=(patient.name,)))
    item = item_in_use(fighter, intent)
    level = level_of(patient, "dying")
    skills = ("first-aid", "medicine") if level else ("first-aid",)
    best = max(skills, key=lambda one: value_of(fighter.sheet, one)[0])
    roll = rolls.skill_roll(scene, intent, "heal", best)
    thing = fighter.sheet["items"].get(item, {})
    used = (Cost(f"uses:{item}", rule="POOL-39"),) if "uses" in thing else ()
    known = thing.get("heals", {"boost": 1, "wounds": 0})
    dice = HealSetup(roll.dice, max(1, level), level > 0)
    return Setup(dice, roll.modifiers, (*roll.costs, *used), item, known=known)


def item_in_use(fighter: Fighter, intent: Intent) -> str:
    """The item to treat with: as named, else the first that heals and is not used up."""
    fitting = [one for one, thing in fighter.sheet["items"].items() if "heals" in thing]
    named: str = intent.get("item") or ""
    if named and named not in fitting:
        carried = f"{fighter.name} carries {', '.join(fitting) or 'nothing for it'}"
        refuse(intent, f"the {named} does not heal", "POOL-39", carried, final=True)
    return named or next((one for one in fitting if fighter.pools.get(f"uses:{one}", 1) > 0), "")


def heal(table: RuleTable, setup: HealSetup) -> HealResult:
    """POOL-37, POOL-39: as many successes as it needs."""
    found, used = roll_pool(table, "heal", setup.roll, counted, setup.needs)
    if setup.needs > 1:
        table.result(difficulty=setup.needs)
    won = found >= setup.needs
    return HealResult(won, found, setup.dying and won, used)


def heal_effects(changes: Changes, intent: Intent, setup: Setup, outcome: HealResult) -> None:
    """POOL-39: boosts, and no more bleeding; POOL-37: stabilised, and unconscious without a heart left."""
    patient = intent.target or intent.actor
    if outcome.stabilised:
        changes.begin(patient, "stable", "POOL-37")
        changes.end(patient, "dying", "POOL-37")
        changes.begin(patient, "unconscious", "POOL-37", 1)
    elif outcome.success:
        changes.adjust(patient, "boost", setup.known["boost"], "POOL-39")
        changes.adjust(patient, "wounds", -setup.known["wounds"], "POOL-39")
        changes.end(patient, "bleeding", "POOL-39")


HEAL = Action(
    "Give first aid",
    "POOL-39",
    heal_setup,
    heal_effects,
    heal,
    costs=ONE,
    gear="items",
    candidates=patients("heal"),
    targets="patient",
    options=("item", *rolls.SPENDING),
    counts="successes",
    choices=rolls.own_luck,
    says={
        "": "{actor} treats {target} with the {gear}",
        "bare": "{actor} treats {target}",
        "self": "{actor} uses the {gear} on {actor}",
        "self:bare": "{actor} treats their own wounds",
    },
)

# Resting


class RestResult(NamedTuple):
    """What a rest came to."""

    success: bool
    healed: int
    repaid: tuple[str, ...] = ()


def rest_setup(scene: Scene, intent: Intent) -> Setup:
    """POOL-39: six hours, and so not in a crisis; what is spent on the roll (POOL-7) is there again afterwards."""
    patient = scene.fighters[intent.target or intent.actor]
    for condition in ("dead", "dying"):
        if patient.has(condition):
            refuse(intent, f"{patient.name} is {condition}", "POOL-39", final=True)
    if scene.open:
        refuse(intent, "a rest takes six hours: not in a crisis", "POOL-39", "end it first: crisis end")
    dice = Modifiers("rest dice", "POOL-1")
    for skill in ("resistance", "endurance", "willpower"):
        dice.extend(rolls.dice_of(patient, "rest", skill, free=True))
    minimum = rolls.minimum_of(patient, "rest", "rest", free=True)
    minimum.add("difficulty", intent.get("difficulty") or 0, "POOL-5", "--difficulty").asked(intent, sign=-1)
    own = intent._replace(actor=patient.name)
    for cost in rolls.spent(scene, own):
        if patient.pools[cost.pool] < cost.amount:
            has = f"{patient.name} has {patient.pools[cost.pool]} {cost.pool.replace('-', ' ')}"
            refuse(intent, f"{has}, not {cost.amount}", cost.rule, "leave it out")
    roll = rolls.roll_of(scene, patient.name, dice, minimum, said=intent.options)
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
    options=("rest", *rolls.SPENDING),
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


class Patient(NamedTuple):
    """A fighter whose conditions demand rolls, and how many wounds would be too many."""

    who: str
    hearts: int
    trials: tuple[Trial, ...]


class RoundResult(NamedTuple):
    """By fighter and condition, what was withstood of it: its levels, or 1 where one success is enough."""

    withstood: tuple[tuple[str, str, int], ...]
    spent: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """By fighter, what was spent on these rolls (POOL-7)."""


def round_setup(scene: Scene, intent: Intent) -> Setup:
    """Everyone in the order of initiative; their conditions make none of these rolls harder."""
    found: list[Patient] = []
    lines: list[Modifiers] = []
    for name in scene.order or scene.fighters:
        fighter = scene.fighters[name]
        trials: list[Trial] = []
        for condition, skill in SKILL.items():
            if fighter.has(condition) and not fighter.gone:
                roll, more = rolls.forced_roll(scene, name, "resist", skill, free=True)
                trials.append((condition, level_of(fighter, condition), roll))
                lines += more
        if trials:
            found.append(Patient(name, hearts(fighter), tuple(trials)))
    return Setup(tuple(found), lines_of(*lines))


def round_rule(table: RuleTable, patients_: tuple[Patient, ...]) -> RoundResult | None:
    """Every trial in its order."""
    if not patients_:
        return None
    found = [(patient.who, *table.ask(withstand, patient)) for patient in patients_]
    withstood = tuple((who, *one) for who, held, _ in found for one in held)
    return RoundResult(withstood, tuple((who, used) for who, _, used in found if used))


def withstand(table: RuleTable, patient: Patient) -> tuple[tuple[tuple[str, int], ...], tuple[str, ...]]:
    """The trials of one fighter: by condition what was withstood of it; and what was spent on them.

    A fighter who bleeds to the last heart need not roll against poison.
    """
    found: list[tuple[str, int]] = []
    used: tuple[str, ...] = ()
    for condition, level, roll in patient.trials:
        needs = level if condition == "unconscious" else 1
        left = roll._replace(luck=rolls.without(roll.luck, used))
        count, more = table.ask(roll_pool, "resist", left, counted, needs)
        held, used = min(1 if condition in ("dying", "bleeding") else level, count), (*used, *more)
        if condition == "unconscious":
            table.result(difficulty=needs)
        found.append((condition, held))
        if condition == "bleeding" and not held and level >= patient.hearts:
            break
    return tuple(found), used


def round_luck(scene: Scene, intent: Intent, setup: Setup, outcome: RoundResult | None) -> Iterable[Charge]:
    """POOL-7: what everyone spent on these rolls."""
    return (rolls.luck_charge(who, used) for who, used in outcome.spent) if outcome else ()


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
    choices=round_luck,
)
