"""Conditions (POOL-38), what follows from wounds (POOL-37), and who can act or fight."""

from __future__ import annotations

from collections.abc import Iterator

from ...engine.conditions import Condition
from ...engine.events import Event, change, shift
from ...engine.scene import Fighter, Scene

DEATH = 6
"""POOL-37: dying at this level is death."""
CONDITIONS = {
    "dead": Condition("dead", "POOL-37", levels=True),
    "dying": Condition("dying", "POOL-37", levels=True),
    "stable": Condition("stable", "POOL-37"),
    "unconscious": Condition("unconscious", "POOL-38", levels=True),
    "asleep": Condition("asleep", "POOL-38"),
    "shocked": Condition("shocked", "POOL-38", levels=True),
    "burning": Condition("burning", "POOL-38", levels=True),
    "bleeding": Condition("bleeding", "POOL-38", levels=True),
    "poisoned": Condition("poisoned", "POOL-38", levels=True),
    "hunkered": Condition("hunkered", "POOL-38", lasting=False),
    "blocking": Condition("blocking with the shield", "POOL-23", lasting=False),
    "stuck": Condition("stuck", "POOL-24", lasting=False),
}
HELPLESS = ("unconscious", "asleep", "dying")
"""POOL-36: who can be given a coup de grâce."""


def hearts(fighter: Fighter) -> int:
    """POOL-37: wounds not yet taken, plus boosts."""
    return fighter.full("wounds") - fighter.pools["wounds"] + fighter.pools["boost"]


def level_of(fighter: Fighter, condition: str) -> int:
    """How much of a condition is on; 0 for none."""
    return int(fighter.conditions.get(condition, 0))


def fallen(fighter: Fighter) -> str:
    """ "dead", "dying" or "down": out of the fight (ALL-5, POOL-37, POOL-38)."""
    if fighter.has("dead") or fighter.has("dying"):
        return "dead" if fighter.has("dead") else "dying"
    return "down" if fighter.has("unconscious") else ""


def idle(fighter: Fighter) -> tuple[str, str]:
    """Why a fighter cannot act, and the rule."""
    for condition, rule in (
        ("dead", "POOL-37"),
        ("dying", "POOL-37"),
        ("unconscious", "POOL-38"),
        ("asleep", "POOL-38"),
    ):
        if fighter.has(condition):
            return condition, rule
    return "", ""


def follow(scene: Scene, who: str) -> Iterator[Event]:
    """POOL-37: without a heart left one is dying, unless stabilised; dying far enough is dead; nothing else stays."""
    fighter = scene.fighters[who]
    lifeless = hearts(fighter) <= 0
    dying = level_of(fighter, "dying")
    if fighter.has("dead") or (lifeless and dying >= DEATH):
        yield from change(scene, who, "condition:dead", fighter.conditions.get("dead", 1), "POOL-37")
        yield from _without(scene, fighter, "dead")
    elif not lifeless:
        yield from change(scene, who, "condition:dying", False, "POOL-37")
        yield from change(scene, who, "condition:stable", False, "POOL-37")
    elif not fighter.has("stable"):
        yield from change(scene, who, "condition:dying", dying or 1, "POOL-37")
        yield from _without(scene, fighter, "dying")


def _without(scene: Scene, fighter: Fighter, kept: str) -> Iterator[Event]:
    """Other conditions end."""
    for condition in fighter.conditions:
        if condition != kept:
            yield from change(scene, fighter.name, f"condition:{condition}", False, "POOL-37")


def wounded(scene: Scene, who: str, wounds: int, rule: str = "POOL-26") -> Iterator[Event]:
    """POOL-37, POOL-39: wounds take boosts first, then hearts; those of the dying make it worse."""
    fighter = scene.fighters[who]
    if wounds <= 0 or fighter.has("dead"):
        return
    if hearts(fighter) <= 0 and fighter.has("dying"):
        yield from worsened(scene, who, wounds, rule)
        return
    # Whoever was stabilised is dying again with the first wound.
    yield from change(scene, who, "condition:stable", False, "POOL-37")
    boosted = min(wounds, fighter.pools["boost"])
    yield from shift(scene, who, "boost", -boosted, "POOL-39")
    yield from shift(scene, who, "wounds", wounds - boosted, rule)


def worsened(scene: Scene, who: str, levels: int, rule: str = "POOL-37") -> Iterator[Event]:
    """POOL-37: dying goes on by so many levels, to its end at most."""
    level = min(DEATH, level_of(scene.fighters[who], "dying") + levels)
    yield from change(scene, who, "condition:dying", level, rule)


def raised(scene: Scene, who: str, condition: str, level: int, rule: str) -> Iterator[Event]:
    """POOL-3: a condition at this level; the higher one stands, and what has no levels is on."""
    now = max(level, level_of(scene.fighters[who], condition))
    value: int | bool = now if CONDITIONS[condition].levels else True
    yield from change(scene, who, f"condition:{condition}", value, rule)
