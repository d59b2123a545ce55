"""Movement by zones (2D20-11, 2D20-12)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ...rules import (
    Changes,
    Fighter,
    Intent,
    Scene,
    Setup,
    refuse,
    slug,
)
from . import sheet
from .checks import FAR, MAJOR, MINOR, is_released
from .sheet import (
    REACH,
    injuries,
    zones,
    zones_between,
)


def has_not_moved(scene: Scene, intent: Intent) -> None:
    """2D20-11: refuse a second movement action in a turn."""
    if scene.fighters[intent.actor].marks.get(sheet.MOVED):
        what = f"{intent.actor} has moved this turn already"
        refuse(intent, what, "2D20-11", "end the turn: crisis next", code="already_done")


def in_one_zone(scene: Scene, intent: Intent) -> None:
    """2D20-11: refuse what is done to a patient in another zone."""
    if zones_between(scene, intent.actor, intent.patient):
        hint = f"go there: crisis act {slug(intent.actor)} move toward {slug(intent.patient)}"
        what = f"{intent.patient} is in another zone"
        refuse(intent, what, "2D20-11", hint, code="out_of_reach", first="move")


def slowed(fighter: Fighter) -> str:
    """2D20-12, 2D20-22: what makes moving a Major action; empty where nothing does."""
    return "prone" if fighter.has("prone") else "hurt in the leg" if injuries(fighter, *sheet.LEGS) else ""


def move_setup(scene: Scene, intent: Intent) -> Setup:
    """2D20-11, 2D20-12: how far it goes; crawling and limping one zone are Major actions."""
    fighter, to, most = scene.fighters[intent.actor], intent.get("to"), FAR[intent.action]
    slow, sprints = slowed(fighter), intent.action == "sprint"
    if slow and sprints:
        way = "stand up first: crisis act stand-up" if slow == "prone" else "crisis act move"
        rule = "2D20-12" if slow == "prone" else "2D20-22"
        refuse(intent, f"{fighter.name} is {slow} and cannot sprint", rule, way, code="condition_forbids")
    here = fighter.at
    gap = scene.way(here, to, zones) if to is not None and here is not None else 0
    if gap > most and not (slow and here is not None and scene.is_first_step(here, to, most)):
        far = f"{most} zone{'s' * (most > 1)}; that is {gap} away"
        what = f"{fighter.name} can {intent.action} {far}"
        refuse(intent, what, "2D20-11", "go part of the way", code="out_of_reach")
    free = scene.open and fighter.name not in scene.acting and is_released(scene, intent)
    return Setup(most, costs=() if sprints or free else MAJOR if slow else MINOR)


def move_effects(changes: Changes, intent: Intent, setup: Setup, outcome: None) -> None:
    """2D20-11, 2D20-12: the new place, and lying down there; leaving a zone is leaving all reach (2D20-15), and lying
    down where one is leaves nothing."""
    scene, who, to = changes.before, intent.actor, intent.get("to")
    fighter = scene.fighters[who]
    if to is not None:
        changes.move(who, to, "2D20-11")
    stays = intent.get("prone") if to is None else fighter.at is not None and not zones(fighter.at, to)
    if not stays:
        for other in fighter.marks_of(REACH):
            changes.mark(who, REACH, 0, "2D20-15", key=other)
            if other in scene.fighters:
                changes.mark(other, REACH, 0, "2D20-15", key=who)
    if intent.get("prone"):
        changes.begin(who, "prone", "2D20-12")
    mark_moved(changes, intent, setup, outcome)


def mark_moved(changes: Changes, intent: Intent, setup: Setup, outcome: None) -> None:
    """2D20-11: no more movement this turn."""
    if changes.before.open and intent.actor in changes.before.acting:
        changes.mark(intent.actor, sheet.MOVED, 1, "2D20-11")


def move_outputs(scene: Scene, intent: Intent, setup: Setup, outcome: None) -> Mapping[str, object]:
    """`zones` gone, or `most`, how many there could be."""
    here, to = scene.fighters[intent.actor].at, intent.get("to")
    return {"zones": scene.way(here, to, zones)} if here and to else {"most": setup.dice}


def move_candidates(action: str, scene: Scene, who: str) -> Iterator[Intent]:
    """Towards the nearest foe, and away, if positions are known; else anywhere."""
    here, far = scene.fighters[who].at, FAR[action]
    spots = [foe.at for foe in scene.foes(who) if foe.at is not None and not foe.has("dead")]
    if here is None or not spots:
        yield Intent(action, who)
        return
    spot = min(spots, key=lambda one: scene.way(here, one, zones))
    if scene.field is not None:
        reached = sorted(place for place in scene.field.reachable(here, far) if place != here)
        ends = sorted(reached, key=lambda one: scene.way(one, spot, zones))
        yield from (Intent(action, who, (), {"to": [*end]}) for end in dict.fromkeys((*ends[:1], *ends[-1:])))
        return
    if zones(here, spot):
        to = [a + max(-far, min(far, b - a)) for a, b in zip(here, spot, strict=True)]
        yield Intent(action, who, (), {"to": to})
    yield Intent(action, who, (), {"to": [here[0] - 1, here[1]]})
