"""The other actions (STEP-16): weapons and things in hand, hiding, taking aim, keeping watch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ...play.events import Event, change
from ...play.scene import Intent, Scene
from ..system import Action, Cost, Staked, forbid
from .aims import AIM, OVERWATCH, skill_of
from .moves import STEALTH

DRAW = {"light-weapons": 0, "heavy-weapons": 2}
"""STEP-16: AP of drawing by the weapon's skill; 1 for the rest."""


def draw_stake(scene: Scene, intent: Intent) -> Staked:
    """STEP-16: a weapon that is not in hand."""
    fighter = scene.fighters[intent.actor]
    weapons = fighter.sheet["weapons"]
    name = intent.get("thing") or (next(iter(weapons)) if len(weapons) == 1 else "")
    to_draw = f"to draw: {', '.join(one for one in weapons if one not in fighter.held) or 'nothing'}"
    if name not in weapons:
        forbid(intent, f"{fighter.name} must say which weapon to draw", "STEP-16", to_draw, final=True)
    if name in fighter.held:
        forbid(intent, f"{fighter.name} has the {name} in hand already", "STEP-16", to_draw)
    ap = DRAW.get(skill_of(weapons[name]), 1)
    return Staked(name, (), (Cost("ap", ap, rule="STEP-16"),), name)


def draw(scene: Scene, intent: Intent, name: str, outcome: Any) -> Iterable[Event]:
    """The weapon in hand; the one before it is put away."""
    return change(scene, intent.actor, "held", (name,), "STEP-16")


def reload_stake(scene: Scene, intent: Intent) -> Staked:
    """STEP-16: a weapon that is not full, and a magazine for it."""
    fighter = scene.fighters[intent.actor]
    weapons = fighter.sheet["weapons"]
    held = [one for one in (*fighter.held, *weapons) if one in weapons and "capacity" in weapons[one]]
    name = intent.get("thing") or (held[0] if held else "")
    if "capacity" not in weapons.get(name, {}):
        what = f"the {name} takes no rounds" if name else f"{fighter.name} has nothing to reload"
        forbid(intent, what, "STEP-16", final=True)
    left = fighter.pools[f"ammo:{name}"]
    if left >= fighter.full(f"ammo:{name}"):
        forbid(intent, f"the {name} of {fighter.name} is full: {left} rounds", "STEP-16", final=True)
    magazine = (Cost(f"magazines:{name}", 1, rule="STEP-16"),) if "magazines" in weapons[name] else ()
    return Staked(name, (), magazine, name)


def refill(scene: Scene, intent: Intent, name: str, outcome: Any) -> Iterable[Event]:
    """Filled to its capacity."""
    pool = f"ammo:{name}"
    return change(scene, intent.actor, pool, scene.fighters[intent.actor].full(pool), "STEP-16")


def use_stake(scene: Scene, intent: Intent) -> Staked:
    """STEP-16: a thing with uses left; what it does is the player's word."""
    fighter = scene.fighters[intent.actor]
    things = fighter.sheet["items"]
    name = intent.get("item") or (next(iter(things)) if len(things) == 1 else "")
    if name not in things:
        carried = ", ".join(things) or "nothing"
        forbid(
            intent,
            f"{fighter.name} must say what to use",
            "STEP-16",
            f"{fighter.name} carries {carried}",
            final=True,
        )
    uses = (Cost(f"uses:{name}", rule="STEP-16"),) if "uses" in things[name] else ()
    return Staked(name, (), uses, name)


def unchanged(scene: Scene, intent: Intent, stake: Any, outcome: Any) -> Iterable[Event]:
    """Nothing beside what it costs."""
    return ()


def hide_stake(scene: Scene, intent: Intent) -> Staked:
    """STEP-16: not hidden yet; that nobody looks is the player's word."""
    if scene.fighters[intent.actor].has("hidden"):
        forbid(intent, f"{intent.actor} is hidden already", "STEP-16")
    return Staked(None)


def hide(scene: Scene, intent: Intent, stake: Any, outcome: Any) -> Iterable[Event]:
    """Hidden until it attacks or is noticed."""
    yield from change(scene, intent.actor, "condition:hidden", True, "STEP-16")
    yield from change(scene, intent.actor, f"mark:{STEALTH}", 0, "STEP-16")


def no_stake(scene: Scene, intent: Intent) -> Staked:
    """Nothing to look at beforehand."""
    return Staked(None)


def take_aim(scene: Scene, intent: Intent, stake: Any, outcome: Any) -> Iterable[Event]:
    """+1 on the next ranged attack, on top of any aim before."""
    aim = scene.fighters[intent.actor].marks.get(AIM, 0)
    return change(scene, intent.actor, f"mark:{AIM}", aim + 1, "STEP-16")


def watch_stake(scene: Scene, intent: Intent) -> Staked:
    """STEP-16: overwatch is for a crisis, where there are others' turns."""
    if not scene.open:
        forbid(intent, "overwatch needs others' turns", "STEP-16", "open a crisis: crisis init WHO… --open")
    return Staked(None)


def watch(scene: Scene, intent: Intent, stake: Any, outcome: Any) -> Iterable[Event]:
    """The AP are kept for attacks in others' turns."""
    return change(scene, intent.actor, f"mark:{OVERWATCH}", 1, "STEP-16")


def _things(action: str, listed: str, key: str) -> Any:
    def offers(scene: Scene, who: str) -> Iterator[Intent]:
        for name in scene.fighters[who].sheet[listed]:
            yield Intent(action, who, (), {key: name})

    return offers


ACTS = {
    "draw": Action(
        "Ready a weapon",
        "STEP-16",
        draw_stake,
        draw,
        gear="weapons",
        offers=_things("draw", "weapons", "thing"),
    ),
    "reload": Action(
        "Fill a weapon from a magazine",
        "STEP-16",
        reload_stake,
        refill,
        costs=(Cost("ap", 2, "reload"),),
        gear="weapons",
        offers=_things("reload", "weapons", "thing"),
    ),
    "use-item": Action(
        "Use a thing carried",
        "STEP-16",
        use_stake,
        unchanged,
        costs=(Cost("ap", 2, "ap"),),
        gear="items",
        offers=_things("use-item", "items", "item"),
        options=("item",),
    ),
    "hide": Action("Hide where nobody looks", "STEP-16", hide_stake, hide, costs=(Cost("ap", 3),)),
    "take-aim": Action("Aim: +1 on the next shot", "STEP-16", no_stake, take_aim, costs=(Cost("ap", 2),)),
    "overwatch": Action(
        "End the turn, and attack in others' turns", "STEP-16", watch_stake, watch, ends_turn=True
    ),
}
