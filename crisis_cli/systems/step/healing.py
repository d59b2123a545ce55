"""Treatment, and what time heals (STEP-34 to STEP-37)."""

from __future__ import annotations

from ...rules import (
    Action,
    Changes,
    Fighter,
    Intent,
    Modifiers,
    NamedTuple,
    RuleTable,
    Says,
    Scene,
    Setup,
    aid_in_use,
    heal_action,
    refuse,
    slug,
)
from .checks import (
    CRITICAL_FAILURE,
    DIFFICULTY,
    DieAndBonus,
    dice_of,
    extras,
    help_with,
    helpers_of,
    rolled,
    skilled,
)
from .damage import out_of_action
from .movement import ap
from .options import CARE
from .sheet import (
    LOWEST,
    TREATED,
    is_dead,
    is_dying,
    spelled,
)

# Treatment

MEDICINE = "medicine"


class TreatmentSetup(NamedTuple):
    """What the dice of a treatment depend on."""

    dice: DieAndBonus
    each: int
    """Wounds healed by success, and by each extra: 1, or 2 non-lethal ones (STEP-35); 0: the dying are stabilised."""
    helpers: tuple[DieAndBonus, ...] = ()


class TreatmentResult(NamedTuple):
    """What a treatment came to."""

    success: bool
    total: int
    healed: int
    """Wounds, before the pools' bounds."""
    stabilised: bool
    word: str


def treatment_setup(scene: Scene, intent: Intent) -> Setup:
    """STEP-34: medicine at 4; refused where there is nothing to treat, or the patient is out of reach."""
    fighter, patient = scene.fighters[intent.actor], scene.fighters[intent.patient]
    only_nonlethal = patient.pools["health"] >= patient.full("health")
    can_be_treated(scene, intent, patient, unhurt=only_nonlethal)
    unfit = "the {item} is no help to medicine"
    item, costs = aid_in_use(
        intent, fighter, lambda one: spelled(one.get("asset", "")) == MEDICINE, "STEP-34", unfit
    )
    if intent.get("assets") is not None and not intent.get("item"):
        item, costs = "", ()
    found = skilled(fighter, "heal", MEDICINE, "STEP-34").asked(intent)
    found.add("treating oneself", -2 * (patient.name == fighter.name))
    count = intent.get("assets", 1 if item else 0)
    found.add("assets" if count else "no aids", count - 1 if count else -2, source=item or "--assets")
    helpers, aid = helpers_of(scene, intent, MEDICINE)
    each = 2 if intent.get("nonlethal", only_nonlethal) else 0 if is_dying(patient) else 1
    dice = TreatmentSetup(dice_of(fighter, MEDICINE, found), each, helpers)
    return Setup(dice, Modifiers.lines_of(found, *aid), costs, item)


def can_be_treated(scene: Scene, intent: Intent, patient: Fighter, *, unhurt: bool) -> None:
    """Refuse the treatment of the dead, of old wounds, out of reach (1 tile, a reading), and of no wounds; `unhurt`: of
    no lethal ones."""
    if is_dead(patient):
        refuse(intent, f"{patient.name} is dead", "STEP-34", final=True, code="already_dead")
    if intent.get("old"):
        hint = f"crisis heal {slug(patient.name)} --natural --days 1"
        old = "wounds older than an hour only heal naturally"
        refuse(intent, old, "STEP-34", hint, code="condition_forbids")
    tiles = scene.distance(intent.actor, patient.name)
    if tiles is not None and tiles > 1:
        far = f"{patient.name} is {tiles} tiles away; treating reaches 1"
        refuse(intent, far, "STEP-16", f"first: move beside {slug(patient.name)}", code="out_of_reach")
    taken, whole = patient.pools["nonlethal"], ""
    if intent.get("nonlethal") and not taken:
        whole = f"{patient.name} has no non-lethal wounds"
    elif unhurt and not taken and TREATED not in patient.ends.values():
        whole = f"{patient.name} has no wounds to treat"
    if whole:
        refuse(intent, whole, "STEP-34", final=True, code="condition_forbids")


def treat(table: RuleTable, setup: TreatmentSetup) -> TreatmentResult:
    """STEP-34 to STEP-36: the roll, and what it heals."""
    reached, total = rolled(table, "heal", setup.dice, DIFFICULTY, table.ask(help_with, setup.helpers))
    success = reached >= DIFFICULTY
    more = extras(total) if success else 0
    table.result(extras=more or None)
    word = "failure" if not success else "healed" if setup.each else "stabilised"
    return TreatmentResult(success, total, setup.each * (1 + more) * success, word == "stabilised", word)


def heal(changes: Changes, intent: Intent, setup: Setup, result: TreatmentResult) -> None:
    """STEP-35, STEP-36: wounds fewer, or stable; what lasted until treated is over (STEP-32)."""
    if not result.success:
        return
    patient = changes.fighter(intent.patient)
    if result.stabilised:
        changes.begin(patient.name, "stable", "STEP-36")
        changes.begin(patient.name, "incapacitated", "STEP-36", until=out_of_action(changes))
        return
    each = setup.dice.each
    pool, sign = ("nonlethal", -1) if each == 2 else ("health", 1)
    number = changes.number("STEP-35").add("treated", sign * each)
    changes.adjust(patient.name, pool, number.add("extra", sign * (result.healed - each)), "STEP-35")
    for condition, end in patient.ends.items():
        if tuple(end) == TREATED:
            changes.end(patient.name, condition, "STEP-32")


TREATING = ("item", "assets", "nonlethal", "old", "aid")
HEAL = heal_action("Treat wounds", "STEP-34", treatment_setup, heal, treat, ap(2), TREATING)

# What time heals


class Hurt(NamedTuple):
    """The wounds of a patient who rests, at the start of a day."""

    health: int
    nonlethal: int
    worse: bool = False
    """A critical failure has opened a stable patient's wound, or felled a patient: dying (a reading)."""
    helped: bool = False
    """A body roll has healed a non-lethal wound."""


class RestSetup(NamedTuple):
    """What the dice of natural healing depend on."""

    dice: DieAndBonus
    days: int
    hurt: Hurt
    most: int
    """Full Health."""


class RestResult(NamedTuple):
    """What the time came to."""

    success: bool | None
    """Whether the body rolls have healed more than they have wounded."""
    health: int
    nonlethal: int
    worse: bool


def rest_setup(scene: Scene, intent: Intent) -> Setup:
    """STEP-37: days and hours, outside a crisis; by default one day, which is 24 hours too (a reading)."""
    patient = scene.fighters[intent.patient]
    hours, days = intent.get("hours", 0), intent.get("days", 0 if intent.get("hours") else 1)
    if max(hours, days) > 1000:
        refuse(intent, "at most 1000 hours or days pass at once", "STEP-37", final=True, code="bad_value")
    if scene.open:
        hint = "end this one first: crisis end"
        refuse(intent, "wounds heal naturally between crises", "STEP-37", hint, code="open")
    if is_dead(patient):
        refuse(intent, f"{patient.name} is dead", "STEP-37", final=True, code="already_dead")
    if is_dying(patient):
        hint = f"stabilise them first: crisis heal WHO {slug(patient.name)}"
        refuse(intent, f"{patient.name} is dying", "STEP-37", hint, final=True, code="condition_forbids")
    care = intent.get("care", "none")
    found = skilled(patient, "heal", "body", "STEP-37").asked(intent).add(f"care: {care}", CARE[care])
    found.add("rough travel", -2 * bool(intent.get("rough")))
    found.add("poor conditions", -2 * bool(intent.get("poor")))
    hurt = Hurt(patient.pools["health"], patient.pools["nonlethal"])
    dice = RestSetup(dice_of(patient, "body", found), days, hurt, patient.full("health"))
    return Setup(dice, tuple(found), carried=hours)


def rest(table: RuleTable, setup: RestSetup) -> RestResult:
    """STEP-37: a body roll for each day that begins with wounds, lethal or not."""
    hurt = table.chain(setup.days, day, setup.hurt, setup)
    healed = hurt.health > setup.hurt.health or (hurt.helped and hurt.health == setup.hurt.health)
    return RestResult(healed if setup.days else None, hurt.health, hurt.nonlethal, hurt.worse)


def day(table: RuleTable, hurt: Hurt, setup: RestSetup) -> Hurt:
    """STEP-37: one day, in which non-lethal wounds heal by the hour too; a patient who is whole, dying or dead does not
    roll. Only who has no lethal wound heals a non-lethal one by the roll (a reading)."""
    health, nonlethal, worse, helped = hurt
    is_whole = health >= setup.most and not nonlethal
    if not (is_whole or worse or health <= LOWEST):
        reached, _ = rolled(table, "heal", setup.dice, DIFFICULTY)
        if reached == CRITICAL_FAILURE:
            health, worse = health - 1, health <= 1
        elif reached >= DIFFICULTY and health < setup.most:
            health += 1
        elif reached >= DIFFICULTY:
            nonlethal, helped = nonlethal - 1, True
    return Hurt(health, max(0, nonlethal - 24), worse, helped)


def recover(changes: Changes, intent: Intent, setup: Setup, result: RestResult) -> None:
    """STEP-37: the wounds that the days leave; in the hours beyond them a non-lethal wound less for each."""
    who, before = setup.dice.dice.who, setup.dice.hurt
    for pool in ("health", "nonlethal"):
        change = changes.number("STEP-37").add("rest", getattr(result, pool) - getattr(before, pool))
        changes.adjust(who, pool, change, "STEP-37")
    changes.adjust(who, "nonlethal", changes.number("STEP-37").add("hours", -setup.carried), "STEP-37")
    if result.worse:
        changes.end(who, "stable", "STEP-36")


NATURAL = Action(
    "Let time heal",
    "STEP-37",
    rest_setup,
    recover,
    rest,
    says=Says("{target} rests", ("rested", "rested")),
    window="table",
    targets="patient",
    options=("natural", "hours", "days", "care", "rough", "poor"),
)
