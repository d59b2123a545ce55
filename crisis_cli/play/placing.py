"""Where fighters stand as a fight begins, and in a one-off."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import count

from ..engine.reach import places_of_others
from ..engine.scene import Fighter, Scene
from ..engine.system_parts import Space
from ..errors import Usage
from ..sheets.find_fighters import find_name
from .session import Session

Place = tuple[str, tuple[float, float]]
"""A word for a fighter, and the position."""
USUAL_METRES = 10
"""How far apart sides begin a fight if neither --apart nor a sheet nor the unit of the system says."""


IN_A_ROW = 2
"""How far fighters of one side begin from each other, in distances at which two are beside each other."""


def parse_position(word: str) -> tuple[float, float]:
    """The coordinates in a text such as `3,4`; Usage if it is none, or off the field."""
    from ..engine.kinds import FARTHEST

    try:
        x, y = (float(part) for part in word.strip("()[]").replace("−", "-").split(","))
    except ValueError as wrong:
        raise Usage(f"{word!r} is not a position; write X,Y", code="bad_value") from wrong
    if not (abs(x) <= FARTHEST and abs(y) <= FARTHEST):
        raise Usage(f"{word!r} is off the field", code="bad_value")
    return (int(x) if x == int(x) else x, int(y) if y == int(y) else y)


def suggested_distance(scene: Scene) -> int | None:
    """How far apart a fight begins by the first sheet that says so (`[fight]`); None if none does."""
    said = ((one.sheet.get("fight") or {}).get("apart") for one in scene.fighters.values())
    return next((apart for apart in said if apart), None)


def deployed(scene: Scene, space: Space, apart: int | None) -> Scene:
    """The scene with each side in a row, `apart` units from the other or as far as a sheet suggests; as it is for 0,
    or if one has a position."""
    if apart == 0 or any(one.at for one in scene.fighters.values()):
        return scene
    gap = apart or suggested_distance(scene) or space.apart or max(1, round(USUAL_METRES / space.metres))
    sides = list(dict.fromkeys(one.side for one in scene.fighters.values()))
    fighters = dict(scene.fighters)
    for column, side in enumerate(sides):
        row = [name for name, one in fighters.items() if one.side == side]
        for at, name in enumerate(row):
            fighters[name] = fighters[name]._replace(at=(gap * column, IN_A_ROW * space.beside * at))
    return scene._replace(fighters=fighters)


def with_positions(scene: Scene, places: Iterable[Place]) -> Scene:
    """The scene with fighters moved to these places; Usage where nobody can stand."""
    fighters = dict(scene.fighters)
    for who, at in places:
        name = find_name(scene, who)
        if scene.field is not None and scene.field.at(at).stops_move:
            from ..engine.field import standing_at

            raise Usage(
                f"{name} cannot begin there: {standing_at(scene.field, at)}",
                hint=f"the map: crisis encounter show {scene.encounter.file if scene.encounter else 'NAME'} --map",
                code="bad_value",
            )
        fighters[name] = fighters[name]._replace(at=at)
    return scene._replace(fighters=fighters)


def beside_their_side(session: Session, joining: Iterable[Fighter]) -> list[Fighter]:
    """The fighters who join a crisis: each without a position at the free place nearest to somebody of its side who
    has one, best one who can act; as it is where nobody of its side has a position."""
    system, scene = session.system, session.scene
    taken, placed = places_of_others(system, scene, ""), list[Fighter]()
    for one in joining:
        mates = [mate for mate in scene.of_side(one.side) if mate.at is not None]
        near = min(mates, key=lambda mate: bool(system.fallen(mate)), default=None)
        if one.at is None and near is not None:
            around = _around(session, near)
            one = one._replace(at=next((at for at in around if at not in taken), near.at))
        taken |= {one.at} if one.at is not None and system.space.beside else set()
        placed.append(one)
    return placed


def _around(session: Session, near: Fighter) -> Iterator[tuple[float, float]]:
    """The places around a fighter, the nearest first; without a map those of a row."""
    assert near.at is not None
    x, y = near.at
    space, field = session.system.space, session.scene.field
    if field is None:
        return ((x, y + IN_A_ROW * space.beside * step) for step in count())
    reached = field.reachable(near.at, space.farthest)
    return iter(sorted(reached, key=lambda at: (reached[at], at)))


def with_one_off_positions(session: Session, places: Sequence[Place]) -> Session:
    """The one-off session with fighters moved to these places; Usage in a crisis."""
    if places and session.journal is not None:
        raise Usage(
            "--place is for beginnings and one-offs",
            hint="in a crisis: crisis set WHO at X,Y",
            code="not_in_a_crisis",
        )
    return session._replace(scene=with_positions(session.scene, places))
