"""Who is in reach of an area attack, and where it can go off (STEP-25 to STEP-27)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ...engine.dice_amount import Amount
from ...engine.events import Event, change
from ...engine.geometry import landed
from ...engine.record import Modifier
from ...engine.scene import Fighter, Intent, Scene, distance
from ...engine.system import refuse
from ...rules.distance import increments
from .area import DODGED, GOT_AWAY, Area
from .conditions import idle, is_dead
from .defence import apart
from .harm import Toll, Victim, victim_of
from .rolls import skilled, total

NO_DODGE = "leave the dodge out: --react none"
FAR = 1_000_000
"""Tiles to where nobody is hit."""


def area_of(scene: Scene, intent: Intent, weapon: Mapping[str, Any], worth: Amount) -> Area:
    """STEP-25, STEP-27: how far the blast reaches, and where it goes off: at its mark or in some direction."""
    radius = weapon.get("area", max(0, worth.many - 1))
    directions = 6 if intent.get("hex") else 8
    target = scene.fighters[intent.target] if intent.target and intent.get("at") is None else None
    off = max(1, increments(apart(scene, intent, target), weapon.get("range")) + 1)
    mark = intent.get("at") or (target.at if target else None)
    mark = tuple(mark) if mark else None
    here = scene.fighters[intent.actor].at
    spots = (mark, *(landed(here, mark, at, off, directions) for at in range(1, directions + 1)))
    return Area(radius, "explosive" in weapon["tags"], directions, spots if mark else (), off)


def in_reach(
    scene: Scene, intent: Intent, weapon: Mapping[str, Any], area: Area
) -> tuple[tuple[Victim, ...], list[Modifier]]:
    """Everyone whom this attack can hurt, in the order of the sheets, and the modifiers of their dodges.

    Where it is not known who stands where, all who are named share the place; off its mark the blast is so
    many tiles from them, and nobody else is hit (STEP-27).
    """
    asked = intent.get("react") == "dodge"
    victims: list[Victim] = []
    modifiers: list[Modifier] = []
    reasons: dict[str, tuple[str, str]] = {}
    for name, fighter in scene.fighters.items():
        if fighter.gone or is_dead(fighter):
            continue
        away = tuple(_away(intent, fighter, area, at) for at in range(area.directions + 1))
        if min(away) > area.radius:
            continue
        victim = victim_of(fighter, weapon["type"])._replace(away=away)
        why, rule = barred(scene, intent, fighter, away[0] <= area.radius)
        reasons[name] = why, rule
        if not why or (asked and intent.get("force")):
            sides, found = skilled(fighter, "dodge", "athletics", "STEP-26")
            found = [one._replace(against=name) for one in found]
            modifiers += found
            victim = victim._replace(dodge="may", dodge_die=(sides, total(found, "dodge", name)))
        victims.append(victim)
    if asked:
        _dodge_refused(intent, reasons)
    return tuple(victims), modifiers


def _away(intent: Intent, fighter: Fighter, area: Area, at: int) -> int:
    """Tiles between a fighter and the place where it goes off in one direction, 0 being its mark."""
    spot = area.spots[at] if area.spots else None
    if spot is not None and fighter.at is not None:
        return distance(spot, fighter.at)
    if fighter.name not in intent.targets:
        return FAR
    return area.off if at else 0


def barred(scene: Scene, intent: Intent, fighter: Fighter, reached: bool) -> tuple[str, str]:
    """STEP-26: why a fighter may not dodge this attack, and the rule; two empty words where it may.

    In reach is whoever is inside the radius round the mark; not the attacker (both are readings).
    """
    why, rule = idle(fighter)
    if fighter.name == intent.actor:
        return f"{fighter.name} is the attacker and cannot dodge", "STEP-26"
    if not reached:
        return f"{fighter.name} is not within the radius", "STEP-26"
    if why:
        return f"{fighter.name} is {why} and cannot dodge", rule
    if fighter.has("helpless"):
        return f"{fighter.name} is helpless and cannot dodge", "STEP-17"
    if scene.open and fighter.marks.get(DODGED):
        return f"{fighter.name} has used this round's dodge", "STEP-26"
    return "", ""


def _dodge_refused(intent: Intent, reasons: Mapping[str, tuple[str, str]]) -> None:
    """STEP-26: a dodge asked for is refused where none of those aimed at may; at a place, nobody in reach."""
    concerned = [name for name in intent.targets if name in reasons] or list(reasons)
    if any(not reasons[name][0] for name in concerned):
        return
    why, rule = reasons[concerned[0]] if concerned else ("nobody in reach can dodge", "STEP-26")
    refuse(intent, why, rule, NO_DODGE)


def stepped_away(
    scene: Scene, intent: Intent, name: str, toll: Toll, area: Area | None, landing: int
) -> Iterable[Event]:
    """STEP-26: the new place of a dodger, one tile straight away from where it went off.

    From the very centre that is away from the attacker, and where that is no direction either, north.
    """
    fighter, here = scene.fighters[name], scene.fighters[intent.actor].at
    spot = area.spots[landing] if area is not None and area.spots else None
    if toll.dodged != GOT_AWAY or fighter.at is None or spot is None:
        return ()
    east, north = fighter.at[0] - spot[0], fighter.at[1] - spot[1]
    if not east and not north and here is not None:
        east, north = fighter.at[0] - here[0], fighter.at[1] - here[1]
    if not east and not north:
        north = 1.0
    length = (east * east + north * north) ** 0.5
    to = tuple(_tile(here + by / length) for here, by in zip(fighter.at, (east, north), strict=True))
    return change(scene, name, "at", to, "STEP-26")


def _tile(part: float) -> float:
    short = round(part, 2)
    return int(short) if short == int(short) else short
