"""Moves in words: `move toward drone-1`, `move toward gate`, `move away`, `move beside ada`."""

from __future__ import annotations

from collections.abc import Sequence

from ..ai import goals, movement
from ..engine.geometry import distance
from ..engine.kinds import nearest
from ..engine.scene import Intent, Scene, slug
from ..engine.validate import prepare, row_of
from ..engine.wording import measured, with_the
from ..errors import FileError, Refused, Usage
from ..sheets.fighters import numbered
from ..sheets.find_fighters import find_name
from ..sheets.names import fighter_names, fold_case, match_name, plain_names
from ..values import NamedTuple
from .attacking import Planned
from .session import Session

TOWARD, AWAY, BESIDE = ("toward", "towards"), ("away",), ("beside",)
WORDS = (*TOWARD, *AWAY, *BESIDE)
"""The words with which a move in words begins."""


class Move(NamedTuple):
    """Where a move in words leads."""

    to: tuple[float, float]
    left: str
    """How far that is from the fighter or the place that it is about: "3 m from Drone 1", "at the gate"."""


def move_in_words(session: Session, way: Intent, words: Sequence[str]) -> Move:
    """Where a move leads whose words stand after the action; Usage or Refused if it leads nowhere."""
    system, scene = session.system, session.scene
    direction, *names = [word for word in words if word != "from"]
    start = scene.fighters[way.actor].at
    if start is None:
        raise Refused(
            f"{way.actor} has no position", hint=f"crisis set {slug(way.actor)} at X,Y", code="no_position"
        )
    word = "-".join(names)
    if names and direction in TOWARD and (place := _place_meant(scene, word)):
        return _move_to_place(session, way, place)
    other = find_name(scene, word) if names else _nearest_foe(session, way.actor)
    goal = scene.fighters[other].at
    if not names and direction not in AWAY:
        raise Usage(
            f"missing name: {direction} WHO", hint=f"crisis act {way.action} {direction} {slug(other)}"
        )
    if goal is None:
        raise Refused(f"{other} has no position", hint=f"crisis set {slug(other)} at X,Y", code="no_position")
    lead = movement.away if direction in AWAY else movement.towards
    found = lead(system, scene, way, goal)
    if found is None:
        # Refused where no such move is possible, wherever it leads.
        prepare(system, scene, way)
    if found is None and scene.field is not None and scene.field.way(start, goal) is None:
        raise _no_way(way.actor, other)
    if found is None:
        gap = measured(distance(system, scene, way.actor, other) or 0, system.space.unit)
        farther = "farther from" if direction in AWAY else "closer to"
        raise _no_step(session, way, f"{farther} {other}", f": they are {gap} apart")
    x, y = found.options["to"]
    return Move((x, y), f"{measured(system.space.distance((x, y), goal), system.space.unit)} from {other}")


def _place_meant(scene: Scene, word: str) -> str:
    """The place of the map that a word means; empty if it means none, or rather a fighter."""
    places = scene.field.open_places() if scene.field is not None else ()
    match = match_name(word, plain_names(places))
    who = match_name(word, fighter_names(scene))
    if len(match.names) == 1 and (not who.names or (match.is_whole and not who.is_whole)):
        return match.names[0]
    near = nearest(fold_case(word), [fold_case(name) for name in (*places, *scene.fighters)])
    if not who.names and near in map(fold_case, places):
        raise FileError(
            f"no fighter or place here is called {word!r} (did you mean {near}?)",
            hint=f"places: {', '.join(places)}; fighters: {numbered(scene.fighters)}",
            code="not_found",
        )
    return ""


def _move_to_place(session: Session, way: Intent, name: str) -> Move:
    """The move toward the nearest free cell of a place, or next to one that is closed or taken; Refused if it leads no
    nearer."""
    system, scene = session.system, session.scene
    start, field = scene.fighters[way.actor].at, scene.field
    assert start is not None and field is not None
    cells = field.open_cells_of(name)
    place = with_the(name)
    there = f"at {place}" if {*cells} & {*field.cells_of(name)} else f"next to {place}"
    if goals.is_inside(scene, start, cells):
        raise Refused(f"{way.actor} is {there} already", hint="where everybody is: crisis map", code="no_way")
    free = goals.nearest(system, scene, way.actor, start, cells)
    goal = free or goals.closest(system, scene, start, cells)
    if goal is None:
        raise _no_way(way.actor, place)
    found = movement.towards(system, scene, way, goal, 0 if free else None)
    if found is None:
        prepare(system, scene, way)
        why = "" if free else ": others stand there"
        raise _no_step(session, way, f"closer to {place}", why)
    x, y = found.options["to"]
    if goals.is_inside(scene, (x, y), cells):
        return Move((x, y), there)
    near = goals.closest(system, scene, (x, y), cells) or goal
    left = scene.way((x, y), near, system.space.distance)
    return Move((x, y), f"{measured(left, system.space.unit)} from {place}")


def _no_step(session: Session, way: Intent, where: str, why: str) -> Refused:
    """The error for a move that leads nowhere: that of the rules, where they forbid the move whatever its goal."""
    try:
        prepare(session.system, session.scene, way)
    except Refused as refusal:
        return refusal
    return Refused(
        f"{way.actor} cannot get {where} with {way.action}{why}",
        hint="what can be done: crisis act --list",
        code="no_way",
    )


def _no_way(actor: str, goal: str) -> Refused:
    return Refused(
        f"no way leads from {actor} to {goal}",
        hint=f"where it can go: crisis map --reach --sight {slug(actor)}",
        code="no_way",
    )


def require_place(planned: Planned) -> None:
    """Usage if a fighter with a position is about to move without saying where."""
    (session, intent, _), actor = planned, planned.intent.actor
    takes_place = "to" in row_of(session.system, intent.action).options
    if takes_place and not intent.options and session.scene.fighters[actor].at is not None:
        raise Usage(
            f"{actor} goes where? {intent.action} alone would only pay for it",
            hint=f"crisis act {intent.action} toward NAME | beside NAME | away | --to X,Y",
            code="missing_argument",
        )


def check_place(session: Session, actor: str, to: tuple[float, float]) -> None:
    """Refused if a fighter stands there already, the mover itself or another one that nobody shares a place with."""
    system, scene = session.system, session.scene
    if scene.fighters[actor].at == to:
        raise Refused(f"{actor} is there already", hint="go somewhere else, or --force", code="no_way")
    for one in scene.fighters.values():
        if one.at == to and system.space.beside and not one.gone and not system.fallen(one):
            raise Refused(
                f"{one.name} stands there", hint=f"go beside them: move beside {slug(one.name)}", code="taken"
            )


def _nearest_foe(session: Session, actor: str) -> str:
    """The nearest opponent with a position who can still fight; Refused if there is none."""
    system, scene = session.system, session.scene
    gaps = {
        one.name: gap
        for one in scene.foes(actor)
        if (gap := distance(system, scene, actor, one.name)) is not None and not system.fallen(one)
    }
    if not gaps:
        raise Refused("no opponent has a position", hint="crisis set WHO at X,Y", code="no_position")
    return min(gaps, key=lambda name: gaps[name])
