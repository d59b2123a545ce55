"""Treating wounds (D100-28)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from ...engine.dice_amount import Amount, sum_of
from ...engine.events import Event, shift
from ...engine.scene import Fighter, Intent, Scene
from ...engine.system import Action, Cost, Setup, refuse
from ...rules.equipment import patients
from ...rules.situational import circumstance, standing
from .actions import whole
from .acts import REACH
from .checks import asked, assist, edge_of, obstacle, rated, rolled, total
from .damage import die_of


class Care(NamedTuple):
    """All that the dice of a treatment need to know."""

    who: str
    target: int
    edge: int


class Treated(NamedTuple):
    """What a treatment came to, before the maximum is looked at."""

    success: bool
    total: int
    """The face that counted."""
    healed: int

    @property
    def word(self) -> str:
        """In one word."""
        return "healed" if self.success else "failure"


def stake(scene: Scene, intent: Intent) -> Setup:
    """D100-28: medicine, an Assist for an aid, an Obstacle for treating oneself."""
    fighter = scene.fighters[intent.actor]
    patient = scene.fighters[intent.target or intent.actor]
    item = intent.get("item") or _fitting(fighter)
    things = fighter.sheet["items"]
    if item and not things.get(item, {}).get("aid"):
        carried = ", ".join(one for one, thing in things.items() if thing["aid"]) or "none"
        refuse(intent, f"the {item} is no aid in treating wounds", "D100-28", f"aids: {carried}", final=True)
    if patient.pools["health"] >= patient.full("health"):
        refuse(intent, f"{patient.name} is unhurt", "D100-28")
    distance = scene.distance(fighter.name, patient.name)
    if distance is not None and distance > REACH:
        refuse(intent, f"{patient.name} is {distance} m away; treating reaches {REACH} m", "D100-28")
    edge, edges = edge_of(intent, "check")
    modifiers = rated(fighter, "check", "medicine") + standing(fighter, "check", "heal")
    modifiers += [assist("check", item, "D100-28", f"items.{item}")] if item else []
    if patient.name == fighter.name:
        modifiers.append(obstacle("check", "treating oneself", "D100-28", ""))
    modifiers += asked(intent, "check") + circumstance(intent, "check") + edges
    used = (Cost(f"uses:{item}", rule="D100-28"),) if "uses" in things.get(item, {}) else ()
    return Setup(Care(fighter.name, total(modifiers, "check"), edge), tuple(modifiers), used, item)


def _fitting(fighter: Fighter) -> str:
    """The first aid that is not used up; nothing where there is none."""
    aids = [item for item, thing in fighter.sheet["items"].items() if thing["aid"]]
    return next((item for item in aids if fighter.pools.get(f"uses:{item}", 1) > 0), "")


def treat(table: Any, care: Care) -> Treated:
    """D100-28: success restores d(rating after changes / 10), at least 1."""
    success, face = rolled(table, "check", care.who, care.target, care.edge)
    return Treated(success, face, table.ask(restored, care.who, die_of(care.target)) if success else 0)


def restored(table: Any, who: str, sides: int) -> int:
    """A rule: the health that a treatment gives; a d1 is not rolled."""
    if sides == 1:
        return 1
    table.label("heal", who, f"d{sides}")
    points = sum_of(table, Amount(1, sides))
    table.result(total=points)
    return points


def mend(scene: Scene, intent: Intent, care: Care, outcome: Treated) -> Iterable[Event]:
    """D100-28: up to the maximum; at 1 or more whoever was down is up again."""
    return shift(scene, intent.target or intent.actor, "health", outcome.healed, "D100-28")


HEAL = whole(
    Action(
        "Treat wounds",
        "D100-28",
        stake,
        mend,
        treat,
        gear="items",
        candidates=patients("heal"),
        targets="patient",
        options=("item", "assist", "obstacle", "plus", "minus"),
    )
)
