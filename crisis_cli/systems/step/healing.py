"""Treating wounds, and what time heals (STEP-34 to STEP-37)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...rules import (
    Action,
    Changes,
    Cost,
    Fighter,
    Intent,
    NamedTuple,
    RuleTable,
    Scene,
    Setup,
    lines_of,
    refuse,
    slug,
)
from ...rules.treatment import aid_in_use, heal_action
from . import actions
from .actions import CRITICAL_FAILURE, DIFFICULTY, Dice, dice_of, rolled, skilled
from .options import CARE
from .sheet import LOWEST, TREATED, is_dead, is_dying, spelled

# Treatment

MEDICINE = "medicine"


class TreatmentSetup(NamedTuple):
    """What the dice of a treatment depend on."""

    dice: Dice
    each: int
    """Wounds healed by success, and by each extra: 1, or 2 non-lethal ones (STEP-35); 0: the dying are stabilised."""
    helpers: tuple[Dice, ...] = ()


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
    item, costs = aid_in_use(intent, fighter, helps_medicine, "STEP-34", "the {item} is no help to medicine")
    if intent.get("assets") is not None and not intent.get("item"):
        item, costs = "", ()
    found = skilled(fighter, "heal", MEDICINE, "STEP-34").asked(intent)
    found.add("treating oneself", -2 * (patient.name == fighter.name))
    count = actions.assets(intent, "STEP-34", 1 if item else 0)
    found.add("assets" if count else "no aids", count - 1 if count else -2, source=item or "--assets")
    helpers, aid = actions.helpers_of(scene, intent, MEDICINE)
    each = 2 if intent.get("nonlethal", only_nonlethal) else 1
    if is_dying(patient) and not intent.get("nonlethal"):
        each = 0
    dice = TreatmentSetup(dice_of(fighter, MEDICINE, found), each, helpers)
    return Setup(dice, lines_of(found, *aid), costs, item)


def helps_medicine(item: Mapping[str, Any]) -> bool:
    """STEP-7: whether an item is an asset for medicine."""
    return spelled(item.get("asset", "")) == MEDICINE


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
        refuse(intent, far, "STEP-16", code="out_of_reach")
    taken, whole = patient.pools["nonlethal"], ""
    if intent.get("nonlethal") and not taken:
        whole = f"{patient.name} has no non-lethal wounds"
    elif unhurt and not taken and TREATED not in patient.ends.values():
        whole = f"{patient.name} has no wounds to treat"
    if whole:
        refuse(intent, whole, "STEP-34", final=True, code="condition_forbids")


def treat(table: RuleTable, setup: TreatmentSetup) -> TreatmentResult:
    """STEP-34 to STEP-36: the roll, and what it heals."""
    added = table.ask(actions.help_with, setup.helpers)
    reached, total = rolled(table, "heal", setup.dice, DIFFICULTY, added)
    success = reached >= DIFFICULTY
    more = actions.extras(total) if success else 0
    table.result(extras=more or None)
    word = "failure" if not success else "healed" if setup.each else "stabilised"
    return TreatmentResult(success, total, setup.each * (1 + more) * success, word == "stabilised", word)


def heal(changes: Changes, intent: Intent, setup: Setup, result: TreatmentResult) -> None:
    """STEP-35, STEP-36: wounds fewer, or stable; what lasted until treated is over (STEP-32)."""
    if not result.success:
        return
    patient = changes.fighter(intent.patient)
    if result.stabilised:
        until = ("end-round", changes.scene.round + 10)
        changes.begin(patient.name, "stable", "STEP-36")
        changes.begin(patient.name, "incapacitated", "STEP-36", until=until)
        return
    each = setup.dice.each
    pool, sign = ("nonlethal", -1) if each == 2 else ("health", 1)
    number = changes.number("STEP-35").add("treated", sign * each)
    changes.adjust(patient.name, pool, number.add("extra", sign * (result.healed - each)), "STEP-35")
    for condition, end in patient.ends.items():
        if tuple(end) == TREATED:
            changes.end(patient.name, condition, "STEP-32")


HEAL = heal_action(
    "Treat wounds",
    "STEP-34",
    treatment_setup,
    heal,
    treat,
    (Cost("ap", 2, rule="STEP-16"),),
    ("item", "assets", "nonlethal", "old", "aid"),
)

# What time heals


class RestSetup(NamedTuple):
    """What the dice of natural healing depend on."""

    dice: Dice
    days: int
    health: int
    most: int


class RestResult(NamedTuple):
    """What the time came to."""

    success: bool | None
    health: int
    worse: bool
    """A critical failure has opened a stable patient's wound, or felled a patient: dying (a reading)."""


def rest_setup(scene: Scene, intent: Intent) -> Setup:
    """STEP-37: days and hours, outside a crisis; by default one day, which is 24 hours too (a reading)."""
    patient = scene.fighters[intent.patient]
    hours, days = intent.get("hours", 0), intent.get("days", 0 if intent.get("hours") else 1)
    if not (0 <= hours <= 1000 and 0 <= days <= 1000):
        refuse(intent, "0 to 1000 hours or days can pass at once", "STEP-37", final=True, code="bad_value")
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
    dice = RestSetup(dice_of(patient, "body", found), days, patient.pools["health"], patient.full("health"))
    return Setup(dice, tuple(found), known=hours + 24 * days)


def rest(table: RuleTable, setup: RestSetup) -> RestResult:
    """STEP-37: a body roll for each day that begins with wounds."""
    health, worse = table.chain(setup.days, day, (setup.health, False), setup)
    return RestResult(health > setup.health if setup.days else None, health, worse)


def day(table: RuleTable, state: tuple[int, bool], setup: RestSetup) -> tuple[int, bool]:
    """STEP-37: one day; a patient who is whole, dying or dead does not roll."""
    health, worse = state
    if health >= setup.most or worse or health <= LOWEST:
        return state
    reached, _ = rolled(table, "heal", setup.dice, DIFFICULTY)
    if reached == CRITICAL_FAILURE:
        return health - 1, health <= 1
    return health + (reached >= DIFFICULTY), False


def recover(changes: Changes, intent: Intent, setup: Setup, result: RestResult) -> None:
    """STEP-37: Health as the days leave it; a non-lethal wound less for each hour."""
    who, before = setup.dice.dice.who, setup.dice.health
    healed = changes.number("STEP-37").add("rest", result.health - before)
    changes.adjust(who, "health", healed, "STEP-37")
    changes.adjust(who, "nonlethal", changes.number("STEP-37").add("hours", -setup.known), "STEP-37")
    if result.worse:
        changes.end(who, "stable", "STEP-36")


NATURAL = Action(
    "Let time heal",
    "STEP-37",
    rest_setup,
    recover,
    rest,
    words=("rested", "rested"),
    window="table",
    targets="patient",
    options=("natural", "hours", "days", "care", "rough", "poor"),
    says="{target} rests",
)
ACTIONS = {"heal": HEAL, "natural-healing": NATURAL}
