"""The sheet of `d100`, and what follows from it (D100-1, D100-2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...rules import (
    DiceText,
    Fault,
    Field,
    Fighter,
    Flag,
    ListOf,
    MapOf,
    OneOf,
    Section,
    Start,
    Whole,
    sheet,
    supplies,
)

# The sheet

NAME = "d100"
DISTANCES = Whole(0, 100_000)
"""What `--range` takes, in metres."""
RATINGS = ("strength", "dexterity", "perception", "combat")
"""D100-1: those that the rules roll; a sheet may list any others."""
OTHERS = ("medicine", "stealth")
"""D100-1: others that everyone may try, at 0 where the sheet does not list them."""
KINDS = ("melee", "pistol", "shotgun", "rifle", "thrown")
RANGES = {"pistol": 10, "shotgun": 10, "rifle": 25, "thrown": 10}
"""D100-2, in metres; that of things thrown is a reading."""
MODES = {"rifle": ("single", "semi", "auto"), "pistol": ("single",), "shotgun": ("single",)}
"""D100-2: how a firearm fires where the sheet does not say (pistol and shotgun are a reading)."""
UNARMED = {"kind": "melee", "damage": 0}
"""D100-17: bare hands add nothing to the roll of strength."""
OBJECT = {"kind": "thrown", "damage": 0}
"""D100-29: any object at hand."""
ANYTHING = "object"
"""D100-29: the name of that object."""

Weapon = Mapping[str, Any]
"""A weapon as the sheet has it."""

_weapon = Section(
    {
        "kind": Field(OneOf(KINDS), "what it is", "D100-2", required=True),
        "damage": Field(DiceText(), "dice or number: added to strength, or of each projectile", "D100-2", 0),
        "range": Field(Whole(1, 100_000), "metres; each further range is an Obstacle", "D100-19"),
        "modes": Field(ListOf(OneOf(("single", "semi", "auto")), 3), "how it can fire", "D100-18"),
        "capacity": Field(Whole(1, 9999), "shots it holds, or how many there are to throw", "D100-22"),
    }
)
_item = Section(
    {
        "aid": Field(Flag(), "whether it gives an Assist when wounds are treated", "D100-28", False),
        "uses": Field(Whole(0, 9999), "how often it can be used", "D100-28"),
    }
)
_ratings = Section(
    {name: Field(Whole(0, 100), f"{name}, 1 to 100", "D100-1", 0) for name in RATINGS}, rest=Whole(0, 100)
)
ROLLS = ("attack", "damage", "block", "dodge", "initiative", "check", "heal", "sneak", "notice", "move")
SHEET = sheet(
    NAME,
    {
        "health": Field(Whole(1, 9999), "highest Health", "D100-1", required=True),
        "armour": Field(Whole(0, 999), "comes off each projectile or blow", "D100-1", 0),
        "block": Field(DiceText(), "what a block rolls; absent: it cannot block", "D100-24"),
        "dodge": Field(DiceText(), "what a dodge rolls; absent: it cannot dodge", "D100-25"),
        "ratings": Field(
            _ratings, "what is rolled under; absent ones are 0", "D100-1", dict.fromkeys(RATINGS, 0)
        ),
        "weapons": Field(MapOf(_weapon), "weapons by name, the first one in hand", "D100-2", {}),
        "items": Field(MapOf(_item), "things carried, by name", "D100-28", {}),
    },
    circumstance=(*ROLLS, "health", *RATINGS, *OTHERS),
    pools=("health",),
    conditions=("sneaking", "down"),
)


def rating_of(values: Mapping[str, Any], name: str) -> tuple[int, str]:
    """A rating and where it comes from; 0 where the sheet has none (D100-1), half perception for medicine (D100-28)."""
    ratings: Mapping[str, int] = values["ratings"]
    if name == "medicine" and name not in ratings:
        return ratings["perception"] // 2, "ratings.perception / 2"
    return ratings.get(name, 0), f"ratings.{name}"


def figures(fighter: Fighter) -> dict[str, int]:
    """D100-28: medicine, where it follows from another rating."""
    listed = "medicine" in fighter.sheet["ratings"]
    return {} if listed else {"medicine": rating_of(fighter.sheet, "medicine")[0]}


def die_of(rating: int) -> int:
    """The sides of the die that a rating gives, a tenth of it (D100-17, D100-28); a d1 is not rolled (a reading)."""
    return max(1, rating // 10)


def modes_of(weapon: Weapon) -> tuple[str, ...]:
    """How a weapon can fire (D100-2); nothing for what does not fire."""
    return tuple(weapon.get("modes") or MODES.get(weapon["kind"], ()))


def faults(values: Mapping[str, Any]) -> list[Fault]:
    """What is wrong between one part of a checked sheet and another."""
    return [
        Fault(("weapons", name, "modes"), f"the {weapon['kind']} weapon does not fire")
        for name, weapon in values["weapons"].items()
        if weapon["kind"] not in MODES and weapon.get("modes")
    ]


def start(values: Mapping[str, Any]) -> Start:
    """The pools of an unhurt fighter (D100-1), with a Small Action before the first turn (D100-12, a reading)."""
    health = max(1, values["health"] + values["circumstance"].get("health", 0))
    turn = {"actions": (0, 0, 1), "small-actions": (1, 0, 2)}
    return Start.of(values, {"health": health, **supplies(values), **turn})
