"""The sheet, its pools, and an unhurt fighter (D20-1 to D20-4)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from crisis_cli.rules import (
    DiceText,
    Fault,
    Field,
    Flag,
    ListOf,
    MapOf,
    Mark,
    OneOf,
    Pool,
    Section,
    Start,
    Whole,
    sheet,
    supplies,
)

from .conditions import CONDITIONS, INFLICTED

ABILITIES = ("strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma")
SKILLS = {
    "athletics": "strength",
    "acrobatics": "dexterity",
    "stealth": "dexterity",
    "investigation": "intelligence",
    "medicine": "wisdom",
    "perception": "wisdom",
    "intimidation": "charisma",
    "persuasion": "charisma",
}
"""D20-1: the skills, and the ability each is used with."""
TYPES = (
    "slashing",
    "piercing",
    "bludgeoning",
    "fire",
    "cold",
    "acid",
    "lightning",
    "poison",
    "necrotic",
    "force",
    "thunder",
    "radiant",
    "psychic",
)
BESIDE = 5
"""D20-9: how far hands reach, in feet."""
UNARMED: Mapping[str, Any] = {"kind": "melee", "attack": 0, "damage": {"bludgeoning": 1}, "reach": BESIDE}
"""D20-3: bare hands."""
COVER = {"none": 0, "half": 2, "three-quarters": 5}
"""D20-9: added to armour class."""

_damage = MapOf(DiceText(), words=dict.fromkeys(TYPES))
_weapon = Section(
    {
        "kind": Field(OneOf(("melee", "ranged", "thrown")), "how it is used", "D20-3", required=True),
        "ability": Field(OneOf(ABILITIES), "its ability, if not strength, or dexterity of ranged ones", "D20-3"),
        "attack": Field(Whole(-20, 20, signed=True), "added to the attack roll", "D20-3", 0),
        "damage": Field(_damage, "dice by type of damage; the ability is added to the first", "D20-3", required=True),
        "reach": Field(Whole(5, 100), "how far a melee weapon reaches, in feet", "D20-9", BESIDE),
        "range": Field(Whole(5, 9999), "normal range in feet", "D20-9"),
        "long": Field(Whole(5, 9999), "long range in feet", "D20-9"),
        "capacity": Field(Whole(1, 999), "shots, or pieces to throw", "D20-9"),
        "inflicts": Field(OneOf(INFLICTED), "a condition of those it hits", "D20-17"),
        "save": Field(OneOf(ABILITIES), "the ability that saves those it hits from the condition", "D20-21"),
        "difficulty": Field(Whole(1, 40), "what that saving throw must reach", "D20-21"),
        "natural": Field(Flag(), "whether it is part of the body, and so always in hand", "D20-19", False),
        "plain": Field(Flag(), "whether no ability is added to its damage", "D20-19", False),
    }
)
_spell = Section(
    {
        "save": Field(OneOf(ABILITIES), "the ability that saves", "D20-15", required=True),
        "damage": Field(_damage, "dice by type of damage", "D20-15", {}),
        "half": Field(Flag(), "whether a save halves the damage, or avoids it", "D20-15", True),
        "inflicts": Field(OneOf(INFLICTED), "a condition of those who fail", "D20-17"),
        "range": Field(Whole(0, 9999), "range in feet", "D20-15", 60),
        "radius": Field(Whole(0, 200), "feet around the point aimed at; 0: one target", "D20-15", 0),
        "slots": Field(Whole(0, 9), "spell slots it takes", "D20-15", 1),
        "difficulty": Field(Whole(1, 40), "what a saving throw must reach, if not 8 and so on", "D20-23"),
        "uses": Field(Whole(1, 99), "how often it can be cast between two long rests", "D20-23"),
        "recharge": Field(Whole(2, 6), "what a d6 must show for it to be ready again", "D20-23"),
    }
)
_item = Section(
    {
        "heals": Field(DiceText(), "hit points restored", "D20-18"),
        "temporary": Field(DiceText(), "temporary hit points given", "D20-14"),
        "cures": Field(ListOf(OneOf(tuple(CONDITIONS))), "conditions it ends", "D20-18", []),
        "uses": Field(Whole(1, 99), "how often it can be used", "D20-18"),
    }
)
SHEET = sheet(
    "d20",
    {
        "abilities": Field(
            Section({one: Field(Whole(-5, 10, signed=True), f"{one} modifier", "D20-1", 0) for one in ABILITIES}),
            "the six ability modifiers",
            "D20-1",
            dict.fromkeys(ABILITIES, 0),
        ),
        "proficiency": Field(Whole(0, 9, signed=True), "added to what one is trained in", "D20-1", 2),
        "trained": Field(ListOf(OneOf((*ABILITIES, *SKILLS))), "saving throws and skills", "D20-1", []),
        "casting": Field(OneOf(ABILITIES), "the ability of spells", "D20-15", "intelligence"),
        "armour-class": Field(Whole(1, 40), "what an attack must reach", "D20-2", 10),
        "hp": Field(Whole(1, 999), "most hit points", "D20-4", 10),
        "speed": Field(Whole(0, 300), "feet a turn", "D20-11", 30),
        "slots": Field(Whole(0, 99), "spell slots", "D20-15", 0),
        "resists": Field(ListOf(OneOf(TYPES)), "damage that is halved", "D20-13", []),
        "vulnerable": Field(ListOf(OneOf(TYPES)), "damage that is doubled", "D20-13", []),
        "immune": Field(ListOf(OneOf(TYPES)), "damage that does nothing", "D20-13", []),
        "unaffected": Field(ListOf(OneOf(INFLICTED)), "conditions that it cannot get", "D20-20", []),
        "weapons": Field(MapOf(_weapon), "weapons by name, the first one in hand", "D20-3", {}),
        "multiattack": Field(MapOf(Whole(1, 9)), "attacks that one action gives, by weapon", "D20-22", {}),
        "spells": Field(MapOf(_spell), "spells by name", "D20-15", {}),
        "items": Field(MapOf(_item), "things carried, by name", "D20-18", {}),
    },
    circumstance=("attack", "damage", "armour-class", "initiative", "save", "check", *ABILITIES, *SKILLS),
    pools=("hp", "temporary", "failures", "successes", "slots", "second-wind", "hit-dice"),
    conditions=tuple(CONDITIONS),
)


def turn_pool(label: str, rule: str) -> Pool:
    """A pool that begins every turn anew."""
    return Pool(label, rule, lasting=False, spent=True, renewed=True)


POOLS = {
    "hp": Pool("HP", "D20-4"),
    "temporary": Pool("temporary HP", "D20-14", takes_harm=True),
    "failures": Pool("failed death saves", "D20-16", counts_up=True, hidden_when_full=True),
    "successes": Pool("death saves made", "D20-16", counts_up=True, hidden_when_full=True, not_vital=True),
    "slots": Pool("spell slots", "D20-15", not_vital=True),
    "second-wind": Pool("second wind", "D20-18", hidden_when_full=True, not_vital=True),
    "hit-dice": Pool("hit dice", "D20-24", hidden_when_full=True, not_vital=True),
    "action": turn_pool("actions", "D20-10"),
    "strikes": turn_pool("strikes", "D20-22")._replace(a_turn=lambda fighter: 0),
    "bonus": turn_pool("bonus actions", "D20-10"),
    "movement": turn_pool("ft", "D20-11"),
    "ammo": Pool("pieces", "D20-9", gear="weapons", board="{left} of the {thing}", full="capacity"),
    "uses": Pool("uses", "D20-18", gear="items", full="uses", loose=True),
    "charge": Pool("charges", "D20-23", gear="spells"),
}
MARKS = {"struck": Mark("turn")}
"""D20-22: how often a weapon has struck in this action."""


def start(values: Mapping[str, Any]) -> Start:
    """The pools of an unhurt fighter (D20-4, D20-10, D20-22 to D20-24)."""
    full = {"hp": values["hp"], "slots": values["slots"], "second-wind": 1, "hit-dice": max(1, values["proficiency"])}
    counts = {"temporary": (0, 0, None), "failures": (0, 0, 3), "successes": (0, 0, 3)}
    turn: dict[str, int | tuple[int, int, int]] = {
        "action": 1,
        "bonus": 1,
        "movement": (values["speed"], 0, 2 * values["speed"]),
    }
    if values["multiattack"]:
        turn["strikes"] = (0, 0, strikes_of(values))
    charges = {f"charge:{name}": spell.get("uses", 1) for name, spell in values["spells"].items() if is_limited(spell)}
    return Start.of(values, {**full, **supplies(values), **charges, **counts, **turn})


def strikes_of(values: Mapping[str, Any]) -> int:
    """D20-22: the attacks of a multiattack after the first."""
    attacks: Mapping[str, int] = values["multiattack"]
    return sum(attacks.values()) - 1


def is_limited(spell: Mapping[str, Any]) -> bool:
    """D20-23: whether a spell can be cast so many times and no more."""
    return "uses" in spell or "recharge" in spell


def contradictions(values: Mapping[str, Any]) -> list[Fault]:
    """What one key of a sheet says against another (D20-21 to D20-23)."""
    faults = []
    for name, one in values["weapons"].items():
        for key, needed in (("save", "difficulty"), ("save", "inflicts"), ("difficulty", "save")):
            if key in one and needed not in one:
                faults.append(Fault(("weapons", name, key), f"needs {needed} beside it"))
    for name in values["multiattack"]:
        if name not in values["weapons"]:
            faults.append(Fault(("multiattack", name), "is no weapon of this sheet"))
    if values["multiattack"] and not strikes_of(values):
        faults.append(Fault(("multiattack",), "must be two attacks or more"))
    for name, spell in values["spells"].items():
        if "uses" in spell and "recharge" in spell:
            faults.append(Fault(("spells", name, "recharge"), "cannot stand beside uses: what recharges has one use"))
    return faults
