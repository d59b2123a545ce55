"""Protection, piercing and wounds: what is left of hits, without a die (POOL-24 to POOL-26)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ...engine.events import Event, shift
from ...engine.scene import Fighter, Intent, Scene
from ...engine.system import refuse
from .sheet import PROTECTION

CRITICAL = PROTECTION.index("critical")
STICKY = PROTECTION.index("sticky")
DEMONIC = PROTECTION.index("demonic")
REFLECTING = PROTECTION.index("reflecting")
DEMONS = 3
"""POOL-24: hits of demonic origin that a demonic unit stops."""
STOPS = {"bleeding": "bleeding", "poison": "poisoned", "fire": "burning", "shock": "shocked"}
"""POOL-24: the conditions that units of these kinds keep off."""
Units = tuple[int, ...]
"""A number for each kind of protection."""
NONE: Units = (0,) * len(PROTECTION)


class Armour(NamedTuple):
    """The protection that meets an attack."""

    units: Units
    most: int = 9999
    """How many units are used at most."""
    piercing: int = 0
    demonic: bool = False


class Left(NamedTuple):
    """What gets through, and what it took."""

    normal: int
    critical: int
    used: Units = NONE
    worked: Units = NONE
    """Of those the ones that piercing did not swallow (POOL-25)."""
    reflected: int = 0


def armour_of(fighter: Fighter, intent: Intent, piercing: int, demonic: bool) -> Armour:
    """POOL-24: the units that are left; Refused where more are asked for than there are."""
    units = tuple(fighter.pools.get(f"protection:{kind}", 0) for kind in PROTECTION)
    most = intent.get("protection")
    if most is None:
        return Armour(units, piercing=piercing, demonic=demonic)
    if not 0 <= most <= sum(units):
        refuse(
            intent,
            f"{fighter.name} has {sum(units)} units of protection left, not {most}",
            "POOL-24",
            final=True,
        )
    return Armour(units, most, piercing, demonic)


def stopped(armour: Armour, normal: int, critical: int) -> Left:
    """POOL-24: critical units to critical hits first, then all kinds to normal ones; POOL-25: the first ones spent
    stop nothing."""
    left, worked = list(armour.units), [0] * len(armour.units)
    spent = reflected = 0
    most = min(armour.most, sum(left))
    while critical and left[CRITICAL] and spent < most:
        left[CRITICAL] -= 1
        spent += 1
        critical -= spent > armour.piercing
        worked[CRITICAL] += spent > armour.piercing
    for kind in range(len(left)):
        while normal and left[kind] and spent < most:
            left[kind] -= 1
            spent += 1
            if spent <= armour.piercing:
                continue
            worked[kind] += 1
            if kind == DEMONIC and armour.demonic:
                normal = max(0, normal - DEMONS)
            else:
                normal -= 1
                reflected += kind == REFLECTING
    used = tuple(had - has for had, has in zip(armour.units, left, strict=True))
    return Left(normal, critical, used, tuple(worked), reflected)


def used_up(scene: Scene, who: str, used: Units) -> Iterator[Event]:
    """POOL-24: the pool gets smaller by what is spent."""
    for kind, count in zip(PROTECTION, used, strict=True):
        if count:
            yield from shift(scene, who, f"protection:{kind}", -count, "POOL-24")


def kept_off(worked: Units) -> set[str]:
    """POOL-24: the conditions that units keep off."""
    return {STOPS[kind] for kind, count in zip(PROTECTION, worked, strict=True) if count and kind in STOPS}
