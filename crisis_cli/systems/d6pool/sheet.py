"""The sheet of a `d6pool` fighter, and what is in hand (POOL-1 to POOL-3, POOL-23, POOL-29, POOL-34)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from ...rules import (
    Condition,
    Either,
    Fault,
    Field,
    Fighter,
    Flag,
    Level,
    ListOf,
    MapOf,
    OneOf,
    Section,
    Start,
    Whole,
    sheet,
    supplies,
)

NAME = "d6pool"
ATTRIBUTES = (
    *("deftness", "strength", "attractiveness", "endurance", "resistance", "quickness"),
    *("education", "logic", "conscientiousness", "willpower", "apprehension", "charm"),
)
ATTRIBUTE = 1
"""POOL-1: one that the sheet does not mention."""
SKILLS = {
    "hand-to-hand": "strength",
    "throwing": "strength",
    "shooting": "deftness",
    "perception": "apprehension",
    "first-aid": "conscientiousness",
    "medicine": "conscientiousness",
    "stealth": "conscientiousness",
}
"""POOL-1: the attribute that stands in for a skill that is not on the sheet."""
SKILL_OF = {"melee": "hand-to-hand", "single": "shooting", "burst": "shooting", "throw": "throwing"}
"""POOL-16, POOL-18: the skill that each mode is rolled with."""
USUAL = {"hand-to-hand": "melee", "shooting": "single", "throwing": "throw"}
"""POOL-3: the one mode of a weapon that lists none."""
PROTECTION = ("normal", "sticky", "bleeding", "poison", "fire", "shock", "reflecting", "demonic", "critical")
"""POOL-24: the kinds, in the order in which they are spent on normal hits."""
INFLICTED = ("bleeding", "burning", "poisoned", "shocked", "unconscious", "hunkered", "asleep", "stuck")
out = partial(Condition, levels=True, cannot_act=True)
brief = partial(Condition, lasting=False)
CONDITIONS = {
    "dead": out("dead", "POOL-37", defeated="dead", ends="{who} is alive again."),
    "dying": out("dying", "POOL-37", defeated="dying", ends="{who} is not dying any more."),
    "stable": Condition("stable", "POOL-37", ends="{who} is no longer in need of care."),
    "unconscious": out("unconscious", "POOL-38", defeated="down", ends="{who} comes to."),
    "asleep": Condition("asleep", "POOL-38", cannot_act=True, ends="{who} is awake."),
    **{
        one: Condition(one, "POOL-38", levels=True, needs_care=one == "bleeding")
        for one in ("shocked", "burning", "bleeding", "poisoned")
    },
    "hunkered": brief("hunkered", "POOL-38", ends="{who} is on their feet again."),
    "blocking": brief(
        "blocking with the shield",
        "POOL-23",
        begins="{who} has the shield up.",
        ends="{who} has lowered the shield.",
    ),
    "stuck": brief("stuck", "POOL-24", begins="{who}'s weapon is stuck.", ends="{who}'s weapon is free."),
}
UNARMED = {
    "skill": "hand-to-hand", "damage_potential": 0, "piercing": 0, "wounds": 1, "range": 1, "modes": ["melee"],
    "hands": 1, "blunt": True, "bow": False, "demonic": False, "inflicts": [], "encumbrance": 0,
}  # fmt: skip
"""POOL-29: bare hands; that they are blunt is a reading of POOL-31."""

_weapon = Section(
    {
        "skill": Field(OneOf(tuple(USUAL)), "what it is used with", "POOL-3", required=True),
        "damage_potential": Field(Whole(-99, 99, signed=True), "dice added to the hit roll", "POOL-3", 0),
        "piercing": Field(Whole(0, 99), "units of protection that stop nothing", "POOL-25", 0),
        "wounds": Field(Whole(0, 99), "wounds of each hit", "POOL-26", 1),
        "range": Field(Whole(0, 100_000), "metres, in melee too; absent: 1 in melee, else no end", "POOL-21"),
        "modes": Field(
            ListOf(OneOf(tuple(SKILL_OF)), 4), "how it can be used; the first is usual", "POOL-18"
        ),
        "capacity": Field(
            Whole(1, 9999), "rounds it holds, or how many there are to throw; absent: no end", "POOL-18"
        ),
        "reload": Field(Whole(0, 60), "actions of reloading", "POOL-12", 1),
        "recoil_compensation": Field(Whole(0, 99), "taken off each step of recoil", "POOL-19", 0),
        "ready": Field(Whole(0, 60), "actions of readying", "POOL-12", 1),
        "hands": Field(Whole(1, 2), "hands it takes", "POOL-34", 1),
        "blunt": Field(Flag(), "whether it can knock out", "POOL-31", False),
        "bow": Field(Flag(), "bow, sling or crossbow: no recoil, no support", "POOL-19", False),
        "demonic": Field(Flag(), "whether its hits are of demonic origin", "POOL-24", False),
        "inflicts": Field(
            Either(ListOf(OneOf(INFLICTED)), MapOf(Level(), lower=True, words=dict.fromkeys(INFLICTED))),
            "conditions of a target that is hit, with levels",
            "POOL-3",
            [],
        ),
        "encumbrance": Field(Whole(0, 99), "what it takes off evasion", "POOL-2", 0),
    }
)
_armour = Section(
    {
        "protection": Field(
            Section(
                {kind: Field(Whole(0, 999), f"units against {kind}", "POOL-24", 0) for kind in PROTECTION}
            ),
            "units of protection by kind, all armour added up",
            "POOL-24",
            dict.fromkeys(PROTECTION, 0),
        ),
        "encumbrance": Field(Whole(0, 99), "what it takes off evasion", "POOL-2", 0),
    }
)
_aid = Section(
    {
        "boost": Field(Whole(0, 99), "hearts on top", "POOL-39", 0),
        "wounds": Field(Whole(0, 99), "wounds gone", "POOL-39", 0),
    }
)
_item = Section(
    {
        "heals": Field(_aid, "what it does in first aid", "POOL-39"),
        "uses": Field(Whole(0, 9999), "how often it can be used", "POOL-39"),
    }
)
SHEET = sheet(
    NAME,
    {
        "attributes": Field(
            Section({name: Field(Whole(-20, 30), name, "POOL-1", ATTRIBUTE) for name in ATTRIBUTES}),
            "attributes; absent ones are 1",
            "POOL-1",
            dict.fromkeys(ATTRIBUTES, ATTRIBUTE),
        ),
        "skills": Field(MapOf(Whole(-20, 30), lower=True), "totals, the attribute included", "POOL-1", {}),
        "actions": Field(Whole(0, 20), "actions of a turn", "POOL-2", 2),
        "minimum_roll": Field(Whole(2, 99), "what a die must reach", "POOL-2", 5),
        "wounds": Field(Whole(1, 999), "how many wounds can be taken", "POOL-2", 10),
        "bonus_dice": Field(Whole(0, 99), "bonus dice to spend", "POOL-7", 0),
        "destiny_dice": Field(Whole(0, 99), "destiny dice to spend", "POOL-7", 0),
        "rerolls": Field(Whole(0, 99), "re-rolls to spend", "POOL-7", 0),
        "evasion": Field(Whole(-99, 99), "evasion outright", "POOL-2"),
        "evasion_base": Field(Whole(-99, 99), "added to the mean of quickness and deftness", "POOL-2", 0),
        "weapons": Field(MapOf(_weapon), "weapons by name, the first one in hand", "POOL-3", {}),
        "armour": Field(
            _armour, "what is worn", "POOL-3", {"protection": dict.fromkeys(PROTECTION, 0), "encumbrance": 0}
        ),
        "shield": Field(
            Section(
                {
                    "cover": Field(Whole(2, 6), "its cover, 5 for 5+", "POOL-23", required=True),
                    "encumbrance": Field(Whole(0, 99), "what it takes off evasion", "POOL-2", 0),
                }
            ),
            "a shield, held beside a weapon for one hand",
            "POOL-23",
        ),
        "items": Field(MapOf(_item), "things carried, by name", "POOL-39", {}),
    },
    circumstance=(
        *("attack", "parry", "dodge", "resist", "initiative", "check", "heal", "rest", "throw"),
        *("evasion", "wounds", "actions"),
        *ATTRIBUTES,
        *SKILLS,
    ),
    pools=("wounds", "boost", "bonus-dice", "destiny-dice", "rerolls"),
    conditions=tuple(CONDITIONS),
)
SHIELD = "shield"


def value_of(sheet: Mapping[str, Any], name: str) -> tuple[int, str]:
    """An attribute or a skill, and where it comes from (POOL-1)."""
    if name in ATTRIBUTES:
        return sheet["attributes"][name], f"attributes.{name}"
    if name in sheet["skills"]:
        return sheet["skills"][name], f"skills.{name}"
    base = SKILLS.get(name)
    return (sheet["attributes"][base], f"attributes.{base}") if base else (0, "")


def modes_of(weapon: Mapping[str, Any]) -> tuple[str, ...]:
    """How a weapon can be used (POOL-18)."""
    return tuple(weapon.get("modes") or (USUAL[weapon["skill"]],))


DROPPED = "dropped"
"""The mark of a weapon struck out of the hand, which lies there until readied again: `dropped:sword` (POOL-33)."""


def is_thrown_away(fighter: Fighter, name: str) -> bool:
    """POOL-18: whether the last of a throwing weapon is gone."""
    can_be = "throw" in modes_of(fighter.sheet["weapons"][name])
    return can_be and fighter.pools.get(f"ammo:{name}") == 0


def evasion_of(fighter: Fighter) -> int:
    """POOL-2: set outright, else base and the mean of quickness and deftness, rounded up, less the encumbrance of all
    that is carried: not of a weapon that was dropped or thrown away."""
    sheet, dropped = fighter.sheet, fighter.marks_of(DROPPED)
    mean = -(-(sheet["attributes"]["quickness"] + sheet["attributes"]["deftness"]) // 2)
    gone = {name for name in sheet["weapons"] if name in dropped or is_thrown_away(fighter, name)}
    weapons = [weapon for name, weapon in sheet["weapons"].items() if name not in gone]
    carried = (*weapons, sheet["armour"], sheet.get("shield", {"encumbrance": 0}))
    usual = sheet["evasion_base"] + mean - sum(one["encumbrance"] for one in carried)
    return int(sheet.get("evasion", usual) + sheet["circumstance"].get("evasion", 0))


def faults(sheet: Mapping[str, Any]) -> list[Fault]:
    """What is wrong between one part of a checked sheet and another."""
    wrong: list[Fault] = []
    for name, weapon in sheet["weapons"].items():
        if name == SHIELD:
            wrong.append(Fault(("weapons", name), "a shield is a table of its own: [shield]"))
        if "capacity" not in weapon and "reload" in weapon and weapon["reload"] != 1:
            wrong.append(Fault(("weapons", name, "reload"), "needs a capacity to fill"))
    return wrong


def start(sheet: Mapping[str, Any]) -> Start:
    """The pools of an unhurt fighter (POOL-2), and what is in hand: the first weapon, and the shield if a hand is
    free for it."""
    wounds = max(1, sheet["wounds"] + sheet["circumstance"].get("wounds", 0))
    pools = {
        "wounds": (0, 0, wounds),
        "boost": (0, 0, None),
        "actions": (0, 0, None),
        "bonus-dice": sheet["bonus_dice"],
        "destiny-dice": sheet["destiny_dice"],
        "rerolls": sheet["rerolls"],
        **supplies(sheet, lambda weapon: weapon.get("capacity", int("throw" in modes_of(weapon)))),
        **{f"protection:{kind}": units for kind, units in sheet["armour"]["protection"].items() if units},
    }
    begun = Start.of(sheet, pools)
    free = "shield" in sheet and all(sheet["weapons"][name]["hands"] == 1 for name in begun.held)
    return begun._replace(held=(*begun.held, SHIELD)) if free else begun
