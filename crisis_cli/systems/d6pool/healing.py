"""First aid and rest (POOL-37, POOL-39)."""

from __future__ import annotations

from ...rules import (
    Action,
    Changes,
    Intent,
    Modifiers,
    NamedTuple,
    Opponents,
    RuleTable,
    Says,
    Scene,
    Setup,
    aid_in_use,
    heal_action,
    lacks,
    refuse,
    within,
)
from .rolls import (
    ONE,
    POOLS,
    SPENDING,
    PoolRoll,
    Scale,
    counted,
    dice_of,
    luck_spent,
    minimum_of,
    must_have,
    roll_of,
    roll_pool,
    skill_roll,
    spent,
)
from .sheet import (
    value_of,
)
from .wounds import ALIVE

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
    return Setup(dice, roll.modifiers, (*roll.costs, *used), item, carried=known)


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
        for pool, by in (("boost", setup.carried["boost"]), ("wounds", -setup.carried["wounds"])):
            changes.adjust(patient, pool, changes.number("POOL-39").add("first aid", by), "POOL-39")
        changes.end(patient, "bleeding", "POOL-39")


HEAL = heal_action(
    "Give first aid", "POOL-39", heal_setup, heal_effects, heal, ONE, ("item", *SPENDING), counts="successes"
)._replace(
    choices=luck_spent,
    ai=Opponents.treating("heal", lambda one: one.pools["wounds"] > 0 or one.has("bleeding")),
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
    return Setup(roll, Modifiers.lines_of(dice, minimum))


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
    says=Says("{target} rests for six hours", ("rested", "rested")),
    options=("rest", *SPENDING),
)
