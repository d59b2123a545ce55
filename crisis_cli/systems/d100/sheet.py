"""The sheet of a `d100` fighter: ratings, block and dodge, health, armour, weapons, things carried."""

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

NAME = "d100"
RATINGS = ("strength", "dexterity", "perception", "combat")
"""D100-1: those that the rules roll; a sheet may list any others."""
OTHERS = ("medicine", "stealth")
"""D100-1: others that everyone may try, at 0 where the sheet does not list them."""
MEDICINE_FROM = ("perception", 2)
"""D100-28: medicine where the sheet has none: this rating, divided."""
KINDS = ("melee", "pistol", "shotgun", "rifle", "thrown")
RANGES = {"pistol": 10, "shotgun": 10, "rifle": 25, "thrown": 10}
"""D100-2, in metres; that of things thrown is a reading."""
MODES = {"rifle": ("single", "semi", "auto"), "pistol": ("single",), "shotgun": ("single",)}
"""D100-2: how a firearm fires where the sheet does not say (pistol and shotgun are a reading)."""
UNARMED = {"kind": "melee", "damage": 0}
"""D100-17: bare hands add nothing to the roll of strength."""
OBJECT = {"kind": "thrown", "damage": 0}
"""D100-29: any object at hand."""
SMALL_AT_FIRST = 1
"""D100-12: the Small Action that everyone has before the first own turn, and in a one-off (a reading)."""
SHARE = 10
"""D100-17: unarmed it is d(strength / 10)."""
LEAST = 1
"""D100-17: at least a d1, which is not rolled, no more than a d1 of a weapon (a reading)."""

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
SHEET = sheet(
    NAME,
    {
        "health": Field(Whole(1, 9999), "highest Health", "D100-1", required=True),
        "armour": Field(Whole(0, 999), "comes off each projectile or blow", "D100-1", 0),
        "block": Field(DiceText(), "what a block rolls; absent: it cannot block", "D100-24"),
        "dodge": Field(DiceText(), "what a dodge rolls; absent: it cannot dodge", "D100-25"),
        "ratings": Field(
            Section(
                {name: Field(Whole(0, 100), f"{name}, 1 to 100", "D100-1", 0) for name in RATINGS},
                rest=Whole(0, 100),
            ),
            "what is rolled under; absent ones are 0",
            "D100-1",
            dict.fromkeys(RATINGS, 0),
        ),
        "weapons": Field(MapOf(_weapon), "weapons by name, the first one in hand", "D100-2", {}),
        "items": Field(MapOf(_item), "things carried, by name", "D100-28", {}),
    },
    circumstance=(
        *("attack", "damage", "block", "dodge", "initiative", "check", "heal", "sneak", "notice", "move"),
        "health",
        *RATINGS,
        *OTHERS,
    ),
    pools=("health",),
    conditions=("sneaking", "down"),
)


def rating_of(sheet: Mapping[str, Any], name: str) -> tuple[int, str]:
    """A rating and where it comes from; 0 where the sheet has none (D100-1), medicine from another (D100-28)."""
    ratings: Mapping[str, int] = sheet["ratings"]
    if name == "medicine" and name not in ratings:
        other, by = MEDICINE_FROM
        return ratings[other] // by, f"ratings.{other} / {by}"
    return ratings.get(name, 0), f"ratings.{name}"


def figures(fighter: Fighter) -> dict[str, int]:
    """D100-28: medicine, where it follows from another rating."""
    return (
        {}
        if "medicine" in fighter.sheet["ratings"]
        else {"medicine": rating_of(fighter.sheet, "medicine")[0]}
    )


def die_of(rating: int) -> int:
    """The sides of the die that a rating gives (D100-17, D100-28)."""
    return max(LEAST, rating // SHARE)


def modes_of(weapon: Mapping[str, Any]) -> tuple[str, ...]:
    """How a weapon can fire (D100-2); nothing for what does not fire."""
    return tuple(weapon.get("modes") or MODES.get(weapon["kind"], ()))


def range_of(weapon: Mapping[str, Any]) -> int | None:
    """The range of a weapon in metres (D100-2); None in melee."""
    own: int | None = weapon.get("range", RANGES.get(weapon["kind"]))
    return own


def faults(sheet: Mapping[str, Any]) -> list[Fault]:
    """What is wrong between one part of a checked sheet and another."""
    wrong: list[Fault] = []
    for name, weapon in sheet["weapons"].items():
        if weapon["kind"] not in MODES and weapon.get("modes"):
            wrong.append(Fault(("weapons", name, "modes"), f"a {weapon['kind']} weapon does not fire"))
    return wrong


def start(sheet: Mapping[str, Any]) -> Start:
    """The pools of an unhurt fighter (D100-1), and the Small Action before the first turn (D100-12)."""
    most = {"health": max(1, sheet["health"] + sheet["circumstance"].get("health", 0))}
    most |= supplies(sheet)
    limits: dict[str, tuple[int | None, int | None]] = {pool: (0, value) for pool, value in most.items()}
    limits |= {"actions": (0, 1), "small-actions": (0, 2)}
    return Start({**most, "actions": 0, "small-actions": SMALL_AT_FIRST}, limits, tuple(sheet["weapons"])[:1])
