"""Conditions (STEP-17), what follows from wounds (STEP-31, STEP-32, STEP-36), and who can act or fight."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...engine.conditions import Condition
from ...engine.events import Event, change
from ...engine.scene import End, Fighter, Scene
from .sheet import LOWEST

TREATED: End = ("end-crisis", 0)
"""When a condition ends that lasts until treated or the crisis ends (STEP-32, STEP-33)."""
FELLED = "felled"
"""The mark of whoever is incapacitated because of the wounds, and no longer."""


def stun_ends(scene: Scene, who: str) -> End | None:
    """STEP-17: at the end of this round, or of the next one for whoever has acted already."""
    return ("end-round", scene.round + scene.acted(who)) if scene.open else None


CONDITIONS = {
    "drunk": Condition("drunk", "STEP-17"),
    "dying": Condition("dying", "STEP-32"),
    "exhausted": Condition("exhausted", "STEP-17"),
    "fatigued": Condition("fatigued", "STEP-17"),
    "helpless": Condition("helpless", "STEP-17"),
    "kneeling": Condition("kneeling", "STEP-17"),
    "prone": Condition("prone", "STEP-17"),
    "slowed": Condition("slowed", "STEP-17"),
    "stunned": Condition("stunned", "STEP-17", stun_ends),
    "hidden": Condition("hidden", "STEP-16"),
    "incapacitated": Condition("incapacitated", "STEP-17"),
    "stable": Condition("stable", "STEP-36"),
    "dead": Condition("dead", "STEP-32"),
}


def is_dead(fighter: Fighter) -> bool:
    """STEP-32: Health −10."""
    return fighter.pools["health"] <= LOWEST


def is_dying(fighter: Fighter) -> bool:
    """STEP-32, STEP-36: Health 0 or less, and not stabilised."""
    return fighter.pools["health"] <= 0 and not is_dead(fighter) and not fighter.has("stable")


def is_felled(fighter: Fighter) -> bool:
    """STEP-31, STEP-32: whether the wounds by themselves keep a fighter from acting.

    Below Health 0 any non-lethal wound is above it, but none is no wound at all (a reading).
    """
    return is_dying(fighter) or fighter.pools["nonlethal"] > max(0, fighter.pools["health"])


def fallen(fighter: Fighter) -> str:
    """ "dead", "dying" or "down": out of the fight (ALL-5, STEP-31, STEP-32)."""
    if is_dead(fighter):
        return "dead"
    if is_dying(fighter):
        return "dying"
    return "down" if fighter.has("incapacitated") or is_felled(fighter) else ""


def idle(fighter: Fighter) -> tuple[str, str]:
    """Why a fighter cannot act, and the rule (STEP-17, STEP-32)."""
    if is_dead(fighter) or is_dying(fighter):
        return fallen(fighter), "STEP-32"
    if fallen(fighter):
        return "incapacitated", "STEP-17"
    return ("stunned", "STEP-17") if fighter.has("stunned") else ("", "")


def follow(scene: Scene, who: str) -> Iterable[Event]:
    """STEP-31, STEP-32: dead, dying and incapacitated as the wounds have it; stable only as long as need be."""
    fighter = scene.fighters[who]
    dead = is_dead(fighter)
    yield from change(scene, who, "condition:dead", dead, "STEP-32")
    yield from change(scene, who, "condition:dying", is_dying(fighter), "STEP-32")
    if dead or fighter.pools["health"] > 0:
        yield from change(scene, who, "condition:stable", False, "STEP-36")
    yield from _felled(scene, fighter, dead)


def _felled(scene: Scene, fighter: Fighter, dead: bool) -> Iterator[Event]:
    rule = "STEP-32" if is_dying(fighter) or not fighter.pools["nonlethal"] else "STEP-31"
    felled = is_felled(fighter) and not dead
    was = bool(fighter.marks.get(FELLED))
    yield from change(scene, fighter.name, f"mark:{FELLED}", int(felled), rule)
    if felled:
        yield from change(scene, fighter.name, "condition:incapacitated", True, rule)
    elif dead or (was and "incapacitated" not in fighter.ends):
        yield from change(scene, fighter.name, "condition:incapacitated", False, rule)
        yield from change(scene, fighter.name, "until:incapacitated", None, rule)
