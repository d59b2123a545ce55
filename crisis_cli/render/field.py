"""A map of the field with all positions, drawn to fit the width; north is up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..engine.events import plain
from ..engine.field import GRASS, said
from ..engine.geometry import distance
from ..engine.scene import Fighter, Scene
from ..engine.system import System
from ..engine.wording import measured
from ..values import NamedTuple
from . import terrain
from .charts import minus, place
from .command_text import slug
from .jsontext import VERSION
from .messages import covered, off_by, stated
from .style import Ink

ROWS = 16
"""Rows of a map at most."""
LEAST_ROWS = 5
"""Rows that a map may always have."""
AROUND_GRID = 4
"""Lines of the map and its legend beside rows, sides and fighters."""
STEPS = (1, 2, 5)
"""Units a square has on a side, and ten, a hundred … times these."""
MARGIN = 12
"""Signs at most beside the squares, for coordinates."""
WIDEST = 16
"""Signs that a square takes at most."""


class Square(NamedTuple):
    """The scale of a map: the position of its south-western square, and the size of a square."""

    west: int
    south: int
    across: int
    up: int
    step: int

    def of(self, at: tuple[float, float]) -> tuple[int, int]:
        """Column and row, from the south-west, of a place."""
        return int(at[0] // self.step) - self.west, int(at[1] // self.step) - self.south


def present(scene: Scene) -> list[Fighter]:
    """Everyone who is there, in the order in which they act."""
    names = [*scene.order, *(name for name in scene.fighters if name not in scene.order)]
    return [scene.fighters[name] for name in names if not scene.fighters[name].gone]


def labels(scene: Scene) -> dict[str, str]:
    """A short sign for everyone, none that terrain has: capitals for the side of the first, else small letters."""
    signs: dict[str, str] = {}
    drawn = terrain.signs_on_map(scene.field) if scene.field is not None else ()
    first = next((one.side for one in scene.fighters.values()), "")
    for one in scene.fighters.values():
        letters = [sign for sign in one.name if sign.isalpha()] or ["x"]
        number = "".join(sign for sign in one.name.rpartition(" ")[2] if sign.isdigit())
        tries = [sign + number for sign in letters] + [f"{letters[0]}{at}" for at in range(1, 1000)]
        cased = [word.upper() if one.side == first else word.lower() for word in tries]
        taken = {*map(str.lower, signs.values())}
        signs[one.name] = next(word for word in cased if word.lower() not in taken and word not in drawn)
    return signs


def field(
    scene: Scene, system: System, ink: Ink, width: int, height: int = 0, looking: str = "", going: str = ""
) -> Iterator[str]:
    """The map with its legend; where nobody has a place, how to give one.

    With a `height` a map without terrain has fewer rows, so that both fit as many lines as far as possible. A map with
    terrain has all of its rows; only what the one `looking` sees is drawn, and where the one `going` can go is marked.
    """
    everyone = present(scene)
    placed = [one for one in everyone if one.at is not None]
    lost = [one.name for one in everyone if one.at is None]
    if not placed and scene.field is None:
        yield f"No fighter has a position yet: {_way(lost, ink)}"
        return
    signs = labels(scene)
    legend = len(placed) + len({one.side for one in placed}) + AROUND_GRID
    rows = max(LEAST_ROWS, min(ROWS, height - legend)) if height else ROWS
    if scene.field is not None:
        north = f"{ink('dim', 'N up')}  one square: {measured(scene.field.scale, system.space.unit)}"
        view = terrain.view_of(scene, system, scene.field, looking, going)
        yield north
        yield from terrain.drawing(scene, scene.field, placed, signs, ink, width, view)
        yield from terrain.notes(scene, system, scene.field, looking, going)
    else:
        yield from _grid(scene, system, placed, signs, ink, width, rows)
    yield ""
    sides = dict.fromkeys(one.side for one in placed)
    wide = ink.widest(signs[one.name] for one in placed)
    names = ink.widest(one.name for one in placed)
    for side in sides:
        yield ink("bold", side)
        for one in placed:
            if one.side == side:
                mark = ink("cyan", "▸") if one.name in scene.acting else " "
                said = " · ".join(_told(one, scene, system))
                sign, name = ink.padded(signs[one.name], wide), ink.padded(one.name, names)
                yield f"{mark} {sign}  {name}  {said}"
    if lost:
        yield f"no position yet: {', '.join(lost)} ({_way(lost, ink)})"


def _way(names: list[str], ink: Ink) -> str:
    """How to give the first of them a place."""
    return ink.way(f"set {slug(names[0]) if names else 'WHO'} at X,Y")


def _told(one: Fighter, scene: Scene, system: System) -> Iterator[str]:
    """A fighter's position, distance from the actor, conditions and cover."""
    assert one.at is not None
    yield place(one.at)
    apart = off(system, scene, one.name)
    if apart is not None:
        way = off_by(apart, system.space.unit)
        yield f"{way} {'as' if way.startswith('same ') else 'from'} {scene.turn}"
    fallen = system.fallen(one)
    if fallen:
        yield fallen
    for condition, level in one.conditions.items():
        if level and condition != fallen:
            yield stated(condition, level, system)
    for other, behind in one.cover.items():
        yield f"{covered(behind)} from {other}"
    if scene.field is not None and (ground := scene.field.at(one.at)) != GRASS:
        yield said(ground)


def off(system: System, scene: Scene, who: str) -> int | None:
    """The distance of a fighter from the one whose turn it is; None for that one, or without positions."""
    return distance(system, scene, scene.turn, who) if scene.turn and who != scene.turn else None


def _grid(
    scene: Scene,
    system: System,
    placed: list[Fighter],
    signs: Mapping[str, str],
    ink: Ink,
    width: int,
    rows: int,
) -> Iterator[str]:
    least = ink.widest(_crowd([one], scene, signs) for one in placed) + 1
    square = _measure(placed, width, least, system.space.square, rows)
    there: dict[tuple[int, int], list[Fighter]] = {}
    for one in placed:
        assert one.at is not None
        there.setdefault(square.of(one.at), []).append(one)
    lead = ink.widest(minus(row * square.step) for row in (square.south, square.south + square.up - 1))
    # As wide as the most crowded square needs, where that can be.
    wanted = ink.widest(_crowd(group, scene, signs) for group in there.values()) + 1
    wide = max(least, min(wanted, WIDEST, (width - lead - 2) // square.across))
    north = ink("dim", "N up")
    yield f"{north}  one square: {measured(square.step, system.space.unit)}"
    for row in reversed(range(square.up)):
        cells = (
            _cell(there.get((column, row), []), scene, signs, ink, wide) for column in range(square.across)
        )
        head = minus((row + square.south) * square.step)
        yield f"{ink('dim', f'{ink.set_right(head, lead)}')}  {''.join(cells)}".rstrip()
    yield " " * (lead + 2) + ink("dim", _scale(square, wide))


def _crowd(group: list[Fighter], scene: Scene, signs: Mapping[str, str]) -> str:
    ordered = sorted(group, key=lambda one: (len(signs[one.name]), signs[one.name]))
    return ",".join(("▸" if one.name in scene.acting else "") + signs[one.name] for one in ordered)


def _cell(group: list[Fighter], scene: Scene, signs: Mapping[str, str], ink: Ink, wide: int) -> str:
    """A square: empty, the signs of those in it, or how many they are where there is no room for that."""
    if not group:
        return ink("dim", "·" if ink.signs else ".") + " " * (wide - 1)
    said = _crowd(group, scene, signs)
    if ink.length(said) >= wide and len(group) > 1:
        said = f"{len(group)}×"
    style = "cyan" if any(one.name in scene.acting for one in group) else "bold"
    return ink.padded(ink(style, ink.first(said, wide)), wide)


def _measure(placed: list[Fighter], width: int, wide: int, smallest: int, rows: int) -> Square:
    """The finest measure in which everyone is on the map; `wide` signs a square takes at least."""
    xs = [one.at[0] for one in placed if one.at]
    ys = [one.at[1] for one in placed if one.at]
    power = smallest
    while True:
        for step in (one * power for one in STEPS):
            west, south = int(min(xs) // step), int(min(ys) // step)
            across, up = int(max(xs) // step) - west + 1, int(max(ys) // step) - south + 1
            if (across * wide <= width - MARGIN or across == 1) and up <= rows:
                # A square more round about, where there is room: nobody likes to fight at the edge.
                roomy = (across + 2) * wide <= width - MARGIN and up + 2 <= rows
                return Square(west - roomy, south - roomy, across + 2 * roomy, up + 2 * roomy, step)
        power *= 10


def _scale(square: Square, wide: int) -> str:
    """The eastings under the map, as many as there is room for."""
    line = ""
    for column in range(square.across):
        said = minus((square.west + column) * square.step)
        if len(line) <= column * wide:
            line = f"{line:<{column * wide}}{said} "
    return line.rstrip()


def record(scene: Scene, system: System, looking: str = "", going: str = "") -> dict[str, Any]:
    """The field as JSON: terrain, and all fighters with sign, position, and distance from the actor."""
    signs, field = labels(scene), scene.known_field
    return {
        "v": VERSION,
        "action": "map",
        "system": system.name,
        "unit": system.space.unit,
        "actor": scene.turn or None,
        "fighters": [
            {
                "name": one.name,
                "sign": signs[one.name],
                "side": one.side,
                "at": plain(one.at),
                "distance": off(system, scene, one.name),
                "cover": dict(one.cover),
                "conditions": dict(one.conditions),
                "fallen": system.fallen(one) or None,
            }
            for one in present(scene)
        ],
        **(terrain.record(scene, system, field, looking, going) if field is not None else {}),
    }
