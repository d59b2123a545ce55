"""Standing modifiers of a place (ALL-6), brought to the fighters of an action: darkness, rain, high ground."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .encounter import Circumstance, is_one_of
from .geometry import distance
from .scene import OF_THE_PLACE, Fighter, Intent, Scene

if TYPE_CHECKING:
    from .system import System


def in_force(scene: Scene) -> tuple[Circumstance, ...]:
    """The circumstances that hold now: those of the encounter, and of its events so far."""
    encounter = scene.encounter
    if encounter is None:
        return ()
    found = {one.name: one for one in encounter.circumstances}
    for number in scene.fired:
        if number > 0:
            found |= {one.name: one for one in encounter.triggers[number - 1].circumstances}
    return tuple(one for one in found.values() if one.value)


def in_circumstances(system: System, scene: Scene, intent: Intent) -> Scene:
    """The scene in which the fighters of an action know the circumstances that concern them."""
    found = in_force(scene)
    if not found:
        return scene
    fighters = dict(scene.fighters)
    for name in dict.fromkeys(one for one in (intent.actor, *intent.targets) if one in fighters):
        one = fighters[name]
        lines = tuple(
            (roll, each.name, each.value)
            for each in found
            if _concerns(each, one) and _is_far_enough(each, system, scene, intent, name)
            for roll in dict.fromkeys(each.rolls)
        )
        if lines:
            fighters[name] = one._replace(sheet={**one.sheet, OF_THE_PLACE: lines})
    return scene._replace(fighters=fighters)


def _concerns(one: Circumstance, fighter: Fighter) -> bool:
    return not one.who or one.who == fighter.side or is_one_of(fighter.name, one.who)


def _is_far_enough(one: Circumstance, system: System, scene: Scene, intent: Intent, who: str) -> bool:
    """Whether a fighter is as far from the other one of an action as a circumstance wants."""
    if not one.distance:
        return True
    other = intent.target if who == intent.actor else intent.actor
    if not other or other == who or other not in scene.fighters:
        return False
    stated = intent.get("range")
    gap = stated if isinstance(stated, int) else distance(system, scene, who, other)
    return gap is not None and gap >= one.distance
