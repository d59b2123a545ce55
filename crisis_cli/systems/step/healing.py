"""Treatment, and what time heals (STEP-34 to STEP-37)."""

from __future__ import annotations

from functools import partial

from ...rules import (
    Action,
    Changes,
    Intent,
    Modifiers,
    NamedTuple,
    RuleTable,
    Says,
    Scene,
    Setup,
    aid_in_use,
    heal_action,
    lacks,
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
from .sheet import LOWEST, TREATED, is_dying, spelled

# Treatment

MEDICINE = "medicine"
FORBIDS = "condition_forbids"


class TreatmentSetup(NamedTuple):
    dice: DieAndBonus
    each: int
    """Wounds healed by success, and by each extra: 1, or 2 non-lethal ones (STEP-35); 0: the dying are stabilised."""
    helpers: tuple[DieAndBonus, ...] = ()


class TreatmentResult(NamedTuple):
    success: bool
    total: int
    healed: int
    """Wounds, before the pools' bounds."""
    stabilised: bool
    word: str


def treatment_setup(scene: Scene, intent: Intent) -> Setup:
    """STEP-34: medicine at 4; refused where there is nothing to treat, or the patient is out of reach."""
    can_be_treated(scene, intent)
    fighter, patient = scene.fighters[intent.actor], scene.fighters[intent.patient]
    unfit = "the {item} is no help to medicine"
    item, costs = aid_in_use(
        intent, fighter, lambda item: spelled(item.get("asset", "")) == MEDICINE, "STEP-34", unfit
    )
    if intent.get("assets") is not None and not intent.get("item"):
        item, costs = "", ()
    added = skilled(fighter, "heal", MEDICINE, "STEP-34").asked(intent)
    added.add("treating oneself", -2 * (patient.name == fighter.name))
    count = intent.get("assets", 1 if item else 0)
    added.add("assets" if count else "no aids", count - 1 if count else -2, source=item or "--assets")
    helpers, aid = helpers_of(scene, intent, MEDICINE)
    unhurt = patient.pools["health"] >= patient.full("health")
    each = 2 if intent.get("nonlethal", unhurt) else 0 if is_dying(patient) else 1
    dice = TreatmentSetup(dice_of(fighter, MEDICINE, added), each, helpers)
    return Setup(dice, Modifiers.lines_of(added, *aid), costs, item)


def can_be_treated(scene: Scene, intent: Intent) -> None:
    """Refuse treatment of old wounds, out of reach (1 tile, a reading), and of no wounds."""
    patient, who = scene.fighters[intent.patient], intent.patient
    if intent.get("old"):
        hint = f"crisis heal {slug(who)} --natural --days 1"
        refuse(intent, "wounds older than an hour only heal naturally", "STEP-34", hint, code=FORBIDS)
    tiles = scene.distance(intent.actor, who)
    if tiles is not None and tiles > 1:
        far = f"{who} is {tiles} tiles away; treating reaches 1"
        refuse(intent, far, "STEP-16", f"first: move beside {slug(who)}", code="out_of_reach")
    is_treated = patient.pools["health"] < patient.full("health") or TREATED in patient.ends.values()
    if not patient.pools["nonlethal"] and (intent.get("nonlethal") or not is_treated):
        whole = "non-lethal wounds" if intent.get("nonlethal") else "wounds to treat"
        refuse(intent, f"{who} has no {whole}", "STEP-34", final=True, code=FORBIDS)


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
    patient, each = changes.fighter(intent.patient), setup.dice.each
    if result.stabilised:
        changes.begin(patient.name, "stable", "STEP-36")
        changes.begin(patient.name, "incapacitated", "STEP-36", until=out_of_action(changes))
    elif result.success:
        pool, sign = ("nonlethal", -1) if each == 2 else ("health", 1)
        number = changes.number("STEP-35").add("treated", sign * each)
        changes.adjust(patient.name, pool, number.add("extra", sign * (result.healed - each)))
        for condition, end in patient.ends.items():
            if tuple(end) == TREATED:
                changes.end(patient.name, condition, "STEP-32")


TREATING = ("item", "assets", "nonlethal", "old", "aid")
ALIVE = partial(lacks, "dead", message="{who} is dead", of="target", code="already_dead", final=True)
HEAL = heal_action("Treat wounds", "STEP-34", treatment_setup, heal, treat, ap(2), TREATING)._replace(
    requires=(ALIVE("STEP-34"),)
)

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
    dice: DieAndBonus
    days: int
    hurt: Hurt
    most: int
    """Full Health."""


class RestResult(NamedTuple):
    success: bool | None
    """Whether the body rolls have healed more than they have wounded."""
    health: int
    nonlethal: int
    worse: bool


def rest_setup(scene: Scene, intent: Intent) -> Setup:
    """STEP-37: days and hours, outside a crisis; by default one day, which is 24 hours too (a reading)."""
    patient = scene.fighters[intent.patient]
    hours, care = intent.get("hours", 0), intent.get("care", "none")
    days = intent.get("days", 0 if hours else 1)
    if max(hours, days) > 1000:
        refuse(intent, "at most 1000 hours or days pass at once", "STEP-37", final=True, code="bad_value")
    if scene.open:
        hint = "end this one first: crisis end"
        refuse(intent, "wounds heal naturally between crises", "STEP-37", hint, code="open")
    added = skilled(patient, "heal", "body", "STEP-37").asked(intent).add(f"care: {care}", CARE[care])
    added.add("rough travel", -2 * bool(intent.get("rough")))
    added.add("poor conditions", -2 * bool(intent.get("poor")))
    hurt = Hurt(patient.pools["health"], patient.pools["nonlethal"])
    dice = RestSetup(dice_of(patient, "body", added), days, hurt, patient.full("health"))
    return Setup(dice, tuple(added), carried=hours)


def rest(table: RuleTable, setup: RestSetup) -> RestResult:
    """STEP-37: a body roll for each day that begins with wounds, lethal or not."""
    hurt = table.chain(setup.days, day, setup.hurt, setup)
    healed = hurt.health > setup.hurt.health or (hurt.helped and hurt.health == setup.hurt.health)
    return RestResult(healed if setup.days else None, hurt.health, hurt.nonlethal, hurt.worse)


def day(table: RuleTable, hurt: Hurt, setup: RestSetup) -> Hurt:
    """STEP-37: one day; the roll heals a non-lethal wound only where there is no lethal one (a reading)."""
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
        change = changes.number().add("rest", getattr(result, pool) - getattr(before, pool))
        changes.adjust(who, pool, change)
    changes.adjust(who, "nonlethal", changes.number().add("hours", -setup.carried))
    if result.worse:
        changes.end(who, "stable", "STEP-36")


RESTING = ("natural", "hours", "days", "care", "rough", "poor")
STABILISE = "stabilise them first: crisis heal WHO {who}"
DYING = lacks("dying", "STEP-37", "{who} is dying", of="target", hint=STABILISE, final=True)
REST = Action("Let time heal", "STEP-37", rest_setup, recover, rest, window="table", targets="patient")
NATURAL = REST._replace(
    requires=(ALIVE("STEP-37"), DYING), options=RESTING, says=Says("{target} rests", ("rested", "rested"))
)
