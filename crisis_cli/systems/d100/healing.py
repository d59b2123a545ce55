"""Treating wounds (D100-28)."""

from __future__ import annotations

from ...rules import (
    Amount,
    Changes,
    Intent,
    Modifiers,
    NamedTuple,
    RuleTable,
    Scene,
    Setup,
    aid_in_use,
    heal_action,
    refuse,
    within,
)
from .attacks import REACH
from .checks import HELP, all_asked, assist, rated, rolled
from .sheet import die_of
from .turns import FULL

# Treating wounds


class HealResult(NamedTuple):
    """What a treatment came to, before the patient's maximum."""

    success: bool
    total: int
    """The face that counted."""
    healed: int


in_reach = within(REACH, "D100-28", "treating")


def heal_setup(scene: Scene, intent: Intent) -> Setup:
    """D100-28: medicine, an Assist for an aid, an Obstacle for treating oneself."""
    fighter, patient = scene.fighters[intent.actor], scene.fighters[intent.patient]
    unfit = "the {item} is no aid in treating wounds"
    item, used = aid_in_use(intent, fighter, lambda one: one["aid"], "D100-28", unfit)
    if patient.pools["health"] >= patient.full("health"):
        refuse(intent, f"{patient.name} is unhurt", "D100-28", code="condition_forbids")
    in_reach(scene, intent)
    found = rated(fighter, "check", "medicine").situational(fighter, "heal")
    assist(found, item, "D100-28", f"items.{item}", count=bool(item))
    assist(found, "treating oneself", "D100-28", count=-(patient.name == fighter.name))
    all_asked(found, intent)
    return Setup((fighter.name, found.total, found.net_advantage), Modifiers.lines_of(found), used, item)


def treat(table: RuleTable, setup: tuple[str, int, int]) -> HealResult:
    """D100-28: success restores d(rating after changes / 10), at least 1; a d1 is not rolled."""
    who, target, advantage = setup
    success, face = rolled(table, "check", who, target, advantage)
    sides = die_of(target)
    dice = Amount(1, sides) if sides > 1 else Amount(plus=1)
    healed = table.ask(Amount.roll, "heal", who, dice) if success else 0
    return HealResult(success, face, healed)


def restore(changes: Changes, intent: Intent, setup: Setup, result: HealResult) -> None:
    """D100-28: up to the maximum; at 1 or more those who were down are up again."""
    health = changes.number("D100-28").from_dice("heal", result.healed)
    changes.adjust(intent.patient, "health", health, "D100-28")


HEAL = heal_action(
    "Treat wounds", "D100-28", heal_setup, restore, treat, FULL, ("item", *HELP), ("healed", "failure")
)
