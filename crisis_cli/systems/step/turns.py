"""The turn order, and what a turn begins with (STEP-11 to STEP-15)."""

from __future__ import annotations

from typing import Any

from ...rules import (
    Action,
    Changes,
    Fighter,
    Initiative,
    Intent,
    Modifiers,
    RuleTable,
    Setup,
    initiative_action,
)
from .checks import OVERWATCH, DieAndBonus, dice_of, rolled, skilled
from .sheet import (
    TURN_AP,
    is_dead,
    is_dying,
)

# The turn order, and what a turn begins with


def initiative_of(fighter: Fighter) -> tuple[Initiative, Modifiers]:
    """STEP-11: the mind die and its bonus; STEP-12: players go first among equals, and may agree on their order."""
    found = skilled(fighter, "initiative", "mind", "STEP-11")
    dice = dice_of(fighter, "mind", found)
    return Initiative(fighter.name, dice.bonus, (not fighter.player,), dice.sides, fighter.player), found


def score(table: RuleTable, one: Initiative, tied_with: tuple[str, ...] = ()) -> int:
    """STEP-11; STEP-5: a critical failure counts as 1 before modifiers here (a reading)."""
    return rolled(table, "initiative", DieAndBonus(one.name, one.dice, one.bonus), tied_with=[*tied_with])[1]


# STEP-12, STEP-13: a player who comes in goes ahead of an opponent with as much; copies may share a roll.
INIT = initiative_action(
    "STEP-11", initiative_of, score, times=24, ahead=lambda new, other: new.player and not other.player
)


def start_turn(changes: Changes, intent: Intent, setup: Setup, outcome: Any) -> None:
    """STEP-15: 4 AP, also in an extra turn (STEP-14); STEP-32: the dying take a wound; overwatch is over."""
    fighter = changes.fighter(intent.actor)
    if is_dead(fighter):
        return
    if is_dying(fighter):
        changes.adjust(fighter.name, "health", changes.number("STEP-32").add("dying", -1), "STEP-32")
    if not (fighter.has("stunned") or is_dead(changes.fighter(fighter.name))):
        changes.adjust(fighter.name, "ap", changes.number("STEP-15").add("renewed", TURN_AP), "STEP-15")
    changes.mark(fighter.name, OVERWATCH, 0, "STEP-16")


PHASES = {"start-turn": Action("AP, and what dying takes", "STEP-15", effects=start_turn, window="table")}
