"""Turns, initiative and movement (D20-10, D20-11, D20-16, D20-17)."""

from __future__ import annotations

from typing import NamedTuple

from crisis_cli.rules import Changes, Cost, Fighter, Initiative, Intent, Modifiers, RuleTable, Scene, Setup, refuse

from .checks import USUAL, CheckResult, CheckSetup, Roll, tested, thrown, with_advantage
from .conditions import HELD
from .healing import recover


class DeathSave(NamedTuple):
    """What a death save came to."""

    face: int


def turn_setup(scene: Scene, intent: Intent) -> Setup:
    """D20-16: a death save for the dying, nothing for others."""
    fighter = scene.fighters[intent.actor]
    return Setup(Roll("death save", fighter.name, 0) if fighter.has("dying") else None)


def death_save(table: RuleTable, roll: Roll | None) -> DeathSave | None:
    """D20-16: 10 or more is a success."""
    if roll is None:
        return None
    face = thrown(table, roll)
    table.result(success=face >= USUAL)
    return DeathSave(face)


def new_turn(changes: Changes, intent: Intent, setup: Setup, save: DeathSave | None) -> None:
    """D20-10, D20-11: what a turn begins with; D20-16: a death save, 1 counting twice, 20 getting up."""
    fighter = changes.fighter(intent.actor)
    speed = 0 if any(map(fighter.has, HELD)) else fighter.sheet["speed"]
    for pool, value in (("action", 1), ("bonus", 1), ("movement", speed)):
        changes.set(fighter.name, pool, value, "D20-10")
    if save is None:
        return
    if save.face == 20:
        recover(changes, fighter.name, 1)
    elif save.face >= USUAL:
        changes.adjust(fighter.name, "successes", 1, "D20-16")
    else:
        changes.adjust(fighter.name, "failures", 1 + (save.face == 1), "D20-16")


# Initiative and movement


def initiative_of(fighter: Fighter) -> tuple[Initiative, Modifiers]:
    """D20-10: what a fighter adds to initiative, and dexterity alone for ties."""
    found = tested("initiative", "D20-10", fighter, "dexterity")
    return Initiative(
        fighter.name, found.total, (-fighter.sheet["abilities"]["dexterity"],), found.net_advantage
    ), found


def score(table: RuleTable, one: Initiative, tied_with: tuple[str, ...] = ()) -> int:
    """D20-10: a d20 and the bonus."""
    advantage = one.dice if isinstance(one.dice, int) else 0
    total = thrown(table, Roll("initiative", one.name, one.bonus, advantage), tied_with=[*tied_with]) + one.bonus
    table.result(total=total)
    return total


def dash(changes: Changes, intent: Intent, setup: Setup, outcome: None) -> None:
    """D20-11: the speed once more."""
    fighter = changes.fighter(intent.actor)
    changes.adjust(fighter.name, "movement", fighter.sheet["speed"], "D20-11")


def can_move(scene: Scene, intent: Intent) -> None:
    """D20-17: a held creature stays."""
    fighter = scene.fighters[intent.actor]
    held = next((one for one in HELD if fighter.has(one)), "")
    if held:
        refuse(intent, f"{fighter.name} is {held} and cannot move", "D20-17")


def move_setup(scene: Scene, intent: Intent) -> Setup:
    """D20-11: feet are paid as they are gone, twice when prone."""
    fighter, to = scene.fighters[intent.actor], intent.get("to")
    feet = scene.way(fighter.at, to) if fighter.at and to else 0
    return Setup(None, (), (Cost("movement", feet * (1 + fighter.has("prone")), rule="D20-11"),), carried=feet)


def move(changes: Changes, intent: Intent, setup: Setup, outcome: None) -> None:
    """D20-11: to the place named."""
    if intent.get("to") is not None:
        changes.move(intent.actor, intent.get("to"), "D20-11")


def escape_setup(scene: Scene, intent: Intent) -> Setup:
    """D20-17: athletics or acrobatics, the better of them, against 12."""
    fighter = scene.fighters[intent.actor]
    both = (tested("check", "D20-5", fighter, skill) for skill in ("athletics", "acrobatics"))
    found = with_advantage(max(both, key=lambda one: one.total), intent)
    if not fighter.has("grappled") and not fighter.has("restrained"):
        refuse(intent, f"nothing holds {fighter.name}", "D20-17")
    return Setup(
        CheckSetup(Roll("check", fighter.name, found.total, found.net_advantage), 12), Modifiers.lines_of(found)
    )


def escaped(changes: Changes, intent: Intent, setup: Setup, result: CheckResult) -> None:
    """D20-17: free of everything that holds."""
    if result.success:
        changes.end(intent.actor, "grappled", "D20-17")
        changes.end(intent.actor, "restrained", "D20-17")
