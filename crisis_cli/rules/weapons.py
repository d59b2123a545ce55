"""Weapons and items: which one an action uses, and which attacks and treatments are worth considering."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from ..engine.scene import UNARMED, Intent, Scene
from .equipment import in_hand

ATTACK_SAYS = {
    "melee": "{actor} swings the {gear} at {target}",
    "ranged": "{actor} fires the {gear} at {target}",
    "thrown": "{actor} throws the {gear} at {target}",
    "unarmed": "{actor} goes for {target} with bare hands",
}
"""The sentences of an attack by the kind of weapon, as `Action.says` takes them."""
Candidates = Callable[[Scene, str], Iterable[Intent]]
"""Intents of one action that are worth considering for a fighter."""


def weapon_in_use(
    scene: Scene, intent: Intent, rule: str, unarmed: Mapping[str, Any], kinds: tuple[str, ...] = ()
) -> tuple[str, Mapping[str, Any]]:
    """The weapon of an attack, by name and sheet entry: the one asked for, else in hand, else bare hands.

    With `kinds`, only weapons of these kinds are taken unasked, from the sheet too. In a crisis a weapon that is
    not in hand is refused (`rule`).
    """
    fighter = scene.fighters[intent.actor]
    weapons: Mapping[str, Mapping[str, Any]] = fighter.sheet["weapons"]
    name = intent.get("weapon") or ""
    if not name:
        in_reach = (*fighter.held, *weapons) if kinds else fighter.held
        fitting = (one for one in in_reach if one in weapons and (not kinds or weapons[one]["kind"] in kinds))
        name = next(fitting, UNARMED)
    if name == UNARMED:
        return name, unarmed
    in_hand(scene, intent, name, rule)
    return name, weapons[name]


def attack_candidates(action: str, *kinds: str, bare_hands: bool = False) -> Candidates:
    """An attack on every foe with every weapon of these kinds in hand; bare hands where there is none."""

    def candidates(scene: Scene, who: str) -> Iterator[Intent]:
        fighter = scene.fighters[who]
        weapons = fighter.sheet["weapons"]
        held = [one for one in fighter.held if one in weapons and weapons[one]["kind"] in kinds]
        for name in held or ([UNARMED] if bare_hands else ()):
            for foe in scene.foes(who):
                yield Intent(action, who, (foe.name,), {"weapon": name})

    return candidates


def item_candidates(action: str, needs: str = "") -> Candidates:
    """A use of every item on the sheet (with `needs`: that has this key) on everyone of the own side."""

    def candidates(scene: Scene, who: str) -> Iterator[Intent]:
        fighter = scene.fighters[who]
        for item, thing in fighter.sheet["items"].items():
            if not needs or thing.get(needs):
                for patient in scene.of_side(fighter.side):
                    yield Intent(action, who, (patient.name,), {"item": item})

    return candidates
