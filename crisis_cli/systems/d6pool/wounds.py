"""Wounds, hearts and conditions (POOL-37)."""

from __future__ import annotations

from ...rules import (
    Changes,
    Fighter,
    Number,
    lacks,
)
from .sheet import (
    CONDITIONS,
)

# Conditions and wounds

DEATH = 6
"""POOL-37: dying at this level is death."""


def hearts(fighter: Fighter) -> int:
    """POOL-37: wounds not yet taken, plus boosts."""
    return fighter.full("wounds") - fighter.pools["wounds"] + fighter.pools["boost"]


def consequences(changes: Changes, who: str) -> None:
    """POOL-37: without a heart left one is dying, unless stabilised; dying far enough is dead; nothing else stays."""
    fighter = changes.fighter(who)
    lifeless, dying = hearts(fighter) <= 0, fighter.level("dying")
    if fighter.has("dead") or (lifeless and dying >= DEATH):
        kept, level, ended = "dead", fighter.conditions.get("dead", 1), tuple(fighter.conditions)
    elif lifeless and not fighter.has("stable"):
        kept, level, ended = "dying", dying or 1, tuple(fighter.conditions)
    else:
        kept, level, ended = "", 0, () if lifeless else ("dying", "stable")
    if kept:
        changes.assign(who, f"condition:{kept}", level, "POOL-37")
    for condition in ended:
        if condition != kept:
            changes.assign(who, f"condition:{condition}", False, "POOL-37")


def wound(changes: Changes, who: str, wounds: Number, rule: str = "POOL-26") -> None:
    """POOL-37, POOL-39: wounds take boosts first, then hearts; those of the dying make it worse."""
    fighter = changes.fighter(who)
    if wounds.total <= 0 or fighter.has("dead"):
        return
    if hearts(fighter) <= 0 and fighter.has("dying"):
        worsen(changes, who, wounds, rule)
        return
    # A stabilised fighter is dying again with the first wound.
    changes.end(who, "stable", "POOL-37")
    boosted = min(wounds.total, fighter.pools["boost"])
    changes.adjust(who, "boost", changes.number("POOL-39").add("wounds", -boosted), "POOL-39")
    changes.adjust(who, "wounds", wounds.absorb("boosts", boosted, "POOL-39"), rule)


def worsen(changes: Changes, who: str, levels: Number, rule: str = "POOL-37") -> None:
    """POOL-37: dying goes on by so many levels, to its end at most."""
    left = DEATH - changes.fighter(who).level("dying")
    changes.begin(who, "dying", rule, levels.add("limit", min(0, left - levels.total), "POOL-37"))


def inflict(changes: Changes, who: str, condition: str, level: Number, rule: str) -> None:
    """POOL-3: a condition at this level; the higher one stands, and what has no levels is on."""
    more = level.add("level before", -min(level.total, changes.fighter(who).level(condition)), "POOL-3")
    changes.begin(who, condition, rule, more if CONDITIONS[condition].levels else True)


ALIVE = lacks("dead", "POOL-37", "{who} is dead already", of="target", code="already_dead", final=True)
