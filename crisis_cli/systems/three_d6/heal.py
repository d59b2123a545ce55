"""Healing and other uses of things (3D6-29)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from ...engine.dice_amount import Amount, amount, thrown
from ...engine.events import Event, shift
from ...engine.scene import Fighter, Intent, Scene
from ...engine.system import Action, Cost, Setup, refuse
from ...rules.situational import circumstance, standing
from .checks import total
from .conditions import fallen
from .defence import REACH

HEALED = ("endurance", "health")
"""3D6-29: the pools that things restore, in the order of their dice."""


class Dose(NamedTuple):
    """What an item gives."""

    who: str
    item: str
    endurance: Amount
    health: Amount


class Treated(NamedTuple):
    """What a treatment came to, before the maximum is looked at."""

    success: bool
    total: int
    endurance: int
    health: int

    @property
    def word(self) -> str:
        """In one word."""
        return "healed" if self.total else "done"


def use_stake(scene: Scene, intent: Intent) -> Setup:
    """3D6-29: an item with uses left, on oneself or someone in reach; refused for the dead."""
    fighter = scene.fighters[intent.actor]
    patient = scene.fighters[intent.target or intent.actor]
    item = intent.get("item") or intent.get("thing") or _fitting(fighter, intent.action)
    things = fighter.sheet["items"]
    carried = ", ".join(things) or "nothing"
    if item not in things:
        what = "nothing that heals" if intent.action == "heal" else "nothing to use"
        refuse(
            intent, f"{fighter.name} has {what}", "3D6-29", f"{fighter.name} carries {carried}", final=True
        )
    heals = things[item].get("heals", {})
    if intent.action == "heal" and not heals:
        refuse(intent, f"the {item} heals nothing", "3D6-29", f"{fighter.name} carries {carried}", final=True)
    if fallen(patient):
        refuse(intent, f"{patient.name} is dead", "3D6-29", final=True)
    distance = scene.distance(fighter.name, patient.name)
    if distance is not None and distance > REACH:
        refuse(intent, f"{patient.name} is {distance} m away; treating reaches {REACH} m", "3D6-29")
    if "uses" in things[item] and not fighter.pools[f"uses:{item}"]:
        refuse(intent, f"the {item} of {fighter.name} is used up", "3D6-29", "use something else")
    full = all(patient.pools[pool] >= patient.full(pool) for pool in heals)
    dose = {pool: Amount() if full else amount(heals.get(pool, 0)) or Amount() for pool in HEALED}
    modifiers = [] if full else standing(fighter, "heal", "heal") + circumstance(intent, "heal")
    first = next((pool for pool in HEALED if dose[pool].many), "")
    if first:
        dose[first] = dose[first]._replace(plus=dose[first].plus + total(modifiers, "heal"))
    used = (Cost(f"uses:{item}", rule="3D6-29"),) if "uses" in things[item] and not (heals and full) else ()
    return Setup(Dose(intent.actor, item, **dose), tuple(modifiers if first else ()), used, item)


def _fitting(fighter: Fighter, action: str) -> str:
    """The first thing that heals and is not used up; for other uses the only thing there is."""
    things: dict[str, Any] = fighter.sheet["items"]
    if action != "heal":
        return next(iter(things)) if len(things) == 1 else ""
    healing = [item for item, thing in things.items() if thing.get("heals")]
    left = [item for item in healing if fighter.pools.get(f"uses:{item}", 1) > 0]
    return (left or healing or [""])[0]


def use(table: Any, dose: Dose) -> Treated:
    """3D6-29: what the item gives, Endurance before Health."""
    endurance = table.ask(restored, dose.who, dose.endurance)
    health = table.ask(restored, dose.who, dose.health)
    return Treated(True, endurance + health, endurance, health)


def restored(table: Any, who: str, worth: Amount) -> int:
    """One pool's worth of an item."""
    if not worth.many:
        return max(0, worth.plus)
    table.label("heal", who, worth.dice)
    points = max(0, thrown(table, worth))
    table.result(total=points)
    return points


def mend(scene: Scene, intent: Intent, dose: Dose, treated: Treated) -> Iterable[Event]:
    """3D6-29: never above the maximum."""
    patient = intent.target or intent.actor
    for pool in HEALED:
        yield from shift(scene, patient, pool, getattr(treated, pool), "3D6-29")


def _offers(action: str) -> Any:
    def candidates(scene: Scene, who: str) -> Iterator[Intent]:
        fighter = scene.fighters[who]
        for item, thing in fighter.sheet["items"].items():
            if action == "heal" and not thing.get("heals"):
                continue
            for patient in scene.of_side(fighter.side):
                yield Intent(action, who, (patient.name,), {"item": item})

    return candidates


def _row(action: str, title: str) -> Action:
    return Action(
        title,
        "3D6-29",
        use_stake,
        mend,
        use,
        costs=(Cost("ap", 2, "ap", "3D6-14"),),
        gear="items",
        candidates=_offers(action),
        targets="patient",
        options=("item",),
    )


HEAL = _row("heal", "Treat wounds with a thing carried")
USE_ITEM = _row("use-item", "Use a thing carried")
