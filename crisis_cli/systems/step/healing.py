"""Treating wounds, and what time heals (STEP-34 to STEP-37)."""

from __future__ import annotations

from typing import NamedTuple

from ...rules import (
    Action,
    Changes,
    Cost,
    Fighter,
    Intent,
    RuleTable,
    Scene,
    Setup,
    lines_of,
    patients,
    refuse,
    slug,
)
from .actions import Helper, assets, help_with, helpers_of
from .options import CARE
from .rolls import CRITICAL_FAILURE, DIFFICULTY, critical, extras, roll, skilled, succeeds, total_of
from .sheet import LOWEST, TREATED, is_dead, is_dying, spelled

REACH = 1
"""STEP-16: tiles to a patient (a reading)."""
SELF, NO_AIDS = -2, -2
"""STEP-34."""
TWICE = 2
"""STEP-35: non-lethal wounds for each lethal one."""
ROUNDS = 10
"""STEP-36: how long a stabilised patient is out of action."""
MEDICINE = "medicine"

# Treatment


class TreatmentSetup(NamedTuple):
    """What the dice of a treatment depend on."""

    who: str
    sides: int
    bonus: int
    each: int
    """Wounds healed by success, and by each extra; 0: a dying patient is stabilised."""
    helpers: tuple[Helper, ...] = ()


class TreatmentResult(NamedTuple):
    """What a treatment came to."""

    success: bool
    total: int
    healed: int
    """Wounds, before the pools' bounds."""
    stabilised: bool

    @property
    def word(self) -> str:
        """In one word."""
        return ("stabilised" if self.stabilised else "healed") if self.success else "failure"


def treatment_setup(scene: Scene, intent: Intent) -> Setup:
    """STEP-34: medicine at 4; refused where there is nothing to treat, or the patient is out of reach."""
    fighter, patient = scene.fighters[intent.actor], scene.fighters[intent.target or intent.actor]
    can_be_treated(scene, intent, fighter, patient)
    item = item_in_use(fighter, intent)
    sides, found = skilled(fighter, "heal", MEDICINE, "STEP-34")
    found.asked(intent).add("treating oneself", SELF * (patient.name == fighter.name))
    count = assets(intent, "STEP-34", 1 if item else 0)
    found.add("assets" if count else "no aids", count - 1 if count else NO_AIDS, source=item or "--assets")
    helpers, aid = helpers_of(scene, intent, MEDICINE)
    lethal = patient.pools["health"] < patient.full("health")
    nonlethal = bool(intent.get("nonlethal", not lethal))
    each = 0 if is_dying(patient) and not intent.get("nonlethal") else TWICE if nonlethal else 1
    used = item and "uses" in fighter.sheet["items"][item]
    return Setup(
        TreatmentSetup(fighter.name, sides, found.total, each, helpers),
        lines_of(found, *aid),
        (Cost(f"uses:{item}", rule="STEP-34"),) if used else (),
        item,
    )


def can_be_treated(scene: Scene, intent: Intent, fighter: Fighter, patient: Fighter) -> None:
    """Refuse the treatment of the dead, of old wounds, out of reach, and where there are no wounds."""
    if is_dead(patient):
        refuse(intent, f"{patient.name} is dead", "STEP-34", final=True)
    if intent.get("old"):
        hint = f"crisis heal {slug(patient.name)} --natural --days 1"
        refuse(intent, "wounds older than an hour only heal naturally", "STEP-34", hint=hint)
    tiles = scene.distance(fighter.name, patient.name)
    if tiles is not None and tiles > REACH:
        refuse(intent, f"{patient.name} is {tiles} tiles away; treating reaches {REACH}", "STEP-16")
    taken = patient.pools["nonlethal"]
    if intent.get("nonlethal") and not taken:
        refuse(intent, f"{patient.name} has no non-lethal wounds", "STEP-35", final=True)
    lethal = patient.pools["health"] < patient.full("health")
    if not lethal and not taken and TREATED not in patient.ends.values():
        refuse(intent, f"{patient.name} has no wounds to treat", "STEP-34", final=True)


def item_in_use(fighter: Fighter, intent: Intent) -> str:
    """The item to treat with: as named, else the first help to medicine that is not used up; empty for none."""
    items = fighter.sheet["items"]
    fitting = [one for one in items if spelled(items[one].get("asset", "")) == MEDICINE]
    named = intent.get("item")
    if named and named not in fitting:
        hint = f"{fighter.name} carries {', '.join(fitting) or 'nothing for it'}"
        refuse(intent, f"the {named} is no help to medicine", "STEP-34", hint, final=True)
    if named or intent.get("assets") is not None:
        return str(named or "")
    return next((one for one in fitting if fighter.pools.get(f"uses:{one}", 1) > 0), "")


def treat(table: RuleTable, setup: TreatmentSetup) -> TreatmentResult:
    """STEP-34 to STEP-36: the roll, and what it heals."""
    worth = table.ask(help_with, setup.helpers) if setup.helpers else 0
    table.label("heal", setup.who, f"d{setup.sides}")
    natural, bonus = table.ask(roll, setup.sides), setup.bonus + worth
    total, success = total_of(natural, bonus), succeeds(natural, bonus, DIFFICULTY)
    more = extras(total) if success else 0
    noted = ({"added": worth} if worth else {}) | ({"extras": more} if more else {})
    table.result(total=total, target=DIFFICULTY, success=success, **noted, **critical(natural))
    healed = setup.each * (1 + more) if success else 0
    return TreatmentResult(success, total, healed, success and not setup.each)


def heal(changes: Changes, intent: Intent, setup: Setup, result: TreatmentResult) -> None:
    """STEP-35, STEP-36: wounds fewer, or stable; what lasted until treated is over (STEP-32)."""
    if not result.success:
        return
    patient = changes.fighter(intent.target or intent.actor)
    if result.stabilised:
        until = ("end-round", changes.scene.round + ROUNDS)
        changes.begin(patient.name, "stable", "STEP-36")
        changes.begin(patient.name, "incapacitated", "STEP-36", until=until)
        return
    if setup.dice.each == TWICE:
        healed = changes.number("STEP-35").from_dice("heal", -result.healed)
        changes.adjust(patient.name, "nonlethal", healed, "STEP-35")
    else:
        healed = changes.number("STEP-35").from_dice("heal", result.healed)
        changes.adjust(patient.name, "health", healed, "STEP-35")
    for condition, end in patient.ends.items():
        if tuple(end) == TREATED:
            changes.end(patient.name, condition, "STEP-32")


HEAL = Action(
    "Treat wounds",
    "STEP-34",
    treatment_setup,
    heal,
    treat,
    costs=(Cost("ap", 2, rule="STEP-16"),),
    gear="items",
    candidates=patients("heal"),
    targets="patient",
    options=("item", "assets", "nonlethal", "old", "aid"),
    says={
        "bare": "{actor} treats {target}",
        "self:bare": "{actor} treats their own wounds",
        "": "{actor} treats {target} with the {gear}",
        "self": "{actor} uses the {gear} on {actor}",
    },
)

# What time heals

ROUGH, POOR = -2, -2
"""STEP-37: travelling rough; cold, heat or rain."""
HOURS = 24
"""Hours of a day, each healing a non-lethal wound (a reading)."""
LONGEST = 1000
"""Days, or hours, that may pass at once."""


class RestSetup(NamedTuple):
    """What the dice of natural healing depend on."""

    who: str
    sides: int
    bonus: int
    days: int
    health: int
    most: int


class RestResult(NamedTuple):
    """What the time came to."""

    success: bool | None
    health: int
    worse: bool
    """A critical failure has opened a stable patient's wound, or felled a patient: dying (a reading)."""

    @property
    def word(self) -> str:
        """In one word."""
        return "rested"


def rest_setup(scene: Scene, intent: Intent) -> Setup:
    """STEP-37: days and hours, outside a crisis; by default one day."""
    patient = scene.fighters[intent.target or intent.actor]
    hours, days = intent.get("hours", 0), intent.get("days", 0 if intent.get("hours") else 1)
    if not (0 <= hours <= LONGEST and 0 <= days <= LONGEST):
        refuse(intent, f"0 to {LONGEST} hours or days can pass at once", "STEP-37", final=True)
    if scene.open:
        refuse(intent, "wounds heal by themselves between crises", "STEP-37", "end it first: crisis end")
    if is_dead(patient):
        refuse(intent, f"{patient.name} is dead", "STEP-37", final=True)
    if is_dying(patient):
        hint = f"stabilise them first: crisis heal WHO {slug(patient.name)}"
        refuse(intent, f"{patient.name} is dying", "STEP-37", hint, final=True)
    sides, found = skilled(patient, "heal", "body", "STEP-37")
    care = intent.get("care", "none")
    found.asked(intent).add(f"care: {care}", CARE[care])
    found.add("rough travel", ROUGH * bool(intent.get("rough")))
    found.add("poor conditions", POOR * bool(intent.get("poor")))
    dice = RestSetup(patient.name, sides, found.total, days, patient.pools["health"], patient.full("health"))
    return Setup(dice, tuple(found), known=hours + HOURS * days)


def rest(table: RuleTable, setup: RestSetup) -> RestResult:
    """STEP-37: a body roll for each day that begins with wounds."""
    health, worse = table.chain(setup.days, day, (setup.health, False), setup)
    return RestResult(health > setup.health if setup.days else None, health, worse)


def day(table: RuleTable, state: tuple[int, bool], setup: RestSetup) -> tuple[int, bool]:
    """STEP-37: one day; a patient who is whole, dying or dead does not roll."""
    health, worse = state
    if health >= setup.most or worse or health <= LOWEST:
        return state
    table.label("heal", setup.who, f"d{setup.sides}")
    natural = table.ask(roll, setup.sides)
    success = succeeds(natural, setup.bonus, DIFFICULTY)
    total = total_of(natural, setup.bonus)
    table.result(total=total, target=DIFFICULTY, success=success, **critical(natural))
    health += 1 if success else -1 if natural == CRITICAL_FAILURE else 0
    return health, natural == CRITICAL_FAILURE and health <= 0


def recover(changes: Changes, intent: Intent, setup: Setup, result: RestResult) -> None:
    """STEP-37: Health as the days leave it; a non-lethal wound less for each hour."""
    who, before = setup.dice.who, setup.dice.health
    healed = changes.number("STEP-37").from_dice("heal", result.health - before)
    changes.adjust(who, "health", healed, "STEP-37")
    hours = changes.number("STEP-37").add("hours", -setup.known)
    changes.adjust(who, "nonlethal", hours, "STEP-37")
    if result.worse:
        changes.end(who, "stable", "STEP-36")


NATURAL = Action(
    "Let time heal",
    "STEP-37",
    rest_setup,
    recover,
    rest,
    window="table",
    targets="patient",
    options=("natural", "hours", "days", "care", "rough", "poor"),
    says="{target} rests",
)
