"""Weapons and items: the one an action uses, and the candidates for attacks and treatments."""

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
    """The weapon of an attack, as (name, sheet entry): that of `--weapon`, else the one in hand, else bare hands.

    With `kinds`, the default is a weapon of these kinds, in hand or else on the sheet. In a crisis a weapon that is
    not in hand is refused, by `rule`.
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
    """The `candidates` function of an attack: one intent for each foe and weapon in hand of these kinds.

    With `bare_hands`, a fighter with no such weapon in hand attacks with bare hands.
    """

    def candidates(scene: Scene, who: str) -> Iterator[Intent]:
        fighter = scene.fighters[who]
        weapons = fighter.sheet["weapons"]
        held = [one for one in fighter.held if one in weapons and weapons[one]["kind"] in kinds]
        for name in held or ([UNARMED] if bare_hands else ()):
            for foe in scene.foes(who):
                yield Intent(action, who, (foe.name,), {"weapon": name})

    return candidates


def item_candidates(action: str, needs: str = "") -> Candidates:
    """The `candidates` function of an action with an item: one intent for each item and fighter of the same side.

    With `needs`, only items whose sheet entry has this key.
    """

    def candidates(scene: Scene, who: str) -> Iterator[Intent]:
        fighter = scene.fighters[who]
        for item, thing in fighter.sheet["items"].items():
            if not needs or thing.get(needs):
                for patient in scene.of_side(fighter.side):
                    yield Intent(action, who, (patient.name,), {"item": item})

    return candidates
