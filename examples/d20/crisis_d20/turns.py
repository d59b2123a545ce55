"""Turns, initiative and movement (D20-10, D20-11, D20-16, D20-17)."""

from __future__ import annotations

from typing import NamedTuple

from crisis_cli.rules import Changes, Cost, Fighter, Initiative, Intent, Modifiers, RuleTable, Scene, Setup, refuse

from .checks import USUAL, CheckResult, CheckSetup, Roll, tested, thrown, with_advantage
from .conditions import HELD, is_dead, is_down
from .healing import recover


class DeathSave(NamedTuple):
    """What a death save came to."""

    face: int


class Spent(NamedTuple):
    """The spells of a fighter that may be ready again."""

    who: str
    spells: tuple[tuple[str, int], ...]
    """Each with the face that makes it ready."""


class Recharge(NamedTuple):
    """The spells that are ready again at the start of a turn."""

    ready: tuple[str, ...]


def turn_setup(scene: Scene, intent: Intent) -> Setup:
    """D20-16: a death save for the dying; D20-23: what recharges, for those who stand; nothing for others."""
    fighter = scene.fighters[intent.actor]
    if is_down(fighter) or is_dead(fighter):
        return Setup(Roll("death save", fighter.name, 0) if fighter.has("dying") else None)
    spent = [
        (name, spell["recharge"])
        for name, spell in fighter.sheet["spells"].items()
        if "recharge" in spell and not fighter.pools[f"charge:{name}"]
    ]
    return Setup(Spent(fighter.name, tuple(spent)) if spent else None)


def turn_roll(table: RuleTable, stake: Roll | Spent | None) -> DeathSave | Recharge | None:
    """D20-16: a death save, where 10 or more is a success; D20-23: or a d6 for each spell that recharges."""
    if isinstance(stake, Spent):
        return Recharge(tuple(name for name, least in stake.spells if table.ask(recharges, stake.who, name, least)))
    if stake is None:
        return None
    face = thrown(table, stake)
    table.result(success=face >= USUAL)
    return DeathSave(face)


def recharges(table: RuleTable, who: str, spell: str, least: int) -> bool:
    """D20-23: a d6 at or above what the spell needs."""
    table.label("recharge", who, "d6", cause=spell)
    face = table.die(6)
    table.result(total=face, target=least, success=face >= least)
    return face >= least


def new_turn(changes: Changes, intent: Intent, setup: Setup, roll: DeathSave | Recharge | None) -> None:
    """D20-10, D20-11, D20-22: what a turn begins with; D20-16: a death save; D20-23: what is ready again."""
    fighter = changes.fighter(intent.actor)
    speed = 0 if any(map(fighter.has, HELD)) else fighter.sheet["speed"]
    for pool, value in (("action", 1), ("bonus", 1), ("movement", speed)):
        changes.set(fighter.name, pool, value, "D20-10")
    if fighter.pools.get("strikes"):
        changes.set(fighter.name, "strikes", 0, "D20-22")
    if isinstance(roll, Recharge):
        for name in roll.ready:
            changes.set(fighter.name, f"charge:{name}", 1, "D20-23")
    elif roll is not None:
        survive(changes, fighter.name, roll.face)


def survive(changes: Changes, who: str, face: int) -> None:
    """D20-16: a death save, 1 counting twice, 20 getting up."""
    if face == 20:
        recover(changes, who, 1)
    elif face >= USUAL:
        changes.adjust(who, "successes", 1, "D20-16")
    else:
        changes.adjust(who, "failures", 1 + (face == 1), "D20-16")


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
