"""What an attack is made with and what makes it hard: the weapon, zones, reach, cover (2D20-12 to 2D20-15, 2D20-20)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...engine.record import Modifier
from ...engine.scene import Fighter, Intent, Scene, slug
from ...engine.system import refuse
from ...rules.equipment import in_hand
from .conditions import ARMS, fallen
from .harm import cover_dice
from .sheet import BANDS, CLOSE, THROWN, UNARMED, derived
from .words import PLACES

REACH = "reach"
"""The mark of two in one zone who are in each other's reach: `reach:NAME` (2D20-15)."""
DEFENDING = "defending"
"""The mark of what defending adds to defense (2D20-11)."""
THING, OBJECT = "object", {"type": "throwing", "damage": 1, "damage_type": "physical", "effects": []}
"""2D20-28: whatever lies about, thrown (a reading)."""
MOST_AP = 3
"""2D20-19: AP that can be turned into damage dice."""
MANY = 99
"""Rounds of a weapon that does not count them."""
CALLED, CROWDED, BLAST = 1, 2, 2
"""2D20-13, 2D20-15, 2D20-28: for a location called, for shooting with an enemy in reach, against a zone."""


def zones(here: Sequence[float], there: Sequence[float]) -> int:
    """ALL-4: the borders to cross from one zone to another."""
    return int(max(abs(here[0] - there[0]), abs(here[1] - there[1])) + 0.5)


def between(scene: Scene, one: str, other: str) -> int | None:
    """The zones between two fighters; None without positions (ALL-4)."""
    here, there = scene.fighters[one].at, scene.fighters[other].at
    return None if here is None or there is None else zones(here, there)


def apart(scene: Scene, intent: Intent) -> int | None:
    """The zones to what is attacked: as said with the action, else between the positions (ALL-4)."""
    if intent.get("range") is not None:
        return int(intent.get("range"))
    here, place = scene.fighters[intent.actor].at, intent.get("at")
    if place is not None:
        return None if here is None else zones(here, place)
    return between(scene, intent.actor, intent.target)


def weapon_in_use(scene: Scene, intent: Intent, *, quietly: bool = False) -> tuple[str, Mapping[str, Any]]:
    """The weapon of an attack, or what is thrown, with its name: as asked for, else in hand, else on the sheet.

    In a crisis it must be in hand (2D20-11), unless `quietly`.
    """
    fighter = scene.fighters[intent.actor]
    weapons: Mapping[str, Mapping[str, Any]] = fighter.sheet["weapons"]
    hurls = intent.action == "throw"
    name = intent.get("weapon") or ""
    if not name:
        able = [one for one in fighter.held if one in weapons]
        if hurls:
            able = [one for one in (*able, *weapons) if weapons[one]["type"] in THROWN]
        name = able[0] if able else THING if hurls else "unarmed"
    if name == "unarmed":
        if hurls:
            refuse(intent, "bare hands cannot be thrown", "2D20-28", final=True)
        return name, UNARMED
    if name == THING:
        return name, OBJECT
    if not quietly:
        in_hand(scene, intent, name, "2D20-11")
    weapon = weapons[name]
    if hurls and weapon["type"] not in THROWN:
        # A blade thrown is as sharp as ever; a gun is an object like any other.
        return name, {**weapon, "type": "throwing"} if weapon["type"] in CLOSE else {**OBJECT, "ammo": None}
    return name, weapon


def able(intent: Intent, fighter: Fighter) -> None:
    """2D20-22: refused where both arms are injured (with one, what it held is dropped)."""
    if all(fighter.has(f"injured-{arm}") for arm in ARMS):
        refuse(
            intent,
            f"{fighter.name} has no arm left to use",
            "2D20-22",
            "first aid: crisis heal WHO --treat PLACE",
        )


def hard(
    scene: Scene, intent: Intent, name: str, weapon: Mapping[str, Any], target: Fighter | None
) -> Iterator[Modifier]:
    """2D20-12, 2D20-13, 2D20-15, 2D20-28: all that the difficulty of an attack is made of, but the attacker."""

    def part(name: str, value: int, rule: str, source: str = "") -> Modifier:
        return Modifier("difficulty", name, value, rule, source)

    distance, close = apart(scene, intent), weapon["type"] in CLOSE
    ideal = BANDS.index(weapon.get("range", "close"))
    if close and distance:
        refuse(
            intent,
            f"{intent.target} is {distance} zone{'s' if distance > 1 else ''} away; hand to hand takes the same zone",
            "2D20-15",
            hint=f"go there: crisis act {slug(intent.actor)} move --to X,Y",
        )
    if "blast" in weapon["effects"]:
        yield part("a whole zone", BLAST, "2D20-28", f"weapons.{name}")
    elif target is not None:
        yield part("defense", derived(target.sheet, "defense"), "2D20-13", "sheet")
        if target.marks.get(DEFENDING):
            yield part("defending", target.marks[DEFENDING], "2D20-11", target.name)
    if intent.get("location"):
        yield part(intent.get("location"), CALLED, "2D20-13", "--location")
    band = 0 if close else ideal if distance is None else min(distance, len(BANDS) - 1)
    if not close and band != ideal:
        yield part(f"{BANDS[band]} range", abs(band - ideal), "2D20-15", f"best at {BANDS[ideal]}")
    crowd = in_reach(scene, intent)
    if not close and crowd:
        yield part(
            f"{crowd[0]} in reach", CROWDED, "2D20-15", "--reach" if intent.get("reach") else "hand to hand"
        )
    foe = target is not None and target.side != scene.fighters[intent.actor].side
    if target is not None and foe and target.has("prone") and "blast" not in weapon["effects"]:
        yield part("prone", 1 if band else -1, "2D20-12", target.name)


def in_reach(scene: Scene, intent: Intent) -> list[str]:
    """2D20-15: the enemies within the attacker's reach, by what has happened or as the action says (a reading)."""
    fighter = scene.fighters[intent.actor]
    foes = [one.name for one in scene.foes(fighter.name) if not fallen(one)]
    said = intent.get("reach", ())
    known = [
        name
        for name in foes
        if fighter.marks.get(f"{REACH}:{name}") and not between(scene, fighter.name, name)
    ]
    return [name for name in foes if name in said or name in known]


def behind(scene: Scene, intent: Intent, target: Fighter) -> int:
    """2D20-20: the cover dice of a target; behind total cover it cannot be attacked."""
    level = intent.get("cover") or target.cover.get(intent.actor, "none")
    if level == "total":
        refuse(intent, f"{target.name} is in total cover", "2D20-20", "get round it, or wait")
        level = "heavy"
    return cover_dice(level)


def called(intent: Intent, weapon: Mapping[str, Any]) -> int:
    """2D20-13: which location is called for, by its place in PLACES; −1 where dice decide."""
    place = intent.get("location")
    if place and "blast" in weapon["effects"]:
        refuse(intent, "a blast cannot be called", "2D20-28", "leave --location out", final=True)
    return PLACES.index(place) if place else -1
