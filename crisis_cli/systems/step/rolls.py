"""The die that explodes and implodes (STEP-3, STEP-5), and the modifiers that every roll shares (STEP-6, STEP-7)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...rules import Amount, Fighter, Modifiers, RuleTable
from .sheet import LEAST_DIE, Die, die_of, split

CRITICAL_FAILURE = 0
"""What a roll of two ones is: below every other."""
DIFFICULTY = 4
"""STEP-6: where nothing else is said."""
EXTRA = 4
"""STEP-8: an extra for each so many beyond the first."""
BALANCE = ("athletics", "stealth", "operate")
"""STEP-17: skills in which speed or balance counts; attacks count too (a reading)."""
HEALTH = 20
"""STEP-3: Health beside the body roll."""


def roll(table: RuleTable, sides: int) -> int:
    """STEP-5: one die, exploding on its highest face; 0 for a critical failure.

    Only a first face of 1 implodes, and the second face never explodes (both are readings).
    """
    value: int = table.exploding(1, sides, int)
    if value == 1:
        return CRITICAL_FAILURE if table.die(sides) == 1 else 1
    return value


def roll_amount(table: RuleTable, dice: Amount) -> int:
    """STEP-28: an amount of damage; its dice explode and never implode (a reading)."""
    rolled: int = table.exploding(dice.many, dice.sides, int) if dice.many else 0
    return rolled + dice.plus


def total_of(natural: int, bonus: int) -> int:
    """STEP-6: what a roll comes to; a critical failure counts as 1 before modifiers."""
    return max(1, natural) + bonus


def succeeds(natural: int, bonus: int, difficulty: int) -> bool:
    """STEP-5, STEP-6: at or above the difficulty, and no critical failure."""
    return natural != CRITICAL_FAILURE and natural + bonus >= difficulty


def extras(total: int) -> int:
    """STEP-8: a quarter of a success's total, less one."""
    return max(0, total // EXTRA - 1)


def compare(one: tuple[int, int], other: tuple[int, int]) -> int:
    """STEP-9: 1 where the first (natural roll, bonus) is higher, 0 for a tie, −1 where the other is.

    A critical failure loses to anything but another one (a reading of STEP-5).
    """
    if CRITICAL_FAILURE in (one[0], other[0]):
        return (one[0] != CRITICAL_FAILURE) - (other[0] != CRITICAL_FAILURE)
    first, second = sum(one), sum(other)
    return (first > second) - (first < second)


def critical(natural: int) -> dict[str, bool]:
    """What the result of a roll says of a critical failure (STEP-5)."""
    return {} if natural else {"critical_failure": True}


def skilled(fighter: Fighter, roll: str, skill: str, rule: str, against: str = "") -> tuple[int, Modifiers]:
    """The sides of a skill or attribute die, and all that the fighter adds to that roll."""
    sides, step = split(die_of(fighter.sheet, skill))
    found = Modifiers(roll, rule, against).add(skill, step, "STEP-1", f"d{sides}+{step}")
    found.situational(fighter, skill, roll)
    if fighter.has("drunk"):
        found.add("drunk", -2 if roll == "attack" or skill in BALANCE else -1, "STEP-17", "condition")
    found.add("exhausted", -2 * fighter.has("exhausted"), "STEP-17", "condition")
    return sides, found.add("fatigued", -fighter.has("fatigued"), "STEP-17", "condition")


def born(table: RuleTable, sheet: Mapping[str, Any]) -> dict[str, int]:
    """STEP-3: Health is 20 and one body roll that explodes and does not implode; nothing where it is given."""
    if "health" in sheet:
        return {}
    attributes = sheet.get("attributes", {})
    sides, step = split(Die().read(attributes.get("body", LEAST_DIE), (), []))
    table.label("health", str(sheet.get("name", "")), f"d{sides}")
    return {"health": HEALTH + step + table.exploding(1, sides, int)}
