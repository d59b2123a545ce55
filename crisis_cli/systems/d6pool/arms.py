"""What an attack is made with: the weapon, its mode, its hand, its rounds, its reach
(POOL-16, POOL-18, POOL-21, POOL-29, POOL-34)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...engine.record import Modifier
from ...engine.scene import Fighter, Intent, Scene, slug
from ...engine.system import Cost, refuse
from ...rules.equipment import in_hand
from .sheet import SHIELD, UNARMED, modes_of, range_of, value_of

ROUNDS = {"single": 1, "burst": 3, "throw": 1}
"""POOL-18: what each mode takes of a weapon that counts its rounds."""
FAR = 2
"""POOL-21: what up to twice the range adds to the minimum roll."""
OFF_HAND = 1
"""POOL-34: what the off hand adds to it."""
STRONG, QUICK = 2, 2
"""POOL-29: above these bare hands pierce, and have a die more."""
THING = "object"
"""What is thrown where there is no weapon for it (POOL-40)."""

Weapon = Mapping[str, Any]


def weapons_held(fighter: Fighter) -> tuple[str, ...]:
    """The weapons in hand, the main hand first."""
    return tuple(one for one in fighter.held if one in fighter.sheet["weapons"])


def paired(fighter: Fighter) -> bool:
    """POOL-34: two weapons of one kind in hand, each for one hand."""
    held = [fighter.sheet["weapons"][one] for one in weapons_held(fighter)]
    return (
        len(held) == 2 and all(one["hands"] == 1 for one in held) and len({one["skill"] for one in held}) == 1
    )


def weapon_in_use(scene: Scene, intent: Intent, *, quietly: bool = False) -> tuple[str, Weapon]:
    """The weapon of an attack with its name: as asked for, else in hand; in a crisis it must be in hand."""
    fighter = scene.fighters[intent.actor]
    weapons: Mapping[str, Weapon] = fighter.sheet["weapons"]
    held = weapons_held(fighter)
    name = intent.get("weapon") or ""
    if not name and intent.get("off_hand"):
        if len(held) < 2:
            refuse(intent, f"{fighter.name} has nothing in the other hand", "POOL-34", final=True)
        name = held[1]
    if not name:
        hurls = intent.action == "throw"
        able = [one for one in (*held, *weapons) if "throw" in modes_of(weapons[one])] if hurls else held
        name = able[0] if able else THING if hurls else "unarmed"
    if name == "unarmed":
        return name, bare_hands(fighter)
    if name == THING:
        return name, UNARMED
    if name not in weapons:
        refuse(intent, f"{fighter.name} has no weapon called {name!r}", "POOL-3", final=True)
    if not quietly:
        in_hand(scene, intent, name, "POOL-12", "ready")
    return name, weapons[name]


def bare_hands(fighter: Fighter) -> Weapon:
    """POOL-29: a die more for the quick, piercing for the strong."""
    quick = value_of(fighter.sheet, "quickness")[0] > QUICK
    strong = value_of(fighter.sheet, "strength")[0] > STRONG
    return {**UNARMED, "damage_potential": int(quick), "piercing": int(strong)}


def mode_of(intent: Intent, name: str, weapon: Weapon) -> str:
    """POOL-18: how the weapon is used: as asked for, else as usual."""
    modes = modes_of(weapon)
    mode: str = "throw" if intent.action == "throw" else intent.get("mode") or modes[0]
    if mode not in modes:
        can = f"it can {', '.join(modes)}"
        refuse(intent, f"the {name} has no mode {mode}", "POOL-18", can, final=True)
    return mode


def handed(scene: Scene, intent: Intent, name: str) -> list[Modifier]:
    """POOL-34: the off hand is clumsier; without a second weapon of the kind there is none."""
    if intent.get("off_hand"):
        return [Modifier("attack", "off hand", OFF_HAND, "POOL-34", name)]
    return off_handed("attack", scene.fighters[intent.actor], name)


def off_handed(roll: str, fighter: Fighter, name: str) -> list[Modifier]:
    """POOL-34: what the second weapon in hand adds to a minimum roll."""
    other = paired(fighter) and weapons_held(fighter)[1] == name
    return [Modifier(roll, "off hand", OFF_HAND, "POOL-34", name)] if other else []


def rounds(scene: Scene, intent: Intent, name: str, weapon: Weapon, mode: str) -> tuple[Cost, ...]:
    """POOL-18: what a shot, a burst or a throw takes; a weapon thrown away is there no more."""
    pool = f"ammo:{name}"
    pools = scene.fighters[intent.actor].pools
    if pool not in pools:
        return ()
    if mode in ROUNDS:
        return (Cost(pool, ROUNDS[mode], rule="POOL-18"),)
    if not pools[pool]:
        refuse(intent, f"the {name} of {intent.actor} has been thrown", "POOL-18", "use another weapon")
    return ()


def apart(scene: Scene, intent: Intent) -> int | None:
    """The metres to the target: as said with the action, else between the positions (ALL-4)."""
    said = intent.get("range")
    return scene.distance(intent.actor, intent.target) if said is None else int(said)


def far(scene: Scene, intent: Intent, name: str, weapon: Weapon, mode: str) -> list[Modifier]:
    """POOL-21: up to the range nothing, up to twice it harder, beyond it refused."""
    distance, reaches = apart(scene, intent), range_of(weapon, mode)
    if distance is None or reaches is None or distance <= reaches:
        return []
    if distance > 2 * reaches:
        refuse(
            intent,
            f"{intent.target} is {distance} m away; the {name} reaches {reaches} m, {2 * reaches} m at most",
            "POOL-21",
            hint=f"go closer: crisis act {slug(intent.actor)} run --to X,Y",
        )
    return [Modifier("attack", "distance", FAR, "POOL-21", f"{distance} m at {reaches} m")]


def shield_of(fighter: Fighter) -> int:
    """POOL-23: the cover of the shield in hand; 0 without one, or with a weapon for two hands."""
    weapons = fighter.sheet["weapons"]
    if SHIELD not in fighter.held or any(weapons[one]["hands"] > 1 for one in weapons_held(fighter)):
        return 0
    cover: int = fighter.sheet["shield"]["cover"] if "shield" in fighter.sheet else 0
    return cover
