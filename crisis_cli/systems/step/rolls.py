"""The die that explodes and implodes (STEP-3, STEP-5), and the modifiers that every roll shares (STEP-6, STEP-7)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ...engine.dice_amount import Amount
from ...engine.record import Modifier
from ...engine.scene import Fighter
from ...rules.situational import standing
from .sheet import LEAST_DIE, Die, die_of, split

CRITICAL_FAILURE = 0
"""What a roll of two ones is: below every other."""
DIFFICULTY = 4
"""STEP-6: where nothing else is said."""
EXTRA = 4
"""STEP-8: an extra for each so many beyond the first."""
BALANCE = ("athletics", "stealth", "operate")
"""STEP-17: skills in which speed or balance counts; attacks count too (a reading)."""


def roll(table: Any, sides: int) -> int:
    """A rule, STEP-5: one die, exploding on its highest face; 0 for a critical failure.

    Only a first face of 1 implodes, and the second face never explodes (both are readings).
    """
    value: int = table.exploding(1, sides, int)
    if value == 1:
        return CRITICAL_FAILURE if table.die(sides) == 1 else 1
    return value


def thrown(table: Any, what: Amount) -> int:
    """A rule, STEP-28: an amount of damage; its dice explode and never implode (a reading)."""
    dice: int = table.exploding(what.many, what.sides, int) if what.many else 0
    return dice + what.plus


def extras(total: int, area: bool = False) -> int:
    """STEP-8: a quarter of a success's total, less one; STEP-24: none in an area."""
    return 0 if area else max(0, total // EXTRA - 1)


def reached(natural: int, bonus: int) -> int:
    """STEP-6: what a roll comes to; a critical failure counts as 1 before modifiers."""
    return max(1, natural) + bonus


def succeeds(natural: int, bonus: int, difficulty: int) -> bool:
    """STEP-5, STEP-6: at or above the difficulty, and no critical failure."""
    return natural != CRITICAL_FAILURE and natural + bonus >= difficulty


def beats(one: tuple[int, int], other: tuple[int, int]) -> int:
    """STEP-9: 1 where the first (natural roll, bonus) is higher, 0 for a tie, −1 where the other is.

    A critical failure loses to anything but another one (a reading of STEP-5).
    """
    first, second = (
        (natural != CRITICAL_FAILURE, reached(natural, bonus)) for natural, bonus in (one, other)
    )
    if not first[0] and not second[0]:
        return 0
    return (first > second) - (first < second)


def total(modifiers: Iterable[Modifier], name: str, against: str = "") -> int:
    """The sum of the modifiers of one roll, of those for everybody and those for one alone."""
    return sum(one.value for one in modifiers if one.roll == name and one.against in ("", against))


def skilled(fighter: Fighter, name: str, skill: str, rule: str = "STEP-6") -> tuple[int, list[Modifier]]:
    """The sides of a skill or attribute die, and all that the fighter adds to that roll."""
    sides, step = split(die_of(fighter.sheet, skill))
    found = [Modifier(name, skill, step, "STEP-1", f"d{sides}+{step}")] if step else []
    if skill != name:
        found += standing(fighter, name, skill)
    return sides, found + standing(fighter, name, name) + burdened(fighter, name, skill)


def burdened(fighter: Fighter, name: str, skill: str) -> list[Modifier]:
    """STEP-17: what conditions take off a roll of a skill or an attribute."""
    found = []
    if fighter.has("drunk"):
        unsteady = name == "attack" or skill in BALANCE
        found.append(Modifier(name, "drunk", -2 if unsteady else -1, "STEP-17", "condition"))
    if fighter.has("exhausted"):
        found.append(Modifier(name, "exhausted", -2, "STEP-17", "condition"))
    if fighter.has("fatigued"):
        found.append(Modifier(name, "fatigued", -1, "STEP-17", "condition"))
    return found


HEALTH = 20
"""STEP-3: Health beside the body roll."""


def born(table: Any, sheet: Mapping[str, Any]) -> dict[str, Any]:
    """STEP-3: Health is 20 and one body roll that explodes and does not implode; nothing where it is given."""
    if "health" in sheet:
        return {}
    attributes = sheet.get("attributes", {})
    sides, step = split(Die().read(attributes.get("body", LEAST_DIE), (), []))
    table.label("health", str(sheet.get("name", "")), f"d{sides}")
    return {"health": HEALTH + step + table.exploding(1, sides, int)}
