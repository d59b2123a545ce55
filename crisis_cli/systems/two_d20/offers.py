"""Attacks and throws worth considering, and what could be bought with them (2D20-6, 2D20-8, 2D20-13, 2D20-19)."""

from __future__ import annotations

from collections.abc import Iterator

from ...engine.scene import Intent, Scene
from .arms import MANY, MOST_AP, between, weapon_in_use
from .conditions import fallen
from .pools import purse
from .rolls import richer, with_option
from .sheet import CLOSE, THROWN, resistance
from .words import PLACES

MOST_OTHERS, BESIDE = 2, 1
"""So many further targets of a burst are thought of, so many zones from the first."""


def attacks(scene: Scene, who: str) -> Iterator[Intent]:
    """What is in hand, at every foe."""
    fighter = scene.fighters[who]
    weapons = fighter.sheet["weapons"]
    foes = [foe for foe in scene.foes(who) if not foe.has("dead")]
    for name in [one for one in fighter.held if one in weapons and weapons[one]["type"] not in THROWN] or [
        "unarmed"
    ]:
        for foe in foes:
            yield Intent("attack", who, (foe.name,), {"weapon": name})


def throws(scene: Scene, who: str) -> Iterator[Intent]:
    """What is in hand to be thrown, at every foe."""
    fighter = scene.fighters[who]
    weapons = fighter.sheet["weapons"]
    for name in [one for one in fighter.held if one in weapons and weapons[one]["type"] in THROWN]:
        for foe in scene.foes(who):
            if not foe.has("dead"):
                yield Intent("throw", who, (foe.name,), {"weapon": name})


def upgrades(scene: Scene, intent: Intent) -> Iterator[Intent]:
    """2D20-6, 2D20-8, 2D20-13, 2D20-19, 2D20-24: dice bought, Luck, rounds, further targets, AP for damage, and where
    armour is thinnest."""
    yield from richer(scene, intent)
    fighter = scene.fighters[intent.actor]
    name, weapon = weapon_in_use(scene, intent, quietly=True)
    loaded = fighter.pools.get(f"ammo:{name}", MANY) if weapon.get("ammo") else MANY
    rounds = min(weapon.get("fire_rate", 0), loaded - 1)
    if rounds > 0:
        yield with_option(intent, "extra_rounds", rounds)
    if "burst" in weapon["effects"] and loaded > 1:
        yield from _bursts(scene, intent)
    have = min(MOST_AP, purse(scene, intent, "major"))
    if have and weapon["type"] in (*CLOSE, *THROWN):
        yield with_option(intent, "ap_dice", have)
    if "blast" not in weapon["effects"]:
        worn = {
            place: resistance(scene.fighters[intent.target].sheet, place, weapon["damage_type"])
            for place in PLACES
        }
        thin = min(PLACES, key=lambda place: worn[place])
        if worn[thin] < max(worn.values()):
            yield with_option(intent, "location", thin)


def _bursts(scene: Scene, intent: Intent) -> Iterator[Intent]:
    """2D20-24: a burst reaches from one to the next, whoever stands nearest to the first."""
    first = scene.fighters[intent.target]
    apart = {one.name: between(scene, first.name, one.name) or 0 for one in scene.foes(intent.actor)}
    others = [
        one
        for one in scene.foes(intent.actor)
        if one.name != first.name and apart[one.name] <= BESIDE and not fallen(one)
    ]
    if others and len(intent.targets) == 1:
        others.sort(key=lambda one: apart[one.name])
        for many in sorted({1, min(MOST_OTHERS, len(others))}):
            yield intent._replace(targets=(first.name, *(one.name for one in others[:many])))
