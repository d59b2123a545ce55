"""The map of a field: terrain under the fighters, with its legend in words; what a fighter sees, where it can go."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from ..columns import columns
from ..engine.field import OPEN, BattleMap, Cell, Place, Terrain, spelled, standing_at
from ..engine.reach import reachable, sighted
from ..engine.scene import Fighter, Scene
from ..engine.system import System
from ..engine.wording import measured
from ..values import NamedTuple
from .charts import minus
from .messages import covered
from .style import Ink

GAP = 3
"""Columns between the map and the legend beside it."""
REACHED = "+"
"""Stands behind the sign of a cell that can be reached."""
MARGIN = 2
"""Columns between the coordinates and the map."""


class MapView(NamedTuple):
    """What a map shows beside terrain and fighters."""

    seen: Collection[Cell] | None = None
    """The cells that are drawn; None for all."""
    reached: Collection[Cell] = ()
    """The cells that are marked."""


class Window(NamedTuple):
    """The part of a field that is drawn: its western and southern cell, and how many cells it has."""

    west: int
    south: int
    across: int
    up: int


def view_of(scene: Scene, system: System, field: BattleMap, looking: str, going: str) -> MapView:
    """What one fighter sees, and where one can go; all cells, and none, without a name."""
    seen = None
    here = scene.fighters[looking].at if looking else None
    if here is not None:
        seen = {cell for cell in field.every_cell() if field.sees(here, field.place(cell))}
    reached = {
        field.cell(place)
        for places in (reachable(system, scene, going) if going else {}).values()
        for place in places
    }
    return MapView(seen, reached)


def notes(scene: Scene, system: System, field: BattleMap, looking: str, going: str) -> Iterator[str]:
    """In words how one fighter sees all others, and how far one can go."""
    for one in sighted(scene, looking) if looking else ():
        if one.hidden_by is not None:
            yield f"{looking} does not see {one.name}: {standing_at(field, one.hidden_by)}"
        else:
            cover = f", in {covered(one.cover)} ({one.source})" if one.cover != "none" else ""
            yield f"{looking} sees {one.name}{cover}"
    if not going:
        return
    found = reachable(system, scene, going)
    for action, places in found.items():
        far = measured(int(max(places.values()) + 0.5), system.space.unit)
        count = "1 place" if len(places) == 1 else f"{len(places)} places"
        yield f"{going} can {action.replace('-', ' ')} up to {far}: {count}"
    if not found:
        yield f"{going} cannot go anywhere now"


def record(scene: Scene, system: System, field: BattleMap, looking: str, going: str) -> dict[str, Any]:
    """The terrain as JSON, with what one fighter sees and where one can go."""
    found: dict[str, Any] = {"field": {**field.as_data(), "changed": field.changes()}}
    if looking:
        others = [
            {
                "name": one.name,
                "seen": one.hidden_by is None,
                "hidden_by": None if one.hidden_by is None else [*one.hidden_by],
                "cover": one.cover,
                "source": one.source,
            }
            for one in sighted(scene, looking)
        ]
        cells = view_of(scene, system, field, looking, "").seen or ()
        found["sight"] = {
            "who": looking,
            "places": [[*field.place(cell)] for cell in sorted(cells)],
            "fighters": others,
        }
    if going:
        reached = reachable(system, scene, going)
        found["reach"] = {
            "who": going,
            "places": {
                action: [{"at": [*place], "distance": round(length, 2)} for place, length in places.items()]
                for action, places in reached.items()
            },
        }
    return found


def drawing(
    scene: Scene,
    field: BattleMap,
    placed: list[Fighter],
    signs: Mapping[str, str],
    ink: Ink,
    width: int,
    shown: MapView,
) -> Iterator[str]:
    """A map of terrain and fighters with as many rows as the terrain has, and as many columns as fit."""
    there: dict[Cell, list[Fighter]] = {}
    for one in placed:
        assert one.at is not None
        there.setdefault(field.cell(one.at), []).append(one)
    glyphs = drawn_signs(field)
    least = max(1, ink.widest(glyphs.values())) + bool(shown.reached)
    wanted = max(least + 1, ink.widest(signs[one.name] for one in placed) + bool(shown.reached))
    window = _window(scene, field, there, width, least)
    lead = ink.widest(minus(y) for y in _ends(field, window))
    wide = max(least, min(wanted, (width - lead - MARGIN) // window.across))
    lines = []
    for row in reversed(range(window.south, window.south + window.up)):
        cells = (
            _cell(field, (column, row), there, scene, signs, glyphs, ink, wide, shown)
            for column in range(window.west, window.west + window.across)
        )
        head = minus(field.origin[1] + row * field.scale)
        lines.append(f"{ink('dim', f'{ink.set_right(head, lead)}')}{' ' * MARGIN}{''.join(cells)}")
    lines.append(" " * (lead + MARGIN) + ink("dim", _scale(field, window, wide)))
    yield from _beside(
        lines, list(_legend(field, glyphs, shown)), lead + MARGIN + window.across * wide, width, ink
    )
    if window.across < field.width or window.up < field.height:
        yield f"{window.across} × {window.up} of {field.width} × {field.height} cells fit the screen"


def map_of(system: System, field: BattleMap, ink: Ink, width: int) -> Iterator[str]:
    """The map of a field with all of its rows, without fighters."""
    scene = Scene(system.name, {}, field=field)
    yield from drawing(scene, field, [], {}, ink, width, MapView())


def _ends(field: BattleMap, window: Window) -> tuple[int, int]:
    """The northing of the lowest and the highest row."""
    south = field.origin[1] + window.south * field.scale
    return south, south + (window.up - 1) * field.scale


def _window(scene: Scene, field: BattleMap, there: Mapping[Cell, object], width: int, least: int) -> Window:
    """The part of the map that fits, with those in the middle who act, or all."""
    numbers = max(len(minus(field.origin[1])), len(minus(field.origin[1] + field.height * field.scale)))
    # The map, and round it the fighters who have left it.
    west, south = min([0, *(x for x, _ in there)]), min([0, *(y for _, y in there)])
    east, north = (
        max([field.width - 1, *(x for x, _ in there)]),
        max([field.height - 1, *(y for _, y in there)]),
    )
    across = min(east - west + 1, (width - numbers - MARGIN) // least)
    up = min(north - south + 1, field.height)
    acting = [one.at for name in scene.acting if (one := scene.fighters[name]).at]
    middle = field.cell(acting[0]) if acting else next(iter(there), (0, 0))
    return Window(
        max(west, min(middle[0] - across // 2, east - across + 1)),
        max(south, min(middle[1] - up // 2, north - up + 1)),
        across,
        up,
    )


def _cell(
    field: BattleMap,
    cell: Cell,
    there: Mapping[Cell, list[Fighter]],
    scene: Scene,
    signs: Mapping[str, str],
    glyphs: Mapping[str, str],
    ink: Ink,
    wide: int,
    shown: MapView,
) -> str:
    """A cell: those in it, or the sign of what stands there; empty if it is not seen."""
    if shown.seen is not None and cell not in shown.seen and field.has(cell):
        return " " * wide
    group = there.get(cell, [])
    if group:
        words = ",".join(sorted(signs[one.name] for one in group))
        if ink.length(words) > wide:
            words = f"{len(group)}×" if len(group) > 1 and wide > 1 else words
        style = "cyan" if any(one.name in scene.acting for one in group) else "bold"
        return ink.padded(ink(style, ink.first(words, wide)), wide)
    key = field.drawn_at(cell)
    terrain = field.terrain(cell)
    if key == OPEN or not terrain.name:
        sign, dim = "·" if ink.signs else ".", True
    else:
        sign, dim = glyphs[key], False
    if cell in shown.reached:
        sign += REACHED
    elif terrain.stops_move and terrain.stops_sight:
        sign *= wide // ink.length(sign)
    return ink.padded(ink("dim", sign) if dim else sign, wide)


def drawn_signs(field: BattleMap) -> dict[str, str]:
    """The sign of each entry of the legend: its own, or for a word its first letter that is still free."""
    taken = {key for key in field.legend if len(key) == 1}
    found: dict[str, str] = {}
    for key in field.legend:
        free = (one for one in (*key, *"/%&*?!@$<>^") if one not in taken and columns(one) == 1)
        found[key] = key if len(key) == 1 else next(free, "?")
        taken.add(found[key])
    return found


def signs_on_map(field: BattleMap) -> set[str]:
    """The signs by which terrain is drawn; entries without a name are drawn as open ground."""
    return {sign for key, sign in drawn_signs(field).items() if field.legend[key].name}


def _legend(field: BattleMap, glyphs: Mapping[str, str], shown: MapView) -> Iterator[str]:
    """The entries that stand on the map, in words; places by their corners."""
    here = set(field.cells.values())
    for key, one in field.legend.items():
        if key in here and one.name:
            yield f"{glyphs[key]}  {one.name}{_does(one)}"
    for name in field.places():
        cells = field.cells_of(name)
        if cells:
            yield f"   {name}: {_corners(cells)}"
    if shown.seen is not None:
        yield "   empty: not seen"
    if shown.reached:
        yield f"{REACHED}  can be reached"


def _does(one: Terrain) -> str:
    """What an entry of the legend does, in words."""
    stops = " and ".join({"move": "moves", "sight": "sight"}[what] for what in one.stops)
    parts = [
        *([f"stops {stops}"] if stops else []),
        *([f"{'penetrable ' * one.penetrable}{covered(one.cover)}"] if one.cover != "none" else []),
        *(["slow"] if one.slow else []),
    ]
    return f": {', '.join(parts)}" if parts else ""


def _corners(cells: tuple[Place, ...]) -> str:
    """Where a place is: its only cell, or its north-western and its south-eastern corner."""
    first, last = spelled(cells[0]), spelled(cells[-1])
    return first if len(cells) == 1 else f"{first} to {last}"


def _beside(lines: list[str], legend: list[str], across: int, width: int, ink: Ink) -> Iterator[str]:
    """The lines with the legend beside them, or below if there is no room."""
    longest = ink.widest(legend)
    if across + GAP + longest > width or len(legend) > len(lines):
        yield from (line.rstrip() for line in lines)
        yield from legend
        return
    for at, line in enumerate(lines):
        note = legend[at] if at < len(legend) else ""
        yield (ink.padded(line, across + GAP) + note if note else line).rstrip()


def _scale(field: BattleMap, window: Window, wide: int) -> str:
    """The eastings under the map, as many as there is room for."""
    line = ""
    for column in range(window.across):
        easting = minus(field.origin[0] + (window.west + column) * field.scale)
        if len(line) <= column * wide and column * wide + len(easting) <= window.across * wide:
            line = f"{line:<{column * wide}}{easting} "
    return line.rstrip()
