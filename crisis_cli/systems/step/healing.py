"""Treating wounds, and what time heals (STEP-34 to STEP-37)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from ...engine.events import Event, change, shift
from ...engine.record import Modifier
from ...engine.scene import Fighter, Intent, Scene, slug
from ...engine.system import Action, Cost, Setup, refuse
from ...rules.equipment import patients
from ...rules.situational import circumstance
from .actions import aid, failed, helped
from .options import CARE
from .rolls import CRITICAL_FAILURE, DIFFICULTY, extras, reached, roll, skilled, succeeds, total
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


class Treatment(NamedTuple):
    """What counts for a treatment."""

    who: str
    sides: int
    bonus: int
    each: int
    """Wounds healed by success, and by each extra; 0: a dying patient is stabilised."""
    helpers: tuple[Any, ...] = ()


class Treated(NamedTuple):
    """What a treatment came to."""

    success: bool
    total: int
    healed: int
    """Wounds, before it is looked at how many there are."""
    stabilised: bool

    @property
    def word(self) -> str:
        """In one word."""
        return ("stabilised" if self.stabilised else "healed") if self.success else "failure"


def treat_stake(scene: Scene, intent: Intent) -> Setup:
    """STEP-34: medicine at 4; refused where there is nothing to treat, or nobody within reach."""
    fighter, patient = scene.fighters[intent.actor], scene.fighters[intent.target or intent.actor]
    _treatable(scene, intent, fighter, patient)
    item = _item(fighter, intent)
    sides, modifiers = skilled(fighter, "heal", MEDICINE, "STEP-34")
    modifiers += circumstance(intent, "heal")
    if patient.name == fighter.name:
        modifiers.append(Modifier("heal", "treating oneself", SELF, "STEP-34"))
    count = intent.get("assets", 1 if item else 0)
    if count < 0:
        refuse(intent, f"{count} assets are none", "STEP-34", final=True)
    worth, source = (count - 1 if count else NO_AIDS), item or "--assets"
    if worth:
        modifiers.append(Modifier("heal", "assets" if count else "no aids", worth, "STEP-34", source))
    helpers, aiding = aid(scene, intent, MEDICINE)
    lethal = patient.pools["health"] < patient.full("health")
    nonlethal = bool(intent.get("nonlethal", not lethal))
    each = 0 if is_dying(patient) and not intent.get("nonlethal") else TWICE if nonlethal else 1
    used = item and "uses" in fighter.sheet["items"][item]
    return Setup(
        Treatment(fighter.name, sides, total(modifiers, "heal"), each, helpers),
        (*modifiers, *aiding),
        (Cost(f"uses:{item}", rule="STEP-34"),) if used else (),
        item,
    )


def _treatable(scene: Scene, intent: Intent, fighter: Fighter, patient: Fighter) -> None:
    if is_dead(patient):
        refuse(intent, f"{patient.name} is dead", "STEP-34", final=True)
    if intent.get("old"):
        refuse(
            intent,
            "wounds older than an hour only heal naturally",
            "STEP-34",
            hint=f"crisis heal {slug(patient.name)} --natural --days 1",
        )
    distance = scene.distance(fighter.name, patient.name)
    if distance is not None and distance > REACH:
        refuse(intent, f"{patient.name} is {distance} tiles away; treating reaches {REACH}", "STEP-16")
    taken = patient.pools["nonlethal"]
    lethal = patient.pools["health"] < patient.full("health")
    if intent.get("nonlethal") and not taken:
        refuse(intent, f"{patient.name} has no non-lethal wounds", "STEP-35", final=True)
    if not lethal and not taken and TREATED not in patient.ends.values():
        refuse(intent, f"{patient.name} has no wounds to treat", "STEP-34", final=True)


def _item(fighter: Fighter, intent: Intent) -> str:
    """The thing to treat with: as named, else the first help to medicine that is not used up."""
    things = fighter.sheet["items"]
    fitting = [one for one in things if spelled(things[one].get("asset", "")) == MEDICINE]
    named = intent.get("item")
    if named and named not in fitting:
        hint = f"{fighter.name} carries {', '.join(fitting) or 'nothing for it'}"
        refuse(intent, f"the {named} is no help to medicine", "STEP-34", hint, final=True)
    if named or intent.get("assets") is not None:
        return str(named or "")
    return next((one for one in fitting if fighter.pools.get(f"uses:{one}", 1) > 0), "")


def treat(table: Any, stake: Treatment) -> Treated:
    """STEP-34 to STEP-36: the roll, and what it heals."""
    worth = table.ask(helped, stake.helpers) if stake.helpers else 0
    table.label("heal", stake.who, f"d{stake.sides}")
    natural, bonus = table.ask(roll, stake.sides), stake.bonus + worth
    reach, success = reached(natural, bonus), succeeds(natural, bonus, DIFFICULTY)
    more = extras(reach) if success else 0
    added = ({"added": worth} if worth else {}) | ({"extras": more} if more else {})
    table.result(total=reach, target=DIFFICULTY, success=success, **added, **failed(natural))
    return Treated(success, reach, stake.each * (1 + more) if success else 0, success and not stake.each)


def mend(scene: Scene, intent: Intent, stake: Treatment, treated: Treated) -> Iterable[Event]:
    """What a treatment changes (STEP-35, STEP-36); what lasted until treated is over (STEP-32)."""
    patient = scene.fighters[intent.target or intent.actor]
    if not treated.success:
        return
    if treated.stabilised:
        yield from change(scene, patient.name, "condition:stable", True, "STEP-36")
        yield from change(scene, patient.name, "condition:incapacitated", True, "STEP-36")
        until = ("end-round", scene.round + ROUNDS)
        yield from change(scene, patient.name, "until:incapacitated", until, "STEP-36")
        return
    if stake.each == TWICE:
        yield from shift(scene, patient.name, "nonlethal", -treated.healed, "STEP-35")
    else:
        yield from shift(scene, patient.name, "health", treated.healed, "STEP-35")
    for condition, end in patient.ends.items():
        if tuple(end) == TREATED:
            yield from change(scene, patient.name, f"condition:{condition}", False, "STEP-32")
            yield from change(scene, patient.name, f"until:{condition}", None, "STEP-32")


HEAL = Action(
    "Treat wounds",
    "STEP-34",
    treat_stake,
    mend,
    treat,
    costs=(Cost("ap", 2, rule="STEP-16"),),
    gear="items",
    candidates=patients("heal"),
    targets="patient",
    options=("item", "assets", "nonlethal", "old", "aid"),
)


ROUGH, POOR = -2, -2
HOURS = 24
"""Hours of a day, each healing a non-lethal wound (a reading)."""
LONGEST = 1000
"""Days, or hours, that may pass at once."""


class Convalescence(NamedTuple):
    """What counts for someone who waits for wounds to heal."""

    who: str
    sides: int
    bonus: int
    days: int
    health: int
    most: int


class Rested(NamedTuple):
    """What the time came to."""

    success: bool | None
    health: int
    worse: bool
    """A critical failure has opened a wound of someone stable, or felled someone: dying (a reading)."""

    @property
    def word(self) -> str:
        """In one word."""
        return "rested"


def rest_stake(scene: Scene, intent: Intent) -> Setup:
    """STEP-37: days and hours, outside a crisis; by default one day."""
    patient = scene.fighters[intent.target or intent.actor]
    hours, days = intent.get("hours", 0), intent.get("days", 0 if intent.get("hours") else 1)
    if not (0 <= hours <= LONGEST and 0 <= days <= LONGEST):
        refuse(intent, f"0 to {LONGEST} hours or days can pass at once", "STEP-37", final=True)
    if scene.open:
        refuse(intent, "wounds heal by themselves between crises", "STEP-37", "end it first: crisis end")
    if is_dead(patient) or is_dying(patient):
        how = "dead" if is_dead(patient) else "dying"
        hint = "" if is_dead(patient) else f"stabilise them first: crisis heal WHO {slug(patient.name)}"
        refuse(intent, f"{patient.name} is {how}", "STEP-37", hint, final=True)
    sides, modifiers = skilled(patient, "heal", "body", "STEP-37")
    modifiers += circumstance(intent, "heal")
    care = intent.get("care", "none")
    told = {f"care: {care}": CARE[care], "rough travel": ROUGH * bool(intent.get("rough"))}
    told["poor conditions"] = POOR * bool(intent.get("poor"))
    modifiers += [Modifier("heal", name, worth, "STEP-37") for name, worth in told.items() if worth]
    stake = Convalescence(
        patient.name,
        sides,
        total(modifiers, "heal"),
        days,
        patient.pools["health"],
        patient.full("health"),
    )
    return Setup(stake, tuple(modifiers))


def rest(table: Any, stake: Convalescence) -> Rested:
    """STEP-37: a body roll for each day that begins with wounds."""
    health, worse = table.chain(stake.days, day, (stake.health, False), stake)
    return Rested(health > stake.health if stake.days else None, health, worse)


def day(table: Any, state: tuple[int, bool], stake: Convalescence) -> tuple[int, bool]:
    """A rule: one day; nobody who is whole, dying or dead rolls."""
    health, worse = state
    if health >= stake.most or worse or health <= LOWEST:
        return state
    table.label("heal", stake.who, f"d{stake.sides}")
    natural = table.ask(roll, stake.sides)
    success = succeeds(natural, stake.bonus, DIFFICULTY)
    table.result(total=reached(natural, stake.bonus), target=DIFFICULTY, success=success, **failed(natural))
    health += 1 if success else -1 if natural == CRITICAL_FAILURE else 0
    return health, natural == CRITICAL_FAILURE and health <= 0


def recover(scene: Scene, intent: Intent, stake: Convalescence, rested: Rested) -> Iterable[Event]:
    """STEP-37: Health as the days leave it; a non-lethal wound less for each hour."""
    name = stake.who
    yield from change(scene, name, "health", rested.health, "STEP-37")
    hours = intent.get("hours", 0) + HOURS * stake.days
    left = max(0, scene.fighters[name].pools["nonlethal"] - hours)
    yield from change(scene, name, "nonlethal", left, "STEP-37")
    if rested.worse:
        yield from change(scene, name, "condition:stable", False, "STEP-36")


NATURAL = Action(
    "Let time heal",
    "STEP-37",
    rest_stake,
    recover,
    rest,
    window="table",
    targets="patient",
    options=("natural", "hours", "days", "care", "rough", "poor"),
)
