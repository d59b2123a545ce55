"""What hits do to their target in the end, and to whoever struck (POOL-3, POOL-20, POOL-24, POOL-26, POOL-31,
POOL-33)."""

from __future__ import annotations

from collections.abc import Iterator

from ...engine.events import Event, change
from ...engine.scene import Intent, Scene
from .aims import AIM
from .arms import Weapon, weapons_held
from .conditions import raised, wounded
from .defence import DISARM, KNOCKOUT, Guard, Toll
from .protection import armour_of, kept_off, stopped, used_up
from .sheet import inflicted


def suffered(scene: Scene, who: str, guard: Guard, toll: Toll, weapon: Weapon) -> Iterator[Event]:
    """What the target suffers: protection spent, wounds, conditions; its own aim is lost (POOL-20)."""
    yield from used_up(scene, who, toll.used)
    if toll.past and not toll.reaction:
        yield from change(scene, who, f"mark:{AIM}", 0, "POOL-20")
    if guard.meant == KNOCKOUT:
        if toll.harm:
            yield from raised(scene, who, "unconscious", toll.harm, "POOL-31")
    elif guard.meant == DISARM:
        if toll.harm:
            lost = weapons_held(scene.fighters[who])[:1]
            rest = tuple(one for one in scene.fighters[who].held if one not in lost)
            yield from change(scene, who, "held", rest, "POOL-33")
    else:
        yield from wounded(scene, who, toll.harm)
        if toll.through:
            off = kept_off(toll.worked)
            for condition, level in inflicted(weapon):
                if condition not in off:
                    yield from raised(scene, who, condition, level, "POOL-3")


def reflected(scene: Scene, intent: Intent, toll: Toll, weapon: Weapon) -> Iterator[Event]:
    """POOL-24: hits that come back go through the attacker's own protection (a reading)."""
    fighter = scene.fighters[intent.actor]
    armour = armour_of(fighter, Intent("attack"), weapon["piercing"], weapon["demonic"])
    left = stopped(armour, toll.reflected, 0)
    yield from used_up(scene, intent.actor, left.used)
    yield from wounded(scene, intent.actor, left.normal * weapon["wounds"], "POOL-24")
