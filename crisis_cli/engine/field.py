"""The field of a crisis: terrain on a map of characters, and what it means for sight, cover and ways.

Places are pairs (x, y) in the unit of the system, x east and y north (ALL-4); cells are pairs (column, row), counted
from the south-western corner of the map. Beyond its edge the ground goes on as it is at the nearest cell of the map, so
that no way is shorter outside than inside.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from heapq import heappop, heappush
from typing import Any

from ..errors import FileError
from ..values import NamedTuple
from .wording import is_plural, with_a

Place = tuple[float, float]
Cell = tuple[int, int]

OPEN = "."
"""Open ground, on the map and in `crisis set terrain`."""
GROUND = frozenset(". ")
"""The characters of open ground."""
MOST_CELLS = 200
"""The most rows, and the most columns, of a map."""
MOST_KEPT = 20_000
"""The most lines of sight, and the most ways, that a field remembers."""
DIAGONAL = 2**0.5
"""The length of a diagonal step, in cells."""


class Terrain(NamedTuple):
    """An entry of the legend: what stands in a cell, and what it does."""

    name: str = ""
    stops: tuple[str, ...] = ()
    """What it stops: "move", "sight", both or neither."""
    cover: str = "none"
    """The cover that it gives, by the word of the system."""
    slow: bool = False
    """Whether entering it takes twice the way."""
    place: str = ""
    """The place that the cell belongs to."""
    penetrable: bool = False
    """Whether shots pass through its cover."""

    @property
    def stops_move(self) -> bool:
        """Whether nobody can enter it."""
        return "move" in self.stops

    @property
    def stops_sight(self) -> bool:
        """Whether nobody can see through it."""
        return "sight" in self.stops


GRASS = Terrain()
"""Open ground, which does nothing."""


class Way(NamedTuple):
    """A way from one place to another."""

    length: float
    """In the unit of the system; slow cells count double."""
    places: tuple[Place, ...]
    """The places that it passes, the last one included; one alone if the way is straight."""


class Shelter(NamedTuple):
    """What covers a fighter from another."""

    level: str
    place: Place
    terrain: Terrain

    @property
    def source(self) -> str:
        """Where the cover comes from: `map: crates at 8,4`."""
        return f"map: {said(self.terrain)} at {spelled(self.place)}"


class BattleMap:
    """A map with its legend. It does not change; `put` gives another one."""

    __slots__ = (
        "_cells",
        "_covers",
        "_sight",
        "_spreads",
        "_ways",
        "changed",
        "covers",
        "legend",
        "origin",
        "rows",
        "scale",
        "zones",
    )

    def __init__(
        self,
        rows: Sequence[str],
        legend: Mapping[str, Terrain],
        scale: int = 1,
        origin: Cell = (0, 0),
        zones: bool = False,
        covers: Sequence[str] = (),
        changed: Mapping[Cell, str] | None = None,
    ):
        self.rows = tuple(rows)
        """The lines of the map as they were drawn, the northernmost first."""
        self.legend = dict(legend)
        """The entries by their sign on the map, or by a word where they stand nowhere at first."""
        self.scale = scale
        """How long the side of a cell is, in the unit of the system."""
        self.origin = origin
        """The place of the south-western cell."""
        self.zones = zones
        """Whether a cell is a zone: distances are borders crossed, and only the target's own cell covers it."""
        self.covers = tuple(covers)
        """The levels of cover in the legend, from the least to the best."""
        self.changed = dict(changed or {})
        """The entries that were put at cells in play."""
        self._cells: dict[Cell, str] | None = None
        self._sight: dict[tuple[Cell, Cell], Cell | None] = {}
        self._covers: dict[tuple[Cell, Cell], Shelter | None] = {}
        self._ways: dict[tuple[Place, Place], Way | None] = {}
        self._spreads: dict[Cell, _Spread] = {}

    def _values(self) -> tuple[object, ...]:
        return self.rows, self.legend, self.scale, self.origin, self.zones, self.covers, self.changed

    def __eq__(self, other: object) -> bool:
        return isinstance(other, BattleMap) and self._values() == other._values()

    def __hash__(self) -> int:
        return hash((self.rows, self.origin, frozenset(self.changed.items())))

    def __repr__(self) -> str:
        return f"BattleMap({self.width}×{self.height}, {len(self.changed)} changed)"

    # What stands where

    @property
    def width(self) -> int:
        """The number of columns."""
        return len(self.rows[0])

    @property
    def height(self) -> int:
        """The number of rows."""
        return len(self.rows)

    @property
    def cells(self) -> Mapping[Cell, str]:
        """The keys of the legend by cell, open ground left out."""
        if self._cells is None:
            drawn = {
                (column, self.height - 1 - line): sign
                for line, row in enumerate(self.rows)
                for column, sign in enumerate(row)
                if sign not in GROUND
            }
            put = {cell: key for cell, key in self.changed.items() if key != OPEN}
            kept = {cell: key for cell, key in drawn.items() if cell not in self.changed}
            self._cells = kept | put
        return self._cells

    def cell(self, place: Sequence[float]) -> Cell:
        """The cell that a place lies in; a place between whole ones belongs to the nearest."""
        east, north = place[0] - self.origin[0] + 0.5, place[1] - self.origin[1] + 0.5
        return int(east // self.scale), int(north // self.scale)

    def place(self, cell: Cell) -> Place:
        """The place by which a cell is named."""
        return self.origin[0] + cell[0] * self.scale, self.origin[1] + cell[1] * self.scale

    def terrain(self, cell: Cell) -> Terrain:
        """What stands in a cell."""
        key = self.cells.get(cell)
        if key is not None:
            return self.legend[key]
        if self.has(cell) or (beyond := self._beyond(cell)) == OPEN:
            return GRASS
        return self.legend[beyond]._replace(place="")

    def _beyond(self, cell: Cell) -> str:
        """The key at a cell beyond the edge: that of the nearest cell of the map, whose place ends there."""
        column, row = cell
        nearest = max(0, min(self.width - 1, column)), max(0, min(self.height - 1, row))
        return self.cells.get(nearest, OPEN)

    def at(self, place: Sequence[float]) -> Terrain:
        """What stands at a place."""
        return self.terrain(self.cell(place))

    def has(self, cell: Cell) -> bool:
        """Whether a cell lies on the map."""
        return 0 <= cell[0] < self.width and 0 <= cell[1] < self.height

    def cells_of(self, place: str) -> tuple[Place, ...]:
        """The places of the cells of a named place, in reading order: the northernmost row first, from the west."""
        found = [cell for cell, key in self.cells.items() if self.legend[key].place == place]
        return tuple(self.place(cell) for cell in sorted(found, key=lambda one: (-one[1], one[0])))

    def places(self) -> tuple[str, ...]:
        """The named places of the legend."""
        return tuple(dict.fromkeys(one.place for one in self.legend.values() if one.place))

    def open_places(self) -> tuple[str, ...]:
        """The named places that one can go to, or next to."""
        return tuple(name for name in self.places() if self.open_cells_of(name))

    def floor_of(self, place: str) -> tuple[Place, ...]:
        """The places of the cells of a named place that can be entered."""
        return tuple(at for at in self.cells_of(place) if not self.at(at).stops_move)

    def open_cells_of(self, place: str) -> tuple[Place, ...]:
        """The places of the cells of a named place that can be entered; where none can, such as those of a closed door,
        of the cells next to them."""
        inside = [self.cell(at) for at in self.cells_of(place)]
        around = [(x + east, y + north) for x, y in inside for east in (-1, 0, 1) for north in (-1, 0, 1)]
        beside = [
            cell for cell in dict.fromkeys(around) if self.has(cell) and not self.terrain(cell).stops_move
        ]
        return self.floor_of(place) or tuple(map(self.place, beside))

    def key_of(self, word: str) -> str | None:
        """The key of the legend that a word means: the key itself, or the name of the entry; None for no entry."""
        if word in self.legend:
            return word
        low = word.casefold().replace("_", "-").replace(" ", "-")
        if word in GROUND or low in ("open", "open-ground", "ground", "none"):
            return OPEN
        named = [key for key, one in self.legend.items() if low in (slugged(one.name), key.casefold())]
        return named[0] if named else None

    def knows(self, key: object) -> bool:
        """Whether a key is open ground or stands in the legend."""
        return key == OPEN or key in self.legend

    def drawn_at(self, cell: Cell) -> str:
        """The key of the legend at a cell, beyond the edge at the nearest cell of the map; `OPEN` for open ground."""
        return self.cells.get(cell, OPEN) if self.has(cell) else self._beyond(cell)

    def names(self) -> tuple[str, ...]:
        """What can be put at a cell: the entries by name, or by a key that is a word; and open ground.

        A single character without a name means nothing to a player.
        """
        named = (slugged(one.name) or (key if len(key) > 1 else "") for key, one in self.legend.items())
        return (*filter(None, named), "open")

    def put(self, cell: Cell, key: str) -> BattleMap:
        """The field with another entry of the legend at a cell."""
        drawn = self.rows[self.height - 1 - cell[1]][cell[0]]
        changed = {one: kept for one, kept in self.changed.items() if one != cell}
        if key != (OPEN if drawn in GROUND else drawn):
            changed[cell] = key
        return BattleMap(self.rows, self.legend, self.scale, self.origin, self.zones, self.covers, changed)

    def without(self, keys: Collection[str | None]) -> BattleMap:
        """The field without some entries of the legend, which stand nowhere on the map."""
        legend = {key: one for key, one in self.legend.items() if key not in keys}
        return BattleMap(self.rows, legend, self.scale, self.origin, self.zones, self.covers, self.changed)

    def every_cell(self) -> Iterator[Cell]:
        """All cells of the map."""
        return ((column, row) for row in range(self.height) for column in range(self.width))

    def changes(self) -> dict[str, str]:
        """What was put at cells in play, by their places."""
        return {spelled(self.place(cell)): key for cell, key in self.changed.items()}

    # Sight and cover

    def obstacle(self, here: Sequence[float], there: Sequence[float]) -> Place | None:
        """The place that stops sight between two places, the one nearest to the first; None if they see each other."""
        one, other = self.cell(here), self.cell(there)
        ends = (one, other) if one <= other else (other, one)
        if ends not in self._sight:
            if len(self._sight) >= MOST_KEPT:
                self._sight.clear()
            stops = (cell for cell in between(*ends) if self.terrain(cell).stops_sight)
            self._sight[ends] = next(stops, None)
        found = self._sight[ends]
        if found is not None and ends[0] != one:
            found = [cell for cell in between(*ends) if self.terrain(cell).stops_sight][-1]
        return None if found is None else self.place(found)

    def sees(self, here: Sequence[float], there: Sequence[float]) -> bool:
        """Whether two places see each other."""
        return self.obstacle(here, there) is None

    def cover(self, target: Sequence[float], foe: Sequence[float]) -> Shelter | None:
        """What covers a target from a foe: the best of its own cell and of those on the line that touch it."""
        pair = self.cell(target), self.cell(foe)
        if pair not in self._covers:
            if len(self._covers) >= MOST_KEPT:
                self._covers.clear()
            self._covers[pair] = self._find_cover(*pair)
        return self._covers[pair]

    def _find_cover(self, own: Cell, from_where: Cell) -> Shelter | None:
        on_line: list[Cell] = []
        if not self.zones and own != from_where:
            ends = (own, from_where) if own <= from_where else (from_where, own)
            on_line = [cell for cell in between(*ends) if _touch(cell, own)]
        best: Cell | None = None
        worth = (-1, False)
        for cell in (own, *on_line):
            terrain = self.terrain(cell)
            if terrain.cover in self.covers:
                found = (self.covers.index(terrain.cover), not terrain.penetrable)
                if found > worth:
                    best, worth = cell, found
        if best is None:
            return None
        terrain = self.terrain(best)
        return Shelter(terrain.cover, self.place(best), terrain)

    # Ways

    def way(self, here: Sequence[float], there: Sequence[float]) -> Way | None:
        """The shortest way from one place to another; None if there is none."""
        start, end = (here[0], here[1]), (there[0], there[1])
        if (start, end) not in self._ways:
            if len(self._ways) >= MOST_KEPT:
                self._ways.clear()
            self._ways[start, end] = self._find_way(start, end)
        return self._ways[start, end]

    def _find_way(self, here: Place, there: Place) -> Way | None:
        start, end = self.cell(here), self.cell(there)
        if start != end and self.terrain(end).stops_move:
            return None
        if self._is_straight(start, end):
            return Way(self._straight(here, there), (there,))
        if _touch(start, end) and not (start[0] != end[0] and start[1] != end[1] and self._cuts(start, end)):
            return Way(2 * self._straight(here, there), (there,))
        near, far = self._inside(start), self._inside(end)
        spread = self._spread(near)
        cells = spread.way_to(far)
        if cells is None:
            return None
        length = spread.lengths[far] * self.scale
        # From where in its cell the way begins, to where in its cell it ends.
        outside = 0.0
        if near != start:
            outside += self._straight(here, self.place(near))
        elif cells:
            outside += self._offset(self.place(near), here, cells[0], cells[0])
        if far != end:
            outside += self._straight(self.place(far), there)
        elif cells:
            outside += self._offset(self.place(far), there, cells[-2] if len(cells) > 1 else near, far)
        places = [self.place(cell) for cell in cells]
        if near != start:
            places.insert(0, self.place(near))
        if far != end or not places:
            places.append(there)
        else:
            places[-1] = there
        return Way(length + outside, tuple(places))

    def is_clear(self, here: Sequence[float], there: Sequence[float]) -> bool:
        """Whether nothing on the straight line between two places stops or slows."""
        return self._is_straight(self.cell(here), self.cell(there))

    def _offset(self, usual: Place, exact: Place, beyond: Cell, entered: Cell) -> float:
        """How much longer the first or last step is from where in a cell somebody is, beside that from its place."""
        one = self.place(beyond)
        return (self._straight(exact, one) - self._straight(usual, one)) * (1 + self.terrain(entered).slow)

    def _straight(self, here: Place, there: Place) -> float:
        east, north = abs(here[0] - there[0]), abs(here[1] - there[1])
        return max(east, north) if self.zones else float((east * east + north * north) ** 0.5)

    def straight(self, here: Sequence[float], there: Sequence[float]) -> float | None:
        """The length of the straight line from one place to another, slow cells counted double; None where anything on
        it stops."""
        start, end = self.cell(here), self.cell(there)
        if self._barrier(start, end) is not None:
            return None
        entered = self._line(start, end)
        slow = sum(self.terrain(cell).slow for cell in entered)
        return self._straight((here[0], here[1]), (there[0], there[1])) * (1 + slow / max(1, len(entered)))

    def barrier(self, here: Sequence[float], there: Sequence[float]) -> Place | None:
        """The place of the first cell on the straight line from one place to another that cannot be entered."""
        found = self._barrier(self.cell(here), self.cell(there))
        return None if found is None else self.place(found)

    def _barrier(self, start: Cell, end: Cell) -> Cell | None:
        at = start
        for cell in self._line(start, end):
            if self.terrain(cell).stops_move:
                return cell
            if cell[0] != at[0] and cell[1] != at[1] and self._cuts(at, cell):
                return cell[0], at[1]
            at = cell
        return None

    def line(self, here: Sequence[float], there: Sequence[float]) -> tuple[Place, ...]:
        """The places of the cells that the straight line from one place to another enters."""
        return tuple(map(self.place, self._line(self.cell(here), self.cell(there))))

    def _line(self, start: Cell, end: Cell) -> tuple[Cell, ...]:
        """The cells that the straight line from one cell to another enters."""
        if start == end:
            return ()
        return (*(between(start, end) if start <= end else reversed(between(end, start))), end)

    def _is_straight(self, start: Cell, end: Cell) -> bool:
        """Whether nothing on the straight line from one cell to another stops or slows."""
        return self._barrier(start, end) is None and not any(
            self.terrain(cell).slow for cell in self._line(start, end)
        )

    def _cuts(self, one: Cell, other: Cell) -> bool:
        """Whether a diagonal step passes between two cells that stop."""
        return self.terrain((one[0], other[1])).stops_move and self.terrain((other[0], one[1])).stops_move

    def _inside(self, cell: Cell) -> Cell:
        """The cell of the map, or of the ring around it, that is nearest to a cell."""
        return max(-1, min(self.width, cell[0])), max(-1, min(self.height, cell[1]))

    def _spread(self, start: Cell) -> _Spread:
        if start not in self._spreads:
            if len(self._spreads) >= MOST_CELLS:
                self._spreads.clear()
            self._spreads[start] = _Spread(self, start)
        return self._spreads[start]

    def steps(self, cell: Cell) -> Iterator[tuple[Cell, float]]:
        """The neighbours that can be reached from a cell in one step, each with the length of the step in cells."""
        for east in (-1, 0, 1):
            for north in (-1, 0, 1):
                to = cell[0] + east, cell[1] + north
                inside = -1 <= to[0] <= self.width and -1 <= to[1] <= self.height
                if to == cell or not inside:
                    continue
                terrain = self.terrain(to)
                if terrain.stops_move or (east and north and self._cuts(cell, to)):
                    continue
                yield to, (DIAGONAL if east and north and not self.zones else 1.0) * (1 + terrain.slow)

    def reachable(self, here: Sequence[float], most: float) -> dict[Place, float]:
        """The places of all cells of the map that are at most so far away, each with its distance."""
        start = (here[0], here[1])
        found: dict[Place, float] = {}
        # A straight way is never shorter than 1/1.083 of that over the neighbours.
        for cell in self._spread(self._inside(self.cell(here))).within(1.083 * (most + 1) / self.scale + 2):
            if not self.has(cell):
                continue
            way = self.way(start, self.place(cell))
            if way is not None and int(way.length + 0.5) <= most:
                found[self.place(cell)] = way.length
        return found

    def is_step(self, here: Sequence[float], there: Sequence[float]) -> bool:
        """Whether a place lies in the next cell, and can be entered from here."""
        start, end = self.cell(here), self.cell(there)
        way = self.way(here, there)
        return _touch(start, end) and way is not None and len(way.places) == 1

    # Records

    def as_data(self) -> dict[str, Any]:
        """The field as a mapping fit for JSON; the way back is `from_data`."""
        record: dict[str, Any] = {
            "rows": list(self.rows),
            "legend": {key: _entry(one) for key, one in self.legend.items()},
            "scale": self.scale,
            "origin": list(self.origin),
        }
        if self.zones:
            record["zones"] = True
        if self.covers:
            record["covers"] = list(self.covers)
        if self.changed:
            record["changed"] = self.changes()
        return record


def from_data(record: Mapping[str, Any]) -> BattleMap:
    """The field that a record holds; FileError if it is none."""
    rows, legend, covers = record["rows"], record["legend"], record.get("covers", ())
    entries = {
        key: Terrain(
            one.get("name", ""),
            tuple(one.get("stops", ())),
            one.get("cover", "none"),
            one.get("slow", False),
            one.get("place", ""),
            one.get("penetrable", False),
        )
        for key, one in legend.items()
    }
    field = BattleMap(
        rows, entries, record["scale"], tuple(record["origin"]), record.get("zones", False), covers
    )
    if not rows or not rows[0] or any(len(row) != len(rows[0]) for row in rows):
        raise FileError("the rows of its field are not of one length", code="bad_journal")
    unknown = sorted({sign for row in rows for sign in row} - GROUND - set(entries))
    if unknown or field.scale < 1:
        raise FileError(
            f"its field has {unknown[0]!r}, which the legend lacks"
            if unknown
            else "its field has no scale from 1",
            code="bad_journal",
        )
    for where, key in record.get("changed", {}).items():
        x, _, y = where.partition(",")
        cell = field.cell((int(x), int(y)))
        if not field.has(cell) or not field.knows(key):
            raise FileError(f"its field has no {key[:40]!r} or no place {where[:40]}", code="bad_journal")
        field = field.put(cell, key)
    return field


def _entry(one: Terrain) -> dict[str, Any]:
    """An entry of the legend as a file spells it."""
    found = {**one._asdict(), "stops": list(one.stops)}
    usual = {**GRASS._asdict(), "stops": []}
    return {key: value for key, value in found.items() if value != usual[key]}


def said(terrain: Terrain) -> str:
    """What stands in a cell, in words."""
    return terrain.name or terrain.place or "open ground"


def spelled(place: Sequence[float]) -> str:
    """A place as commands take it: `8,4`."""
    return ",".join(f"{part:g}" for part in place)


def standing_at(field: BattleMap, place: Sequence[float]) -> str:
    """What stands at a place, with the place: `a wall at 4,2`."""
    name = said(field.at(place))
    return f"{name if is_plural(name) else with_a(name)} at {spelled(place)}"


def slugged(name: str) -> str:
    """A name as commands take it: `open-door`."""
    return name.casefold().replace("_", "-").replace(" ", "-")


def _touch(one: Cell, other: Cell) -> bool:
    return max(abs(one[0] - other[0]), abs(one[1] - other[1])) == 1


def between(one: Cell, other: Cell) -> tuple[Cell, ...]:
    """The cells that the line between the centres of two cells passes, without both ends.

    A line exactly through a corner passes neither neighbour.
    """
    (x, y), (east, north) = one, (other[0] - one[0], other[1] - one[1])
    right, up = (1 if east >= 0 else -1), (1 if north >= 0 else -1)
    east, north = abs(east), abs(north)
    found = []
    columns = rows = 0
    while columns < east or rows < north:
        # Where the line leaves the cell: (1 + 2·columns) / east against (1 + 2·rows) / north.
        side = (1 + 2 * columns) * north - (1 + 2 * rows) * east
        if side <= 0:
            columns, x = columns + 1, x + right
        if side >= 0:
            rows, y = rows + 1, y + up
        found.append((x, y))
    return tuple(found[:-1])


class _Spread:
    """The shortest ways from one cell to others (Dijkstra), worked out as far as they have been asked for."""

    __slots__ = ("_before", "_field", "_open", "lengths")

    def __init__(self, field: BattleMap, start: Cell):
        self._field = field
        self._open: list[tuple[float, Cell]] = [(0.0, start)]
        self._before: dict[Cell, tuple[float, Cell]] = {start: (0.0, start)}
        self.lengths: dict[Cell, float] = {}
        """The lengths of the ways that are known, in cells."""

    def _next(self) -> Cell | None:
        """Settle one more cell, the nearest that is left; None if none is."""
        while self._open:
            length, cell = heappop(self._open)
            if cell in self.lengths:
                continue
            self.lengths[cell] = length
            for to, step in self._field.steps(cell):
                known = self._before.get(to)
                if to not in self.lengths and (known is None or length + step < known[0]):
                    self._before[to] = length + step, cell
                    heappush(self._open, (length + step, to))
            return cell
        return None

    def way_to(self, end: Cell) -> list[Cell] | None:
        """The cells of the way, without the start; None if there is none."""
        while end not in self.lengths:
            if self._next() is None:
                return None
        cells, at = [], end
        while self._before[at][1] != at:
            cells.append(at)
            at = self._before[at][1]
        return cells[::-1]

    def within(self, most: float) -> list[Cell]:
        """The cells at most so far away, in cells."""
        while self._open and self._open[0][0] <= most:
            self._next()
        return [cell for cell, length in self.lengths.items() if length <= most]
