"""Rest between crises, as the story of a campaign records it: a night or some hours, for one fighter or several."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..dice.table import Table
from ..errors import Refused
from .changes import Changes, ExplainedNumber
from .conditions import set_condition
from .consequences import Resolution, put, settle
from .dice_amount import Amount
from .events import Event, fighter_of, plain, record_of
from .record import Modifier
from .resolve import act
from .scene import Fighter, Intent, Scene, slug

if TYPE_CHECKING:
    from .system import System

HOUSE = "house rule"
"""What stands for a rule where the campaign has one of its own."""
BETWEEN = ("downtime", "care")
"""The actions of a story whose fighters are as their sheets say, and that write the sheets of their targets."""
BEYOND = ("dead", "dying")
"""The ways of being defeated that no house rule heals."""


def rest(system: System, scene: Scene, intent: Intent, table: Table) -> Resolution:
    """The fighters of the intent, as their sheets say, after a night (`days`) or some hours: each heals by `house`,
    amounts by pool, or else by the action of the system with the options `care`. Then the conditions `ends` are over;
    for those who are out of the fight, only such as no sheet keeps. Refused where one of them cannot rest."""
    events: list[Event] = []
    modifiers: list[Modifier] = []
    stakes: list[Any] = []
    for record in intent.get("fighters", ()):
        scene = put(scene, events, come(scene, record))
    house: Mapping[str, str | int] | None = intent.get("house")
    for who in intent.targets:
        if house is not None:
            healed, added = _by_house_rule(system, scene, who, house, table)
            scene = put(scene, events, settle(system, scene, healed))
            modifiers += added
        for own in actions_of(system, who, intent) if house is None else ():
            done = act(system, scene, own, table)
            scene = put(scene, events, done.events)
            modifiers += (one if one.against else one._replace(against=who) for one in done.modifiers)
            stakes.append(done.stake)
        for name in intent.get("ends", ()):
            kind = system.conditions[name]
            if not kind.lasting or not system.fallen(scene.fighters[who]):
                ended = set_condition(kind, scene, who, name, False)
                scene = put(scene, events, settle(system, scene, ended))
    return Resolution(
        tuple(events), {"healed_by": healed_by(system, house)}, stakes or None, tuple(modifiers)
    )


def brought(intent: Intent) -> dict[str, Fighter]:
    """The fighters that an intent between fights brings as their sheets say; none of any other intent."""
    records = intent.get("fighters", ()) if intent.action in BETWEEN else ()
    return {record["name"]: fighter_of(record) for record in records}


def come(scene: Scene, record: Mapping[str, Any]) -> tuple[Event, ...]:
    """The event that brings a fighter as the sheet says now; none if the scene knows it so."""
    who = record["name"]
    known = scene.fighters.get(who)
    was, now = record_of(known) if known else None, record_of(fighter_of(record))
    return () if was == plain(now) else (Event(who, "fighter", was, now),)


def actions_of(system: System, who: str, intent: Intent) -> list[Intent]:
    """What a fighter who rests does by the rules of the system; nothing where they have no healing by rest."""
    if not system.rest.action:
        return []
    days, hours, needed = intent.get("days", 0), intent.get("hours", 0), system.rest.hours
    bare = Intent(system.rest.action, who, (), intent.get("care", {}))
    if not needed:
        return [bare.plus(days=days) if days else bare.plus(hours=hours)]
    if not days and hours < needed:
        raise Refused(
            f"a rest takes {needed} hours in {system.name}, not {hours}",
            hint=f"crisis rest --hours {needed}",
            code="too_short",
        )
    return [bare] * (days or hours // needed)


def healed_by(system: System, house: Mapping[str, Any] | None) -> str:
    """The rule by which a rest heals; empty where none does."""
    if house is not None:
        return HOUSE
    return system.actions[system.rest.action].rule_id if system.rest.action else ""


def _by_house_rule(
    system: System, scene: Scene, who: str, house: Mapping[str, str | int], table: Table
) -> tuple[tuple[Event, ...], list[Modifier]]:
    """What a night gives back by the rule of the campaign: an amount for each pool that has lost something; and what
    is added to its dice."""
    one = scene.fighters[who]
    fallen = system.fallen(one)
    if fallen in BEYOND:
        raise Refused(
            f"{who} is {fallen}, and no rest heals that",
            hint=f"name who rests: crisis rest WHO…; a clean sheet: crisis character reset {slug(who)}",
            code="condition_forbids",
        )
    changes = Changes(scene, ExplainedNumber)
    modifiers: list[Modifier] = []
    for pool, said in house.items():
        taken, dose = system.pools[pool].counts_up, Amount.of(said)
        if pool in one.pools and one.pools[pool] != (0 if taken else one.full(pool)):
            healed = table.ask(Amount.roll, "rest", who, dose, pool)
            if dose.many and dose.plus:
                modifiers.append(Modifier("rest", "flat", dose.plus, HOUSE, f"rest.{pool}", who, pool=pool))
            healing = changes.number(HOUSE).from_dice("rest", -healed if taken else healed)
            changes.adjust(who, pool, healing, HOUSE)
    return changes.events, modifiers
