"""First aid, stabilising, resting (POOL-37, POOL-39)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from ...engine.events import Event, change, shift
from ...engine.scene import Fighter, Intent, Scene
from ...engine.system import Action, Cost, Setup, refuse
from ...rules.equipment import patients
from .checks import trying
from .conditions import level_of
from .deeds import deed
from .luck import Hand, repaid, spent
from .pool import Scale
from .rolls import SPENDING, asked, dice_for, hand_of, least_for, successes, total
from .sheet import value_of

REACH = 1
"""Metres to a patient (a reading)."""
BARE = 1
"""POOL-39: the boost that first aid without aids gives."""
REST = ("resistance", "endurance", "willpower")
"""POOL-39: the dice of a rest."""


class Care(NamedTuple):
    """All that the dice of a treatment need to know."""

    hand: Hand
    needs: int
    """Successes: one, of the dying as many as the level (POOL-37)."""
    dying: bool


class Treated(NamedTuple):
    """What a treatment came to."""

    success: bool
    total: int
    stabilised: bool
    repaid: tuple[str, ...] = ()

    @property
    def counted(self) -> str:
        """What the total is."""
        return "successes"

    @property
    def word(self) -> str:
        """In one word."""
        return ("stabilised" if self.stabilised else "healed") if self.success else "failure"


def stake(scene: Scene, intent: Intent) -> Setup:
    """POOL-39: first aid, with a thing that heals if there is one; POOL-37: the dying are stabilised."""
    fighter, patient = scene.fighters[intent.actor], scene.fighters[intent.target or intent.actor]
    if patient.has("dead"):
        refuse(intent, f"{patient.name} is dead", "POOL-37", final=True)
    distance = scene.distance(fighter.name, patient.name)
    if distance is not None and distance > REACH:
        refuse(intent, f"{patient.name} is {distance} m away; treating reaches {REACH} m", "POOL-39")
    item = _item(fighter, intent)
    level = level_of(patient, "dying")
    skill = "first-aid"
    if level:
        skill = max(("first-aid", "medicine"), key=lambda one: value_of(fighter.sheet, one)[0])
    hand, modifiers, costs = trying(scene, intent, "heal", skill)
    used = (Cost(f"uses:{item}", rule="POOL-39"),) if "uses" in fighter.sheet["items"].get(item, {}) else ()
    return Setup(Care(hand, max(1, level), level > 0), modifiers, (*costs, *used), item)


def _item(fighter: Fighter, intent: Intent) -> str:
    """The thing to treat with: as named, else the first that heals and is not used up."""
    things = fighter.sheet["items"]
    fitting = [one for one, thing in things.items() if "heals" in thing]
    named: str = intent.get("item") or ""
    if named and named not in fitting:
        carried = f"{fighter.name} carries {', '.join(fitting) or 'nothing for it'}"
        refuse(intent, f"the {named} does not heal", "POOL-39", carried, final=True)
    return named or next((one for one in fitting if fighter.pools.get(f"uses:{one}", 1) > 0), "")


def treat(table: Any, care: Care) -> Treated:
    """POOL-37, POOL-39: as many successes as it needs."""
    found, used = successes(table, "heal", care.hand, care.needs)
    if care.needs > 1:
        table.result(difficulty=care.needs)
    return Treated(found >= care.needs, found, care.dying and found >= care.needs, used)


def mend(scene: Scene, intent: Intent, care: Care, outcome: Treated) -> Iterator[Event]:
    """POOL-39: hearts on top, and no more bleeding; POOL-37: stabilised, and unconscious without a heart left."""
    yield from repaid(scene, intent, outcome.repaid)
    patient = intent.target or intent.actor
    if not outcome.success:
        return
    if care.dying:
        yield from change(scene, patient, "condition:stable", True, "POOL-37")
        yield from change(scene, patient, "condition:dying", False, "POOL-37")
        yield from change(scene, patient, "condition:unconscious", 1, "POOL-37")
        return
    item = _item(scene.fighters[intent.actor], intent)
    heals = (
        scene.fighters[intent.actor].sheet["items"].get(item, {}).get("heals", {"boost": BARE, "wounds": 0})
    )
    yield from shift(scene, patient, "boost", heals["boost"], "POOL-39")
    yield from shift(scene, patient, "wounds", -heals["wounds"], "POOL-39")
    yield from change(scene, patient, "condition:bleeding", False, "POOL-39")


HEAL = deed(
    Action(
        "Give first aid",
        "POOL-39",
        stake,
        mend,
        treat,
        gear="items",
        candidates=patients("heal"),
        targets="patient",
        options=("item", *SPENDING),
    )
)


class Rested(NamedTuple):
    """What a rest came to."""

    success: bool
    healed: int
    repaid: tuple[str, ...] = ()

    @property
    def word(self) -> str:
        """In one word."""
        return "rested"


def rest_stake(scene: Scene, intent: Intent) -> Setup:
    """POOL-39: six hours, and so not in a crisis; resistance, endurance and willpower of whoever rests, and what is
    spent on it (POOL-7), which is there again afterwards."""
    patient = scene.fighters[intent.target or intent.actor]
    if patient.has("dead") or patient.has("dying"):
        refuse(
            intent, f"{patient.name} is {'dead' if patient.has('dead') else 'dying'}", "POOL-39", final=True
        )
    if scene.open:
        refuse(intent, "a rest takes six hours: not in a crisis", "POOL-39", "end it first: crisis end")
    dice = [one for skill in REST for one in dice_for(patient, "rest", skill, free=True)]
    found = dice + least_for(patient, "rest", "rest", free=True) + asked(intent, "rest")
    own = intent._replace(actor=patient.name)
    for cost in spent(scene, own):
        if patient.pools[cost.pool] < cost.amount:
            has = f"{patient.name} has {patient.pools[cost.pool]} {cost.pool.replace('-', ' ')}"
            refuse(intent, f"{has}, not {cost.amount}", cost.rule, "leave it out")
    return Setup(hand_of(scene, own, total(found, "rest dice"), Scale(total(found, "rest"))), tuple(found))


def rest(table: Any, hand: Hand) -> Rested:
    """POOL-39: a wound less for each success."""
    found = successes(table, "rest", hand)[0]
    return Rested(found > 0, found)


def recover(scene: Scene, intent: Intent, hand: Hand, outcome: Rested) -> Iterator[Event]:
    """POOL-39: wounds heal, boosts are gone, and the dice that one spends are there again."""
    fighter = scene.fighters[hand.who]
    yield from shift(scene, hand.who, "wounds", -outcome.healed, "POOL-39")
    yield from change(scene, hand.who, "boost", 0, "POOL-39")
    for pool in ("bonus-dice", "destiny-dice", "rerolls"):
        yield from change(scene, hand.who, pool, fighter.full(pool), "POOL-39")


RESTING = Action(
    "Rest for six hours",
    "POOL-39",
    rest_stake,
    recover,
    rest,
    window="table",
    targets="patient",
    options=("rest", *SPENDING),
)
