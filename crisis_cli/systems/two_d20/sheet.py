"""The sheet of a `2d20` fighter: attributes, skills, tags, what is derived, weapons, resistances, things carried."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...engine.kinds import Fault, ListOf, MapOf, OneOf, Whole, guess
from ...engine.scene import Fighter
from ...engine.schema import Field, Section
from ...engine.sheet import sheet
from ...engine.system import Start
from ...rules.equipment import supplies
from .words import ATTRIBUTES, PLACES, SKILLS

NAME = "2d20"
LEAST, MOST, USUAL = 4, 12, 5
"""2D20-1: bounds of an attribute, and what it is where the sheet is silent."""
BEST = 6
"""2D20-1: the highest rank of a skill."""
QUICK = 9
"""2D20-2: the agility from which defense is 2."""
STRENGTHS = ((11, 3), (9, 2), (7, 1))
"""2D20-2: combat dice that strength adds hand to hand, from which strength on."""
TESTED = {
    "melee": ("str", "melee-weapons"),
    "unarmed": ("str", "unarmed"),
    "small-guns": ("agi", "small-guns"),
    "big-guns": ("end", "big-guns"),
    "energy": ("per", "energy-weapons"),
    "explosives": ("per", "explosives"),
    "throwing": ("agi", "throwing"),
}
"""2D20-14: the test by the type of weapon."""
CLOSE, GUNS, THROWN = ("melee", "unarmed"), ("small-guns", "big-guns", "energy"), ("explosives", "throwing")
BANDS = ("close", "medium", "long", "extreme")
"""2D20-15: each a zone farther than the one before."""
TYPES = ("physical", "energy", "radiation", "poison")
EFFECTS = ("blast", "breaking", "burst", "persistent", "piercing", "radioactive", "spread", "stun", "vicious")
"""2D20-3, 2D20-24."""
UNARMED = {"type": "unarmed", "damage": 2, "damage_type": "physical", "effects": []}
"""2D20-3: bare hands."""
KINDS = ("person", "animal", "robot")
"""2D20-11: what a commander must be good at follows from it."""


class Effect:
    """An effect of a weapon, piercing with a number: `vicious`, `piercing 1`."""

    def read(self, value: Any, path: tuple[str | int, ...], faults: list[Fault]) -> str:
        """The effect, as the rules spell it."""
        word = " ".join(value.lower().replace("-", " ").split()) if isinstance(value, str) else ""
        name, _, number = word.partition(" ")
        if name in EFFECTS and not number:
            return name
        if name == "piercing" and number.isascii() and number.isdigit() and 1 <= int(number[:3]) <= 9:
            return f"piercing {int(number)}"
        wanted = f"one of {', '.join(EFFECTS)} (or piercing 1 to 9){guess(name, EFFECTS)}"
        faults.append(Fault(path, f"must be {wanted}"))
        return EFFECTS[0]

    def schema(self) -> dict[str, Any]:
        """A word, with a number where it is piercing."""
        return {"type": "string", "pattern": f"^({'|'.join(EFFECTS)})$|^piercing [1-9]$"}


_weapon = Section(
    {
        "type": Field(OneOf(tuple(TESTED)), "how it is used, and so the skill", "2D20-3", required=True),
        "damage": Field(Whole(0, 30), "combat dice", "2D20-3", 1),
        "damage_type": Field(OneOf(TYPES), "type of its damage", "2D20-3", "physical"),
        "effects": Field(ListOf(Effect(), 9), "what an Effect rolled does", "2D20-24", []),
        "fire_rate": Field(Whole(0, 10), "extra rounds in one attack, a die each", "2D20-19", 0),
        "range": Field(OneOf(BANDS), "the band at which it shoots best", "2D20-15", "close"),
        "ammo": Field(Whole(1, 9999), "rounds, or how many there are to throw", "2D20-21"),
    }
)
_item = Section(
    {
        "uses": Field(Whole(0, 9999), "doses or uses left", "2D20-11"),
        "heals": Field(Whole(0, 99), "HP that a dose gives back", "2D20-11", 0),
    }
)
_resist = {one: Field(Whole(0, 99), f"off {one} damage", "2D20-3") for one in TYPES}
SHEET = sheet(
    NAME,
    {
        "kind": Field(OneOf(KINDS), "person, animal or robot", "2D20-11", "person"),
        "attributes": Field(
            Section(
                {one: Field(Whole(LEAST, MOST), f"{one}, 4 to 12", "2D20-1", USUAL) for one in ATTRIBUTES}
            ),
            "the seven attributes",
            "2D20-1",
            dict.fromkeys(ATTRIBUTES, USUAL),
        ),
        "skills": Field(
            MapOf(Whole(0, BEST), lower=True, words=SKILLS), "ranks, 0 to 6; absent ones are 0", "2D20-1", {}
        ),
        "tags": Field(ListOf(OneOf(tuple(SKILLS)), len(SKILLS)), "tagged skills", "2D20-1", []),
        "initiative": Field(Whole(0, 99), "if not per + agi", "2D20-2"),
        "defense": Field(Whole(0, 9), "if not 1, or 2 from agi 9", "2D20-2"),
        "hp": Field(Whole(1, 999), "most HP, if not end + lck", "2D20-2"),
        "melee_bonus": Field(Whole(0, 20), "combat dice hand to hand, if not by str", "2D20-2"),
        "luck": Field(Whole(0, 99), "Luck points, if not lck", "2D20-2"),
        "weapons": Field(MapOf(_weapon), "weapons by name, the first one in hand", "2D20-3", {}),
        "resist": Field(
            Section(
                {**_resist, **{one: Field(Section(_resist), f"{one} alone", "2D20-3") for one in PLACES}}
            ),
            "resistance by damage type, everywhere or by location",
            "2D20-3",
            {},
        ),
        "items": Field(MapOf(_item), "things carried, by name", "2D20-11", {}),
    },
    circumstance=(
        *("attack", "check", "heal", "damage", "initiative", "defense", "hp", "luck"),
        *("dying", *ATTRIBUTES, *SKILLS),
    ),
    pools=("hp", "max_hp", "luck"),
    conditions=(
        *("prone", "unconscious", "dying", "dead", "stunned", "persistent"),
        *(f"injured-{place}" for place in PLACES),
    ),
)


def attribute(sheet: Mapping[str, Any], name: str) -> int:
    """An attribute (2D20-1)."""
    value: int = sheet["attributes"][name]
    return value


def rank(sheet: Mapping[str, Any], skill: str) -> int:
    """The rank of a skill (2D20-1)."""
    value: int = sheet["skills"].get(skill, 0)
    return value


def derived(sheet: Mapping[str, Any], name: str) -> int:
    """What follows from the attributes unless the sheet sets it outright, with standing circumstance (2D20-2)."""
    of = sheet["attributes"]
    bonus = next((dice for least, dice in STRENGTHS if of["str"] >= least), 0)
    usual = {
        "initiative": of["per"] + of["agi"],
        "defense": 2 if of["agi"] >= QUICK else 1,
        "hp": of["end"] + of["lck"],
        "melee_bonus": bonus,
        "luck": of["lck"],
    }
    value: int = sheet.get(name, usual[name]) + sheet["circumstance"].get(name, 0)
    return max(0, value)


def figures(fighter: Fighter) -> dict[str, int]:
    """2D20-2: what the sheet does not list but follows from it; the melee bonus in combat dice."""
    names = ("initiative", "defense", "melee_bonus")
    return {name.replace("_", " "): derived(fighter.sheet, name) for name in names}


def resistance(sheet: Mapping[str, Any], place: str, kind: str) -> int:
    """2D20-3: what comes off that damage there; the value of a location replaces the general one (a reading)."""
    worn = sheet["resist"]
    value: int = worn.get(place, {}).get(kind, worn.get(kind, 0))
    return value


def faults(sheet: Mapping[str, Any]) -> list[Fault]:
    """What is wrong between one part of a checked sheet and another."""
    wrong: list[Fault] = []
    for name, weapon in sheet["weapons"].items():
        if weapon["fire_rate"] and weapon["type"] not in GUNS:
            wrong.append(Fault(("weapons", name, "fire_rate"), "only guns fire extra rounds"))
    both = set(sheet["weapons"]) & set(sheet["items"])
    wrong += [Fault(("items", name), "is the name of a weapon too") for name in sorted(both)]
    return wrong


def start(sheet: Mapping[str, Any]) -> Start:
    """The pools of an unhurt fighter (2D20-2, 2D20-3); a turn gives one Major and one Minor action (2D20-11)."""
    hp = max(1, derived(sheet, "hp"))
    most = {"hp": hp, "max_hp": hp, "luck": derived(sheet, "luck")}
    most |= supplies(sheet, lambda weapon: weapon.get("ammo", 0))
    limits: dict[str, tuple[int | None, int | None]] = {pool: (0, value) for pool, value in most.items()}
    return Start(
        {**most, "major": 0, "minor": 0},
        {**limits, "major": (0, 1), "minor": (0, 1)},
        tuple(sheet["weapons"])[:1],
    )
