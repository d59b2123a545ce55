"""Damage, and what it does to its targets (D20-8, D20-13, D20-14)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from crisis_cli.rules import Amount, Changes, Fighter, Modifiers, Number, RuleTable

from .conditions import is_dead


class Part(NamedTuple):
    """Damage of one type, and how much of it counts: 0, 1 (half), 2 or 4 (double) halves."""

    type: str
    amount: Amount
    halves: int


def parts_of(dice: Mapping[str, str | int], target: Fighter, plus: int = 0) -> tuple[Part, ...]:
    """D20-8, D20-13: the damage of a weapon or a spell on a target; `plus` goes to the first type."""
    sheet = target.sheet
    found: list[Part] = []
    for kind, text in dice.items():
        dose = Amount.of(text)
        halves = 2 // (1 + (kind in sheet["resists"])) * (1 + (kind in sheet["vulnerable"]))
        dose = dose._replace(plus=dose.plus + plus * (not found))
        found.append(Part(kind, dose, halves * (kind not in sheet["immune"])))
    return tuple(found)


def flat_damage(dice: Mapping[str, str | int], rule: str, source: str) -> list[Modifiers]:
    """D20-8: what a sheet adds to the dice of each type of damage."""
    return [
        Modifiers(f"{kind} damage", rule).add("flat", Amount.of(text).plus, source=source)
        for kind, text in dice.items()
        if Amount.of(text).many
    ]


def rolled(table: RuleTable, who: str, parts: tuple[Part, ...], times: int = 1) -> tuple[int, ...]:
    """D20-8: the damage of each type, before resistance; a critical hit rolls the dice twice."""
    doses = ((one.type, one.amount._replace(many=one.amount.many * times)) for one in parts)
    return tuple(table.ask(Amount.roll, f"{kind} damage", who, dose) for kind, dose in doses)


def harm_of(changes: Changes, parts: tuple[Part, ...], faces: tuple[int, ...], share: int = 1) -> Number:
    """D20-13, D20-15: damage as it reaches hit points, a save's share taken first, each rounded down."""
    saved = [points // share for points in faces]
    after = [points * one.halves // 2 for one, points in zip(parts, saved, strict=True)]
    number = changes.number("D20-8").from_dice("damage", -sum(faces))
    number.add("saved", sum(faces) - sum(saved), "D20-15")
    for one, before, left in zip(parts, saved, after, strict=True):
        number.add("vulnerable" if left > before else "resisted", before - left, "D20-13")
    return number


def hurt(changes: Changes, who: str, harm: Number, critical: bool = False) -> None:
    """D20-14: temporary hit points go first; D20-16: harm at 0 hit points is a failed death save."""
    fighter = changes.fighter(who)
    if not harm.total or is_dead(fighter):
        return
    shield, before = fighter.pools["temporary"], fighter.pools["hp"]
    changes.adjust(who, "temporary", harm.total, "D20-14")
    left = -harm.absorb("temporary HP", shield, "D20-14").total
    if not left:
        return
    changes.end(who, "asleep", "D20-17")
    changes.adjust(who, "hp", harm, "D20-4")
    if left - before >= fighter.full("hp"):
        changes.adjust(who, "failures", 3, "D20-16")
    elif before <= 0:
        changes.adjust(who, "successes", -3, "D20-16")
        changes.adjust(who, "failures", 1 + critical, "D20-16")


def inflict(changes: Changes, who: str, condition: str) -> None:
    """D20-17: a condition from a weapon or a spell, until it ends by itself; D20-20: some creatures cannot get it."""
    if condition and condition not in changes.fighter(who).sheet["unaffected"]:
        changes.begin(who, condition, "D20-17")
