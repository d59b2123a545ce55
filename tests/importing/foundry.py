"""Actors in the shape of the files of Foundry's Fallout module; what they hold is made up for the tests."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

Raw = dict[str, Any]
EFFECTS = (
    "arc",
    "breaking",
    "burst",
    "freeze",
    "persistent",
    "piercing_x",
    "radioactive",
    "spread",
    "stun",
    "tranquilize_x",
)
QUALITIES = (
    *(
        "accurate",
        "ammo_hungry_x",
        "blast",
        "bombard",
        "close_quarters",
        "concealed",
        "debilitating",
        "delay_x",
    ),
    *("gatling", "inaccurate", "limited", "mine", "night_vision", "parry", "placed", "recoil_x", "recon"),
    *(
        "reliable",
        "slow_load",
        "suppressed",
        "surge",
        "thrown",
        "two_handed",
        "unreliable",
        "unstable_radiation",
    ),
)
DAMAGE_TYPES = ("energy", "physical", "poison", "radiation")
PARTS = ("armL", "armR", "head", "legL", "legR", "torso")
PHYSICAL = {"cost": 7, "quantity": 1, "rarity": 1, "stashed": False, "weight": 3}
BASE = {"description": "<p>Made up.</p>", "favorite": False, "source": "tests"}


def of_kinds(values: dict[str, int] | None = None) -> Raw:
    return {kind: (values or {}).get(kind, 0) for kind in DAMAGE_TYPES}


def item(kind: str, name: str, **system: Any) -> Raw:
    """An item with an id made of its name."""
    ident = f"{kind}{name}".replace(" ", "")[:16].ljust(16, "0")
    return {
        "_id": ident,
        "name": name,
        "type": kind,
        "img": "icons/x.svg",
        "system": {**BASE, **system},
        "effects": [],
    }


def weapon(
    name: str,
    rating: int = 4,
    kinds: tuple[str, ...] = ("physical",),
    effects: tuple[str, ...] = (),
    qualities: tuple[str, ...] = (),
    rank: int = 2,
    **system: Any,
) -> Raw:
    """A weapon with these effects and qualities."""
    damage = {
        "damageEffect": {one: {"rank": rank, "value": one in effects} for one in (*EFFECTS, "vicious")},
        "damageType": {one: one in kinds for one in DAMAGE_TYPES},
        "rating": rating,
        "weaponQuality": {one: {"rank": rank, "value": one in qualities} for one in QUALITIES},
    }
    usual = {
        "ammo": "",
        "ammoPerShot": 1,
        "attribute": "",
        "creatureAttribute": "",
        "creatureSkill": "",
        "fireRate": 0,
    }
    more = {"equipped": False, "melee": False, "mods": {"current": 0, "list": "", "max": 2}, "range": "close"}
    values = {**PHYSICAL, **usual, **more, "damage": damage, "weaponType": "smallGuns", **system}
    return item("weapon", name, **values)


def skill(name: str, value: int, tag: bool = False) -> Raw:
    return item("skill", name, value=value, tag=tag, defaultAttribute="str", summary="")


def actor(kind: str, name: str, items: list[Raw], ident: str = "", **system: Any) -> Raw:
    """An actor of a kind with these items."""
    body = {
        "body_parts": {
            part: {"injuries": [0] * 5, "resistance": of_kinds(), "status": "healthy"} for part in PARTS
        },
        "bodyType": "humanoid",
        "immunities": {"poison": False, "radiation": False},
    }
    base = {"biography": "", "complication": 20, "level": {"currentXP": 0, "rewardXP": 14, "value": 1}}
    values = deepcopy({**body, **base, **system})
    ident = ident or name.replace(" ", "").ljust(16, "0")[:16]
    return {
        "_id": ident,
        "name": name,
        "type": kind,
        "img": "x.webp",
        "system": values,
        "items": items,
        "effects": [],
        "folder": None,
        "prototypeToken": {"name": name},
        "flags": {},
    }


def person(kind: str, name: str, items: list[Raw], attributes: int = 6, **system: Any) -> Raw:
    """A character, a robot or an NPC."""
    values = {
        "attributes": {
            key: {"value": attributes} for key in ("str", "per", "end", "cha", "int", "agi", "luc")
        },
        "defense": {"bonus": 0, "value": 0},
        "health": {"bonus": 0, "max": 0, "value": 9},
        "initiative": {"bonus": 0, "value": 0},
        "luckPoints": 3,
        "meleeDamage": {"bonus": 0, "value": 0},
        "resistance": of_kinds(),
    }
    return actor(kind, name, items, **{**values, **system})


def creature(name: str, items: list[Raw], **system: Any) -> Raw:
    """A creature."""
    number = {"max": 1, "min": 0, "mod": 0, "value": 0}
    usual = {
        "body": 7,
        "mind": 5,
        "melee": 4,
        "guns": 2,
        "other": 1,
        "health": 12,
        "initiative": 12,
        "defense": 1,
    }
    values: Raw = {key: {**number, "value": value} for key, value in usual.items()}
    values["resistance"] = {kind: {"locations": "", "value": 0} for kind in DAMAGE_TYPES}
    return actor("creature", name, items, **{**values, **system})


def worn(name: str, parts: tuple[str, ...], equipped: bool = True, **values: int) -> Raw:
    """A piece of armour."""
    location = {part: part in parts for part in PARTS}
    return item("apparel", name, **PHYSICAL, equipped=equipped, location=location, resistance=values)


MARLA = person(
    "character",
    "Marla Voss",
    [
        skill("Small Guns", 3, tag=True),
        skill("Medicine", 2),
        skill("Basket Weaving", 4),
        weapon(
            "Alley Sweeper",
            5,
            effects=(*EFFECTS, "vicious"),
            qualities=QUALITIES,
            ammo="Red Shell",
            fireRate=2,
            range="medium",
            equipped=True,
        ),
        weapon(
            "Tin Lance", 3, ("physical", "energy"), weaponType="meleeWeapons", qualities=("thrown", "parry")
        ),
        weapon(
            "Glass Popper", 6, (), weaponType="explosives", ammo="Glass Popper", qualities=("blast", "thrown")
        ),
        weapon("Silent Bow", 2, weaponType="bows"),
        item("ammo", "Red Shell", **{**PHYSICAL, "quantity": 17}),
        worn("Padded Coat", ("torso", "armL", "armR"), physical=2, energy=1),
        worn("Iron Plate", ("torso",), physical=3),
        worn("Spare Hat", ("head",), equipped=False, physical=1),
        item(
            "consumable",
            "Gauze Roll",
            **PHYSICAL,
            consumableType="chem",
            effect="<b>Heals 4 HP</b> at once",
            hp=0,
        ),
        item("consumable", "Blue Fizz", **PHYSICAL, consumableType="chem", effect="re-roll one die"),
        item("consumable", "Bean Tin", **PHYSICAL, consumableType="food", effect="Heals 3 HP"),
        item("perk", "Steady Hands", rank={"max": 1, "value": 1}),
        item("apparel_mod", "Lined", attached=True),
        item("miscellany", "Old Photo", **PHYSICAL),
        item("hologram", "Strange Cube", **PHYSICAL),
    ],
    health={"bonus": 2, "max": 0, "value": 9},
    level={"currentXP": 0, "value": 3},
    initiative={"bonus": 1, "value": 0},
    meleeDamage={"bonus": 1, "value": 0},
    resistance=of_kinds({"radiation": 1}),
)
"""Everything that a character may have, each effect and quality once."""
BOLTS = person(
    "robot",
    "Bolts, the Third",
    [
        weapon("Rivet Gun", weaponType="bigGuns", ammo="Rivet"),
        weapon("Self-Destruct", 9, weaponType="explosives"),
        item("robot_mod", "Loud Horn"),
    ],
    attributes=14,
    bodyType="robot",
    immunities={"poison": True, "radiation": True},
)
SCRAPPER = person(
    "npc",
    "Scrapper",
    [
        skill("Unarmed", 2),
        weapon("Pipe Fist", weaponType="unarmed"),
        item("special_ability", "Immune to Disease"),
    ],
    health={"bonus": 0, "max": 11, "value": 4},
    initiative={"bonus": 0, "value": 13},
    defense={"bonus": 0, "value": 2},
)
HOUND = creature(
    "Ash Hound",
    [
        weapon("Bite", 4, creatureAttribute="body", creatureSkill="melee", weaponType="creatureAttack"),
        weapon(
            "Spit",
            6,
            ("poison",),
            creatureAttribute="mind",
            creatureSkill="melee",
            weaponType="creatureAttack",
        ),
        item("special_ability", "Keen Nose"),
    ],
)
for _part in HOUND["system"]["body_parts"].values():
    _part["resistance"] = of_kinds({"physical": 2})
HIGHWAYMAN = actor("vehicle", "Red Truck", [])
ADVENTURE = {"name": "The Long Road", "actors": [MARLA, BOLTS, SCRAPPER, HOUND, HIGHWAYMAN], "items": []}
"""An adventure with an actor of each type."""
