"""Damage: of the body and the weapon, projectile by projectile, less armour (D100-17, D100-18, D100-26)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from ...engine.dice_amount import Amount, parse_amount, sum_of
from ...engine.record import Modifier
from ...engine.scene import Fighter
from ...rules.situational import standing
from .checks import total

SHARE = 10
"""D100-17: unarmed it is d(strength / 10)."""
LEAST = 1
"""D100-17: at least a d1, which is not rolled, no more than a d1 of a weapon (a reading)."""
SPOTS = ("a limb", "the body", "the head")
"""D100-18: where a projectile struck, by thirds of what it can do; told, and nothing more."""


class Damage(NamedTuple):
    """What one projectile or blow does."""

    strength: int
    """Sides of the die of strength; 0 for projectiles."""
    worth: Amount
    """Of the weapon, everything else added."""
    armour: int


def die_of(rating: int) -> int:
    """The sides of the die that a rating gives (D100-17, D100-28)."""
    return max(LEAST, rating // SHARE)


def damage_of(
    fighter: Fighter, target: Fighter, name: str, weapon: Mapping[str, Any], more: list[Modifier]
) -> tuple[Damage, list[Modifier]]:
    """The damage of a weapon (D100-17, D100-18, D100-29), armour known (D100-26), and its flat parts."""
    worth = parse_amount(weapon["damage"]) or Amount()
    if worth.sides == LEAST:
        worth = Amount(plus=worth.plus + worth.many)
    modifiers = [Modifier("damage", "weapon", worth.plus, "D100-2", f"weapons.{name}")] if worth.plus else []
    plus = standing(fighter, "damage", "damage") + more
    by_hand = weapon["kind"] in ("melee", "thrown")
    sides = die_of(fighter.sheet["ratings"]["strength"]) if by_hand else 0
    if sides == LEAST:
        modifiers.append(Modifier("damage", "strength", LEAST, "D100-17", "d1"))
    whole = worth._replace(plus=worth.plus + total(plus, "damage"))
    return Damage(sides, whole, target.sheet["armour"]), modifiers + plus


def struck(table: Any, who: str, damage: Damage) -> int:
    """A rule: what one projectile or blow does, armour taken off (D100-26); never below 0."""
    strength, worth, armour = damage
    dice = " + ".join(part for part in (f"d{strength}" if strength > LEAST else "", worth.dice) if part)
    if dice:
        table.label("damage", who, dice)
    harm: int = table.die(strength) if strength > LEAST else strength
    harm = max(0, harm + sum_of(table, worth))
    if dice:
        spot = {} if strength else {"spot": _spot(harm, worth)}
        table.result(total=harm, **spot)
    return max(0, harm - armour)


def _spot(harm: int, worth: Amount) -> str:
    """Where it struck: the higher the roll, the worse the place."""
    least, most = worth.many + worth.plus, worth.many * worth.sides + worth.plus
    return SPOTS[min(2, 3 * (harm - least) // max(1, most - least + 1))]
