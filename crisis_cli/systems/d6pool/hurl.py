"""Throwing weapons and objects (POOL-18, POOL-40, POOL-41)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ...play.events import Event
from ...play.scene import Intent, Scene
from ..system import Action, Cost, Staked, forbid
from .aims import ACCURATE, AIM, RECOIL, SUPPORTED, WALKED, spoiled
from .arms import THING, weapon_in_use, weapons_held
from .attack import COMMON, Blow, Struck, attack, bare, facts, strike, walking
from .attack import stake as weapon_stake
from .deeds import deed
from .defence import REACTIONS
from .deviation import deviation, dial_of, landed
from .pool import Scale, hits
from .rolls import asked, dice_for, hand_of, least_for, repaid, spent, thrown, total
from .sheet import modes_of


def is_object(scene: Scene, intent: Intent) -> bool:
    """POOL-40: whether an object is thrown: one that is named, or anything where there is no throwing weapon."""
    if intent.get("item"):
        return True
    return not intent.get("weapon") and weapon_in_use(scene, intent, quietly=True)[0] == THING


def stake(scene: Scene, intent: Intent) -> Staked:
    """A throwing weapon as an attack (POOL-18), or an object (POOL-40): throwing dice, and no range limit."""
    if not is_object(scene, intent):
        if not intent.target:
            forbid(intent, "a weapon is thrown at somebody", "POOL-18", "an object: --item NAME", final=True)
        return weapon_stake(scene, intent)
    for option in (AIM, ACCURATE, "off_hand", "supported"):
        if intent.get(option):
            forbid(intent, f"--{option.replace('_', '-')} is for weapons", "POOL-40", final=True)
    fighter = scene.fighters[intent.actor]
    item = intent.get("item") or ""
    found = dice_for(fighter, "throw", "throwing") + least_for(fighter, "throw", "throwing")
    found += asked(intent, "throw") + walking(scene, intent, "throw")
    hand = hand_of(intent, total(found, "throw dice"), Scale(total(found, "throw")))
    used = (Cost(f"uses:{item}", rule="POOL-40"),) if "uses" in fighter.sheet["items"].get(item, {}) else ()
    return Staked((hand, dial_of(scene, intent)), tuple(found), (*spent(scene, intent), *used), item or THING)


def throw(table: Any, stake: Any) -> Struck:
    """POOL-40: one success hits; POOL-41: a miss deviates."""
    if isinstance(stake, Blow):
        return attack(table, stake)
    score, used = thrown(table, "throw", stake[0])
    if hits(score):
        return Struck(True, hits(score), 0, repaid=used)
    return Struck(False, 0, 0, landing=table.ask(deviation, stake[0].who), repaid=used)


def hurled(scene: Scene, intent: Intent, stake: Any, outcome: Struck) -> Iterator[Event]:
    """What it changes: of an object nothing but what was built up for an attack."""
    if isinstance(stake, Blow):
        yield from strike(scene, intent, stake, outcome)
        return
    yield from spoiled(scene, intent.actor)
    yield from repaid(scene, intent, outcome.repaid)


def where(scene: Scene, intent: Intent, stake: Any, outcome: Struck) -> Mapping[str, Any]:
    """Where it lands."""
    if isinstance(stake, Blow):
        return facts(scene, intent, stake, outcome)
    return landed(stake[1], outcome.landing) if outcome.landing[0] else {}


def _offers(scene: Scene, who: str) -> Iterator[Intent]:
    fighter = scene.fighters[who]
    weapons = fighter.sheet["weapons"]
    held = [one for one in weapons_held(fighter) if "throw" in modes_of(weapons[one])]
    for foe in scene.foes(who):
        if not foe.has("dead"):
            yield from (Intent("throw", who, (foe.name,), {"weapon": name}) for name in held)


THROW = deed(
    Action(
        "Throw a weapon or an object",
        "POOL-40",
        stake,
        hurled,
        throw,
        gear="weapons",
        offers=_offers,
        options=(*COMMON, "item", "at"),
        targets="one",
        facts=where,
        reactions=REACTIONS,
        bare=bare,
    ),
    RECOIL, AIM, ACCURATE, SUPPORTED, WALKED,
)  # fmt: skip
