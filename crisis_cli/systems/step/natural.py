"""What time heals by itself (STEP-37)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from ...engine.events import Event, change
from ...engine.record import Modifier
from ...engine.scene import Intent, Scene, slug
from ...engine.system import Action, Setup, refuse
from ...rules.situational import circumstance
from .checks import failed
from .conditions import is_dead, is_dying
from .rolls import CRITICAL_FAILURE, DIFFICULTY, reached, roll, skilled, succeeds, total
from .sheet import LOWEST
from .words import CARE

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
