"""What an attack is made with: the weapon in use, how it fires, how far it reaches (D100-17 to D100-22)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...engine.record import Modifier
from ...engine.scene import Intent, Scene, slug
from ...engine.system import refuse
from ...rules.distance import increments, target_distance, within
from ...rules.equipment import in_hand
from .acts import REACH
from .checks import assist, obstacle
from .sheet import OBJECT, UNARMED, modes_of, range_of
from .words import SHOTS

MOST_CHECKS = 3
"""D100-18: of automatic fire."""
USUAL = {"rifle": "semi"}
"""D100-18: the mode that is used where none is asked for; otherwise the first."""
THING = "object"
"""What is thrown where there is nothing made for it (D100-29)."""
FIREARM = ("mode", "checks", "stable")
"""Options that only firearms heed."""


def weapon_in_use(scene: Scene, intent: Intent) -> tuple[str, Mapping[str, Any]]:
    """The weapon of an attack, or what is thrown, with its name: as asked for, else in hand, else on the sheet."""
    fighter = scene.fighters[intent.actor]
    weapons: Mapping[str, Mapping[str, Any]] = fighter.sheet["weapons"]
    hurls = intent.action == "throw"
    name = intent.get("weapon") or ""
    if not name:
        able = [one for one in fighter.held if one in weapons]
        if hurls:
            able = [one for one in (*able, *weapons) if weapons[one]["kind"] == "thrown"]
        name = able[0] if able else THING if hurls else "unarmed"
    if name == "unarmed":
        if hurls:
            refuse(intent, "bare hands cannot be thrown", "D100-29", final=True)
        return name, UNARMED
    if name == THING:
        return name, OBJECT
    if name not in weapons:
        refuse(intent, f"{fighter.name} has no weapon called {name!r}", "D100-2", final=True)
    in_hand(scene, intent, name, "D100-13")
    weapon = weapons[name]
    if hurls and weapon["kind"] not in ("thrown", "melee"):
        # Thrown, a firearm is an object like any other (D100-29).
        return name, OBJECT
    return name, weapon if not hurls else {**weapon, "kind": "thrown"}


def in_reach(scene: Scene, intent: Intent, weapon: Mapping[str, Any]) -> None:
    """Refused where the target of a blow is out of reach."""
    if weapon["kind"] == "melee":
        closer = f"go closer: crisis act {slug(intent.actor)} walk --to X,Y, or run"
        within(scene, intent, REACH, "a blow", "D100-17", closer)


def mode_in_use(intent: Intent, weapon: Mapping[str, Any]) -> str:
    """D100-18: how it fires, as asked for or as usual; empty for what does not fire."""
    modes = modes_of(weapon) if intent.action == "attack" else ()
    if not modes:
        return ""
    usual = USUAL.get(weapon["kind"], modes[0])
    return intent.get("mode") or (usual if usual in modes else modes[0])


def mode_of(scene: Scene, intent: Intent, name: str, weapon: Mapping[str, Any]) -> tuple[str, int]:
    """D100-18: how it fires, and the checks of that; nothing and one for what does not fire."""
    modes = modes_of(weapon) if mode_in_use(intent, weapon) else ()
    for option in FIREARM:
        if not modes and intent.get(option):
            refuse(intent, f"the {name} does not fire: --{option} means nothing", "D100-18", final=True)
    if not modes:
        return "", 1
    mode = mode_in_use(intent, weapon)
    can = f"it fires {', '.join(modes)}"
    if mode not in modes:
        refuse(intent, f"the {name} does not fire {mode}", "D100-18", can)
    checks = intent.get("checks", 1)
    if "checks" in intent.options and mode != "auto":
        refuse(intent, f"only automatic fire has several checks; this is {mode}", "D100-18", can, final=True)
    if not 1 <= checks <= MOST_CHECKS:
        refuse(intent, f"automatic fire has 1 to {MOST_CHECKS} checks, not {checks}", "D100-18", final=True)
    _loaded(scene, intent, name, mode, checks, modes)
    return mode, checks


def _loaded(scene: Scene, intent: Intent, name: str, mode: str, checks: int, modes: tuple[str, ...]) -> None:
    """D100-22: too few shots for the mode are refused, with the modes that there are enough for (a reading)."""
    left, wanted = scene.fighters[intent.actor].pools.get(f"ammo:{name}"), checks * SHOTS[mode]
    if left is None or left >= wanted:
        return
    enough = [one for one in modes if SHOTS[one] <= left]
    way_on = (
        f"there are enough for --mode {enough[0]}"
        if enough
        else f"crisis act {slug(intent.actor)} reload {slug(name)}"
    )
    refuse(
        intent,
        f"the {name} of {intent.actor} has {left} shots left; {mode} takes {wanted}",
        "D100-22",
        way_on,
    )


def aimed(scene: Scene, intent: Intent, weapon: Mapping[str, Any], mode: str) -> list[Modifier]:
    """The Assists and Obstacles of mode, rest and range (D100-18 to D100-20)."""
    found = [assist("attack", "single shot", "D100-18", "--mode single")] if mode == "single" else []
    if intent.get("stable"):
        found.append(assist("attack", "steady rest", "D100-20", "--stable"))
    distance, reaches = target_distance(scene, intent), range_of(weapon)
    beyond = increments(distance, reaches)
    if weapon["kind"] != "melee" and beyond:
        found.append(obstacle("attack", "range", "D100-19", f"{distance} m at {reaches} m a range", beyond))
    return found
