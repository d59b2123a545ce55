"""The turn order, and what turns begin and end with (2D20-9 to 2D20-11, 2D20-22 to 2D20-24)."""

from __future__ import annotations

from ...rules import (
    Changes,
    Fighter,
    Initiative,
    Intent,
    Modifiers,
    RuleTable,
    Scene,
    Setup,
    initiative_action,
)
from . import sheet
from .attacks import Damage, DamageResult, Loss
from .checks import CheckResult, CheckSetup, check_effects, end_command, end_persistent, luck_of
from .damage import after_losses, apply_wounds, combat_dice, lost
from .sheet import (
    BURNING,
)


def initiative_of(fighter: Fighter) -> tuple[Initiative, Modifiers]:
    """2D20-9: by initiative, then agility, then players before opponents."""
    initiative = sheet.derived(fighter.sheet)["initiative"]
    found = Modifiers("score", "2D20-2").base("initiative", initiative, source="per + agi")
    return Initiative(
        fighter.name, initiative, (-fighter.sheet["attributes"]["agi"], not fighter.player)
    ), found


INIT = initiative_action(
    "2D20-9",
    initiative_of,
    lambda table, one: one.bonus,
    reroll=Initiative.roll_off(20),
    times=7,
    ahead=lambda new, other: initiative_of(new)[0].tie < initiative_of(other)[0].tie,
    title="Line up by initiative",
)
"""2D20-9: equal d20s are rolled again seven times before the order of naming settles it."""


# Turns


def dying_setup(scene: Scene, intent: Intent) -> Setup:
    """2D20-23: end + survival against the number of injuries, for someone dying; nothing for others."""
    fighter = scene.fighters[intent.actor]
    if not sheet.is_dying(fighter):
        return Setup(None)
    hard = Modifiers("difficulty", "2D20-23").situational(fighter, "dying", "end", "survival", sign=-1)
    target, critical = sheet.target_number(fighter.sheet, "end", "survival")
    difficulty = max(0, sheet.injuries(fighter) + hard.total)
    test = CheckSetup("resist", fighter.name, target, critical, difficulty, cause="death")
    return Setup(test._replace(asks=luck_of(scene, intent)[1]))


def begin_turn(changes: Changes, intent: Intent, setup: Setup, result: CheckResult | None) -> None:
    """2D20-11: a Major and a Minor action, none for the stunned (2D20-24); 2D20-23: failing is death."""
    fighter = changes.before.fighters[intent.actor]
    normal = not (fighter.has("stunned") or fighter.has("dead") or sheet.is_dying(fighter))
    for pool in ("major", "minor"):
        changes.set(fighter.name, pool, int(normal), "2D20-11")
    changes.clear_marks(fighter.name, "2D20-11", "readied", sheet.ASSISTS, sheet.DEFENDING)
    if result:
        check_effects(changes, intent, setup, result)
        if not result.success:
            changes.begin(fighter.name, "dead", "2D20-23")


Wound = tuple[Damage, str, int, str]
"""Damage that comes again at the end of a turn, its location, the resistance there, and what causes it."""


def lasting_setup(scene: Scene, intent: Intent) -> Setup:
    """2D20-22, 2D20-24: bleeding, then persistent damage; none for the dead. Dice are the state, and the wounds."""
    fighter = scene.fighters[intent.actor]
    # Two combat dice of an injured torso, however often it is injured (a reading).
    bleeding = (Damage(fighter.name, 2), "torso", 0, "bleeding from the torso")
    found: list[Wound] = [bleeding] if sheet.injuries(fighter, "torso") else []
    for burning in fighter.marks_of(BURNING) if fighter.has("persistent") else ():
        kind, place, dice = burning.split(":")
        resist = sheet.resist_left(fighter, kind, place)
        found.append((Damage(fighter.name, int(dice), kind=kind), place, resist, "persistent damage"))
    state = DamageResult(fighter.pools["hp"], fighter.pools["max_hp"])
    return Setup((state, tuple(found)) if found and not fighter.has("dead") else None)


def lasting(table: RuleTable, setup: tuple[DamageResult, tuple[Wound, ...]] | None) -> DamageResult | None:
    """2D20-22, 2D20-24: the damage of each wound in its order, its Effects ignored."""
    state, wounds = setup or (None, ())
    losses: tuple[Loss, ...] = ()
    for damage, place, resist, cause in wounds:
        rolled, _, _ = table.ask(combat_dice, damage, damage.dice, (0, 0), "", cause)
        table.part(f"{place} resistance", "resistance", resist, "2D20-20", "resist", damage.who)
        losses += lost(place, (("damage", rolled), ("resistance", -resist)), damage.kind == "radiation")
    return state and after_losses(state.hp, state.highest, losses)


def end_turn(changes: Changes, intent: Intent, setup: Setup, result: DamageResult | None) -> None:
    """2D20-24: persistent damage lasts a turn less; a command that was not obeyed is forgotten (2D20-11)."""
    name = intent.actor
    fighter = changes.before.fighters[name]
    for pool in ("major", "minor"):
        changes.set(name, pool, 0, "2D20-11")
    if result:
        apply_wounds(changes, fighter, result, "2D20-22")
    turns = int(fighter.conditions.get("persistent", 0))
    if turns > 1:
        changes.begin(name, "persistent", "2D20-24", turns - 1)
    elif turns:
        end_persistent(changes, name)
    for other in changes.before.fighters:
        end_command(changes, intent._replace(actor=other))
