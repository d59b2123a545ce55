"""Things in hand: readied, loaded, supported, used (POOL-12, POOL-34, POOL-35)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...engine.events import Event, change
from ...engine.scene import Intent, Scene
from ...engine.system import Action, Cost, Setup, refuse
from .aims import SUPPORTED, actions, firearm
from .arms import weapons_held
from .deeds import deed, unchanged
from .sheet import SHIELD, modes_of


def ready_stake(scene: Scene, intent: Intent) -> Setup:
    """POOL-12: a weapon or the shield, not in hand yet."""
    fighter = scene.fighters[intent.actor]
    weapons = fighter.sheet["weapons"]
    things = (*weapons, *((SHIELD,) if "shield" in fighter.sheet else ()))
    name = intent.get("thing") or (things[0] if len(things) == 1 else "")
    others = [one for one in things if one not in fighter.held]
    at_hand = f"to ready: {', '.join(others)}" if others else ""
    if name not in things:
        refuse(intent, f"{fighter.name} must say what to ready", "POOL-12", at_hand, final=True)
    if name in fighter.held:
        refuse(intent, f"{fighter.name} has the {name} in hand already", "POOL-12", at_hand)
    if intent.get("off_hand") and (name == SHIELD or weapons[name]["hands"] > 1 or not weapons_held(fighter)):
        refuse(intent, f"the {name} is nothing for the other hand", "POOL-34", final=True)
    if name in weapons and not fighter.pools.get(f"ammo:{name}", 1) and "throw" in modes_of(weapons[name]):
        refuse(intent, f"{fighter.name} has thrown the {name} away", "POOL-18", at_hand)
    return Setup(name, (), actions(weapons[name]["ready"] if name in weapons else 1, "POOL-12"), name)


def ready(scene: Scene, intent: Intent, name: str, outcome: Any) -> Iterator[Event]:
    """In hand: instead of the weapon before, with `--off-hand` beside it; two hands leave none for the shield."""
    fighter = scene.fighters[intent.actor]
    weapons, held = fighter.sheet["weapons"], weapons_held(fighter)
    if name == SHIELD:
        now = (*(one for one in held[:1] if weapons[one]["hands"] == 1), SHIELD)
    elif intent.get("off_hand"):
        now = (held[0], name)
    else:
        shield = SHIELD in fighter.held and weapons[name]["hands"] == 1
        now = (name, SHIELD) if shield else (name,)
    yield from change(scene, intent.actor, "held", now, "POOL-12")
    yield from change(scene, intent.actor, "condition:stuck", False, "POOL-24")
    if SHIELD not in now:
        yield from change(scene, intent.actor, "condition:blocking", False, "POOL-23")


def reload_stake(scene: Scene, intent: Intent) -> Setup:
    """POOL-12: a weapon that is not full."""
    fighter = scene.fighters[intent.actor]
    weapons = fighter.sheet["weapons"]
    able = [one for one in (*fighter.held, *weapons) if one in weapons and _fires(weapons[one])]
    name = intent.get("thing") or (able[0] if able else "")
    if name not in able:
        what = f"the {name} takes no rounds" if name else f"{fighter.name} has nothing to reload"
        refuse(intent, what, "POOL-12", final=True)
    left = fighter.pools[f"ammo:{name}"]
    if left >= fighter.full(f"ammo:{name}"):
        refuse(intent, f"the {name} of {fighter.name} is full: {left} rounds", "POOL-12", final=True)
    return Setup(name, (), actions(weapons[name]["reload"], "POOL-12"), name)


def _fires(weapon: Any) -> bool:
    return "capacity" in weapon and any(mode in ("single", "burst") for mode in modes_of(weapon))


def refill(scene: Scene, intent: Intent, name: str, outcome: Any) -> Iterator[Event]:
    """Filled to its capacity."""
    pool = f"ammo:{name}"
    yield from change(scene, intent.actor, pool, scene.fighters[intent.actor].full(pool), "POOL-12")


def support_stake(scene: Scene, intent: Intent) -> Setup:
    """POOL-35: a firearm in hand, and no bow."""
    fighter = scene.fighters[intent.actor]
    weapons = fighter.sheet["weapons"]
    able = [
        one
        for one in weapons_held(fighter)
        if any(firearm(weapons[one], mode) for mode in modes_of(weapons[one]))
    ]
    name = intent.get("thing") or (able[0] if able else "")
    if name not in able:
        refuse(intent, f"{fighter.name} holds no firearm to support", "POOL-35", final=True)
    if fighter.marks.get(f"{SUPPORTED}:{name}"):
        refuse(intent, f"the {name} is supported already", "POOL-35", final=True)
    return Setup(name, gear=name)


def support(scene: Scene, intent: Intent, name: str, outcome: Any) -> Iterator[Event]:
    """The weapon rests on something until its owner does something else than firing it."""
    yield from change(scene, intent.actor, f"mark:{SUPPORTED}:{name}", 1, "POOL-35")


def use_stake(scene: Scene, intent: Intent) -> Setup:
    """POOL-12: a thing with uses left; what it does is the player's word."""
    fighter = scene.fighters[intent.actor]
    things = fighter.sheet["items"]
    name = intent.get("item") or (next(iter(things)) if len(things) == 1 else "")
    if name not in things:
        carried = f"{fighter.name} carries {', '.join(things) or 'nothing'}"
        refuse(intent, f"{fighter.name} must say what to use", "POOL-12", carried, final=True)
    uses = (Cost(f"uses:{name}", rule="POOL-12"),) if "uses" in things[name] else ()
    return Setup(name, (), uses, name)


def _things(action: str, listed: str, key: str) -> Any:
    def candidates(scene: Scene, who: str) -> Iterator[Intent]:
        sheet = scene.fighters[who].sheet
        extra = (SHIELD,) if action == "ready" and "shield" in sheet else ()
        return (Intent(action, who, (), {key: name}) for name in (*sheet[listed], *extra))

    return candidates


GEAR = {
    "ready": deed(
        Action(
            "Ready a weapon or the shield", "POOL-12", ready_stake, ready,
            gear="weapons", candidates=_things("ready", "weapons", "thing"), options=("off-hand",),
        ),
        costs=(),
    ),
    "reload": deed(
        Action(
            "Fill a weapon", "POOL-12", reload_stake, refill,
            gear="weapons", candidates=_things("reload", "weapons", "thing"),
        ),
        costs=(),
    ),
    "support": deed(
        Action("Rest the firearm on something", "POOL-35", support_stake, support, gear="weapons")
    ),
    "use": deed(
        Action(
            "Use a thing carried", "POOL-12", use_stake, unchanged,
            gear="items", candidates=_things("use", "items", "item"), options=("item",),
        )
    ),
}  # fmt: skip
