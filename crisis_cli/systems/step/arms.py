"""Which weapon is used (STEP-4, STEP-16)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...engine.scene import Intent, Scene
from ...rules.equipment import in_hand
from .sheet import UNARMED


def weapon_in_use(
    scene: Scene, intent: Intent, kinds: tuple[str, ...] = (), *, quietly: bool = False
) -> tuple[str, Mapping[str, Any]]:
    """The name of the weapon and the weapon: as asked for, else in hand, else of these kinds on the sheet.

    In a crisis it must be in hand (STEP-16), unless `quietly`.
    """
    fighter = scene.fighters[intent.actor]
    weapons = fighter.sheet["weapons"]
    name = intent.get("weapon") or ""
    if not name:
        fitting = [
            one for one in (*fighter.held, *weapons) if one in weapons and weapons[one]["kind"] in kinds
        ]
        first = fitting if kinds else [one for one in fighter.held if one in weapons]
        name = first[0] if first else "unarmed"
    if name == "unarmed":
        return name, UNARMED
    if not quietly:
        in_hand(scene, intent, name, "STEP-16")
    return name, weapons[name]
