"""Throwing weapons and objects (POOL-18, POOL-40, POOL-41)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ...engine.events import Event
from ...engine.scene import Intent, Scene
from ...engine.system import Action, Cost, Setup, refuse
from .aims import ACCURATE, AIM, RECOIL, SUPPORTED, WALKED, spoiled
from .arms import THING, weapon_in_use, weapons_held
from .attack import COMMON, Blow, Struck, attack, bare, outputs, strike, walking
from .attack import stake as weapon_stake
from .deeds import deed
from .defence import REACTIONS
from .deviation import deviation, dial_of, landed
from .luck import repaid, spent
from .pool import Scale
from .rolls import asked, dice_for, hand_of, least_for, successes, total
from .sheet import modes_of
from .steps import Steps


def is_object(scene: Scene, intent: Intent) -> bool:
    """POOL-40: whether an object is thrown: one that is named, or anything where there is no throwing weapon."""
    if intent.get("item"):
        return True
    return not intent.get("weapon") and weapon_in_use(scene, intent, quietly=True)[0] == THING


def stake(scene: Scene, intent: Intent) -> Setup:
    """A throwing weapon as an attack (POOL-18), or an object (POOL-40): throwing dice, and no range limit."""
    if not is_object(scene, intent):
        if not intent.target:
            refuse(intent, "a weapon is thrown at somebody", "POOL-18", "an object: --item NAME", final=True)
        return weapon_stake(scene, intent)
    for option in (AIM, ACCURATE, "off_hand", "supported"):
        if intent.get(option):
            refuse(intent, f"--{option.replace('_', '-')} is for weapons", "POOL-40", final=True)
    fighter = scene.fighters[intent.actor]
    item = intent.get("item") or ""
    found = dice_for(fighter, "throw", "throwing") + least_for(fighter, "throw", "throwing")
    found += asked(intent, "throw") + walking(scene, intent, "throw")
    hand = hand_of(scene, intent, total(found, "throw dice"), Scale(total(found, "throw")))
    used = (Cost(f"uses:{item}", rule="POOL-40"),) if "uses" in fighter.sheet["items"].get(item, {}) else ()
    return Setup((hand, dial_of(scene, intent)), tuple(found), (*spent(scene, intent), *used), item)


def _roll(table: Any, stake: Any) -> Any:
    """A rule, POOL-40: the hit roll of a weapon; of an object a roll that is no attack (POOL-6)."""
    return attack.roll(table, stake) if isinstance(stake, Blow) else successes(table, "throw", stake[0])


def _react(table: Any, stake: Any, rolled: Any) -> Any:
    return attack.react(table, stake, rolled) if isinstance(stake, Blow) else None


def _rest(table: Any, stake: Any, rolled: Any, faced: Any) -> Struck:
    """A rule, POOL-40: one success hits; POOL-41: a miss deviates."""
    if isinstance(stake, Blow):
        struck: Struck = attack.rest(table, stake, rolled, faced)
        return struck
    found, used = rolled
    landing = (0, 0) if found else table.ask(deviation, stake[0].who)
    return Struck(found > 0, found, 0, landing=landing, repaid=used)


throw = Steps(_roll, _react, _rest)
"""The rule of a throw."""


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
        return outputs(scene, intent, stake, outcome)
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
        candidates=_offers,
        options=(*COMMON, "item", "at"),
        targets="one",
        outputs=where,
        reactions=REACTIONS,
        bare=bare,
    ),
    RECOIL, AIM, ACCURATE, SUPPORTED, WALKED,
)  # fmt: skip
