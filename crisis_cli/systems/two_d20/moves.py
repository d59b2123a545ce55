"""Going from zone to zone, dropping and getting up (2D20-11, 2D20-12, 2D20-22)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ...engine.events import Event, change
from ...engine.scene import Fighter, Intent, Scene
from ...engine.system import Action, Setup, nothing, refuse
from .allies import major, spent
from .arms import REACH, zones
from .conditions import LEGS, injuries
from .pools import MAJOR, MINOR, released

MOVED = "moved"
"""The mark of whoever has moved this turn (2D20-11)."""
FAR = {"move": 1, "sprint": 2}
"""2D20-11: zones."""


def stake(scene: Scene, intent: Intent) -> Setup:
    """2D20-11, 2D20-12: one movement a turn; prone one crawls, which like limping is a Major action."""
    fighter, to = scene.fighters[intent.actor], intent.get("to")
    once(intent, fighter)
    slow = slowed(scene, intent)
    if slow and intent.action == "sprint":
        way = "stand up first: crisis act stand-up" if slow == "prone" else "crisis act move"
        refuse(
            intent,
            f"{fighter.name} is {slow} and cannot sprint",
            "2D20-12" if slow == "prone" else "2D20-22",
            way,
        )
    most = FAR[intent.action]
    if to is not None and fighter.at is not None and zones(fighter.at, to) > most:
        away = zones(fighter.at, to)
        refuse(
            intent,
            f"{fighter.name} can {intent.action} {most} zone{'s' * (most > 1)}; that is {away} away",
            "2D20-11",
            "go part of the way",
        )
    costs = () if intent.action == "sprint" else MAJOR if slow else MINOR
    out = scene.open and intent.actor not in scene.acting and released(scene, intent)
    return Setup(most, (), () if out else costs)


def slowed(scene: Scene, intent: Intent) -> str:
    """2D20-12, 2D20-22: what makes moving a Major action; empty where nothing does."""
    fighter = scene.fighters[intent.actor]
    return "prone" if fighter.has("prone") else "hurt in the leg" if injuries(fighter, *LEGS) else ""


def once(intent: Intent, fighter: Fighter) -> None:
    """2D20-11: refused where there was a movement action this turn."""
    if fighter.marks.get(MOVED):
        refuse(intent, f"{fighter.name} has moved this turn already", "2D20-11", "end the turn: crisis next")


def go(scene: Scene, intent: Intent, most: int, outcome: Any) -> Iterator[Event]:
    """The new place, and lying down at the end of it; whoever leaves the zone is out of reach (2D20-15)."""
    fighter, to = scene.fighters[intent.actor], intent.get("to")
    if to is not None:
        yield from change(scene, fighter.name, "at", tuple(to), "2D20-11")
    if to is None or fighter.at is None or zones(fighter.at, to):
        yield from out_of_reach(scene, fighter.name)
    if intent.get("prone"):
        yield from change(scene, fighter.name, "condition:prone", True, "2D20-12")
    yield from moved(scene, intent)


def moved(scene: Scene, intent: Intent) -> Iterator[Event]:
    """2D20-11: no more movement this turn."""
    if scene.open and intent.actor in scene.acting:
        yield from change(scene, intent.actor, f"mark:{MOVED}", 1, "2D20-11")
    yield from spent(scene, intent)


def out_of_reach(scene: Scene, name: str) -> Iterator[Event]:
    """2D20-15: whoever leaves a zone is in nobody's reach."""
    for mark in scene.fighters[name].marks:
        kind, _, other = mark.partition(":")
        if kind == REACH:
            yield from change(scene, name, f"mark:{mark}", 0, "2D20-15")
            if other in scene.fighters:
                yield from change(scene, other, f"mark:{REACH}:{name}", 0, "2D20-15")


def how_far(scene: Scene, intent: Intent, most: int, outcome: Any) -> Mapping[str, Any]:
    """The zones gone, or how many there could be."""
    here, to = scene.fighters[intent.actor].at, intent.get("to")
    return {"zones": zones(here, to)} if here and to else {"most": most}


def stand_stake(scene: Scene, intent: Intent) -> Setup:
    """2D20-11, 2D20-12: up from the ground, instead of moving."""
    fighter = scene.fighters[intent.actor]
    if not fighter.has("prone"):
        refuse(intent, f"{fighter.name} is not prone", "2D20-12", final=True)
    once(intent, fighter)
    return Setup(None)


def stand(scene: Scene, intent: Intent, stake: Any, outcome: Any) -> Iterator[Event]:
    """On one's feet."""
    yield from change(scene, intent.actor, "condition:prone", False, "2D20-12")
    yield from moved(scene, intent)


def _ways(action: str) -> Any:
    """Towards the nearest foe and away from it, where it is known who stands where; else anywhere."""

    def candidates(scene: Scene, who: str) -> Iterator[Intent]:
        here = scene.fighters[who].at
        spots = [foe.at for foe in scene.foes(who) if foe.at is not None and not foe.has("dead")]
        if here is None or not spots:
            yield Intent(action, who)
            return
        spot = min(spots, key=lambda one: zones(here, one))
        far = min(FAR[action], zones(here, spot))
        if far:
            yield Intent(
                action, who, (), {"to": [_towards(a, b, far) for a, b in zip(here, spot, strict=True)]}
            )
        yield Intent(action, who, (), {"to": [here[0] - 1, here[1]]})

    return candidates


def _towards(here: float, there: float, far: int) -> float:
    """So many zones on along one axis, not past the end."""
    return max(there, here - far) if there < here else min(there, here + far)


MOVES = {
    "move": Action("Move a zone; prone or limping a Major action", "2D20-11", stake, go, nothing,
                   out_of_turn=lambda scene, intent: bool(slowed(scene, intent)) and released(scene, intent),
                   outputs=how_far, candidates=_ways("move"), options=("to", "prone")),
    "sprint": major(Action("Move up to two zones", "2D20-11", stake, go, nothing,
                           outputs=how_far, candidates=_ways("sprint"), options=("to", "prone"))),
    "stand-up": Action("Stand up", "2D20-12", stand_stake, stand, nothing, costs=MINOR),
}  # fmt: skip
