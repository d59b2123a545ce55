"""The field by itself: reading maps, sight, cover and ways."""

from __future__ import annotations

import random
from itertools import pairwise, product
from math import hypot

import pytest
from maps import BRIDGE, LEGEND, bridge, drawn, random_map

from crisis_cli.engine.field import OPEN, BattleMap, Cell, Terrain, between, from_data
from crisis_cli.engine.kinds import Fault
from crisis_cli.engine.read_field import read_field
from crisis_cli.errors import FileError
from crisis_cli.systems import load

ALL = [(column, row) for column in range(18) for row in range(7)]


def test_the_bottom_line_is_y_0_and_the_left_column_x_0() -> None:
    field = bridge()
    assert (field.width, field.height) == (18, 7)
    assert field.at((4, 1)).name == field.at((4, 5)).name == "pillar"
    assert field.at((4, 3)).name == field.at((13, 3)).name == "crates"
    assert field.at((0, 0)).name == "wall"


def test_beyond_the_edge_the_ground_goes_on() -> None:
    field = drawn("#~.\n...")
    assert field.at((-5, 1)).name == field.at((-5, 9)).name == field.at((0, 9)).name == "wall"
    assert field.at((1, 2)).slow and field.at((2, 50)).name == field.at((-5, 0)).name == ""
    assert field.at((100, -100)).name == ""
    assert field.put((2, 0), "#").at((100, -100)).name == "wall"
    bank = drawn("A.\n..", A={"place": "bank", "slow": True})
    assert bank.at((0, 1)).place == "bank" and bank.at((-1, 1)) == Terrain(slow=True), (
        "the place ends at the edge"
    )


def test_a_cell_is_so_many_units_wide_and_named_by_its_south_western_corner() -> None:
    field = read_field(BRIDGE, LEGEND, 2, [10, 20], load("3d6"))
    assert field.at((18, 22)).name == field.at((19.4, 23.4)).name == "pillar"
    assert field.at((20, 22)).name == field.at((19.5, 22)).name == "", "halves belong to the next"
    assert field.place((4, 1)) == (18, 22)


def test_the_cells_of_a_place_come_in_reading_order() -> None:
    assert bridge(2).cells_of("near bank") == ((2, 10), (2, 8), (2, 6), (2, 4), (2, 2))
    assert bridge().cells_of("nowhere") == ()
    assert bridge().places() == ("near bank", "far bank")


def test_a_map_is_as_long_as_a_system_has_it() -> None:
    assert bridge(system="3d6").scale == 1
    assert bridge(system="2d20").zones


def test_a_field_comes_back_from_its_record() -> None:
    field = bridge(2).put((9, 3), "+")
    again = from_data(field.as_data())
    assert again == field
    assert again.at((18, 6)).name == "closed door"


def test_what_is_put_back_as_it_was_leaves_no_trace() -> None:
    field = bridge()
    assert field.put((4, 3), OPEN) != field
    assert field.put((4, 3), OPEN).put((4, 3), "b") == field
    assert field.put((5, 5), "+").put((5, 5), OPEN) == field


@pytest.mark.parametrize(
    ("word", "key"),
    [
        *(("#", "#"), ("wall", "#"), ("Wet Plates", "="), ("wet-plates", "="), ("open-door", "open-door")),
        *(("open", "."), (".", "."), ("far-bank", None), ("E", "E")),
    ],
)
def test_terrain_is_named_by_its_key_or_its_name(word: str, key: str | None) -> None:
    assert bridge().key_of(word) == key


# Sight


def test_a_wall_between_two_stops_sight_and_says_where() -> None:
    field = bridge()
    assert field.obstacle((1, 1), (15, 1)) == (9, 1)
    assert field.obstacle((15, 1), (1, 1)) == (10, 1), "the one nearest to who looks"
    assert field.sees((1, 3), (15, 3))
    assert field.sees((3, 1), (6, 1)), "a pillar stops no sight"


def test_sight_on_the_bridge_is_symmetric_over_all_pairs() -> None:
    field = bridge()
    inside = [cell for cell in ALL if not field.terrain(cell).stops_move]
    assert len(inside) ** 2 == 5476
    for one, other in product(inside, inside):
        assert field.sees(one, other) == bridge_seen(field, other, one)


def bridge_seen(field: BattleMap, one: Cell, other: Cell) -> bool:
    """Whether nothing between two cells stops sight, without what the field remembers."""
    return not any(field.terrain(cell).stops_sight for cell in between(one, other))


def test_sight_is_symmetric_on_random_maps() -> None:
    dice = random.Random(16)
    for _ in range(200):
        field = drawn(random_map(dice))
        for _ in range(30):
            one, other = ((dice.randint(-2, 13), dice.randint(-2, 10)) for _ in range(2))
            assert field.sees(one, other) == field.sees(other, one)


@pytest.mark.parametrize(
    "lines",
    [10, pytest.param(40, marks=pytest.mark.slow), pytest.param(300, marks=pytest.mark.long)],
)
def test_a_line_passes_the_cells_whose_inside_it_meets(lines: int) -> None:
    """Against sampling: a cell counts if points of the line lie inside it, and not where it only touches a corner."""
    dice = random.Random(4)
    for _ in range(lines):
        one, other = ((dice.randint(-6, 6), dice.randint(-6, 6)) for _ in range(2))
        steps = 4 * 9 * 7 * 5 * 11
        met = set()
        for step in range(steps + 1):
            x = one[0] + (other[0] - one[0]) * step / steps
            y = one[1] + (other[1] - one[1]) * step / steps
            if all(abs(abs(part - round(part)) - 0.5) > 1e-9 for part in (x, y)):
                met.add((round(x), round(y)))
        assert set(between(one, other)) == met - {one, other}, (one, other)


def test_a_line_through_a_corner_passes_neither_neighbour() -> None:
    assert between((0, 0), (2, 2)) == ((1, 1),)
    assert drawn("#.\n.#").sees((0, 0), (1, 1))


# Cover


def test_cover_is_what_touches_the_target_on_the_line() -> None:
    field = bridge()
    found = field.cover((5, 3), (1, 3))
    assert found is not None
    assert (found.level, found.source) == ("light", "map: crates at 4,3")
    assert field.cover((6, 3), (1, 3)) is None, "two cells behind the crates they cover nobody"
    assert field.cover((1, 3), (5, 3)) is None, "nor those far from them"


def test_of_several_the_best_counts_and_one_s_own_cell_too() -> None:
    field = drawn("b.bo..", b={"name": "crates", "cover": "light"}, o={"name": "pillar", "cover": "heavy"})
    assert field.cover((2, 0), (0, 0)).source == "map: crates at 2,0"  # type: ignore[union-attr]
    assert field.cover((2, 0), (5, 0)).source == "map: pillar at 3,0"  # type: ignore[union-attr]
    assert field.cover((0, 0), (1, 0)).source == "map: crates at 0,0"  # type: ignore[union-attr]


def test_a_zone_covers_those_in_it() -> None:
    field = read_field("aHb", {"a": {"cover": 1}, "H": {"cover": "heavy"}, "b": {}}, None, None, load("2d20"))
    assert field.covers == ("light", "heavy")
    assert field.cover((2, 0), (0, 0)) is None, "a zone between covers nobody"
    assert field.cover((0, 0), (2, 0)).level == "light"  # type: ignore[union-attr]


def test_cover_is_ordered_as_the_system_orders_it() -> None:
    legend = {"a": {"cover": "6+"}, "b": {"cover": "4+"}, "c": {"cover": "5+"}}
    assert read_field("abc", legend, None, None, load("d6pool")).covers == ("6+", "5+", "4+")
    legend = {"a": {"cover": 3}, "b": {"cover": "total"}, "c": {"cover": 2}}
    assert read_field("abc", legend, None, None, load("2d20")).covers == ("heavy", "3", "total")
    assert read_field("a", {"a": {"cover": "heavy"}}, None, None, load("d100")).covers == ()


# Ways


def test_where_nothing_stands_between_the_way_is_the_distance() -> None:
    field = bridge()
    way = field.way((1, 1), (3, 5))
    assert way is not None
    assert (way.length, way.places) == (hypot(2, 4), ((3, 5),))


def test_a_way_leads_round_a_wall() -> None:
    way = drawn("...\n.#.\n.#.").way((0, 0), (2, 0))
    assert way is not None
    assert way.length == pytest.approx(2 + 2 * 2**0.5), "over the top, not below the map"
    assert drawn(".#.\n.#.\n.#.").way((0, 0), (2, 0)) is None, "a wall from edge to edge has no way round"
    walled = drawn("#####\n#...#\n#.#.#\n#####").way((1, 1), (3, 1))
    assert walled is not None
    assert walled.length == pytest.approx(2 * 2**0.5), "one wall does not stop a step past its corner"
    assert drawn("###\n#.#\n###").way((1, 1), (5, 5)) is None
    assert drawn("##.\n#.#\n###").way((1, 1), (2, 2)) is None, "no way between two walls that touch"


def test_slow_ground_takes_twice_the_way() -> None:
    way = drawn("###\n.~.\n###").way((0, 1), (2, 1))
    assert way is not None
    assert way.length == 3


def test_a_way_in_zones_counts_borders() -> None:
    field = drawn("#####\n#.#.#\n#...#\n#####", "2d20")
    way = field.way((1, 2), (3, 2))
    assert way is not None
    assert way.length == 2


def floyd(field: BattleMap) -> dict[tuple[Cell, Cell], float]:
    """All shortest ways over the neighbours, by Floyd and Warshall."""
    cells = [
        cell
        for cell in product(range(-1, field.width + 1), range(-1, field.height + 1))
        if not field.terrain(cell).stops_move
    ]
    far = float("inf")
    found = {(one, other): 0.0 if one == other else far for one in cells for other in cells}
    for (x, y), (to_x, to_y) in product(cells, cells):
        if max(abs(x - to_x), abs(y - to_y)) != 1:
            continue
        corners = (x, to_y), (to_x, y)
        if (x, y) not in corners and all(field.terrain(corner).stops_move for corner in corners):
            continue
        step = hypot(to_x - x, to_y - y) * (2 if field.terrain((to_x, to_y)).slow else 1)
        found[(x, y), (to_x, to_y)] = step
    for middle in cells:
        for one in cells:
            first = found[one, middle]
            if first < far:
                for other in cells:
                    if first + found[middle, other] < found[one, other]:
                        found[one, other] = first + found[middle, other]
    return found


def clear(field: BattleMap, one: Cell, other: Cell) -> bool:
    """Whether a straight walk meets nothing, by sampling the line and looking at the corners that it cuts."""
    line = (one, *(between(one, other) if one <= other else between(other, one)[::-1]), other)
    for at, cell in pairwise(line):
        if field.terrain(cell).stops_move or field.terrain(cell).slow:
            return False
        corners = (at[0], cell[1]), (cell[0], at[1])
        if at not in corners and all(field.terrain(corner).stops_move for corner in corners):
            return False
    return True


@pytest.mark.slow
@pytest.mark.parametrize("maps", [12, pytest.param(100, marks=pytest.mark.long)])
def test_ways_agree_with_an_independent_algorithm_on_random_maps(maps: int) -> None:
    dice = random.Random(1616)
    for _ in range(maps):
        text = random_map(dice)
        field = drawn("\n".join(row[:6] for row in text.splitlines()[:6]))
        lengths = floyd(field)
        for (one, other), length in lengths.items():
            way = field.way(one, other)
            if one == other or clear(field, one, other):
                assert way is not None
                assert way.length == pytest.approx(hypot(one[0] - other[0], one[1] - other[1]))
            elif length == float("inf"):
                assert way is None
            else:
                assert way is not None
                assert way.length == pytest.approx(length), (text, one, other)
                _walk(field, one, way.places)


@pytest.mark.slow
def test_no_way_between_places_of_a_map_leaves_it() -> None:
    dice = random.Random(61)
    for _ in range(40):
        field = drawn(random_map(dice))
        cells = list(field.every_cell())
        for _ in range(30):
            one, other = dice.choice(cells), dice.choice(cells)
            way = field.way(one, other)
            assert way is None or all(field.has(field.cell(place)) for place in way.places), (one, other)


def _walk(field: BattleMap, start: Cell, places: tuple[tuple[float, float], ...]) -> None:
    """Each step of a way can be taken."""
    at = start
    for place in places:
        to = field.cell(place)
        assert to in [cell for cell, _ in field.steps(at)], (start, places)
        at = to


def test_what_can_be_reached_is_what_has_a_way_so_short() -> None:
    dice = random.Random(7)
    for _ in range(40):
        field, most = drawn(random_map(dice)), dice.randint(0, 8)
        start = (dice.randrange(field.width), dice.randrange(field.height))
        found = field.reachable(start, most)
        for cell in product(range(field.width), range(field.height)):
            way = field.way(start, cell)
            near = way is not None and int(way.length + 0.5) <= most
            assert (cell in found) == near, (start, cell)


# Faults


@pytest.mark.parametrize(
    ("text", "legend", "scale", "origin", "faults"),
    [
        ("", {}, None, None, [("map", "must be lines of characters, not ''")]),
        ("..\n.", {}, None, None, [("map.2", "has 1 characters where the first has 2")]),
        (".x\n..", {}, None, None, [("map.1", "'x' at column 2 is not in the legend")]),
        ("..\n.B", {"b": {}}, None, None, [("map.2", "'B' at column 2 is not in the legend")]),
        (".\t", {}, None, None, [("map.1", "'\\t' at column 2 is not in the legend, nor can it be")]),
        (".", {".": {}}, None, None, [("legend..", "is open ground already: take another character")]),
        (".", {"b": {"nam": "x"}}, None, None, [("legend.b.nam", "unknown (did you mean name?)")]),
        (".", {"b": {"slow": "yes"}}, None, None, [("legend.b.slow", "must be true or false, not 'yes'")]),
        (
            ".",
            {"b": {"stops": ["sigth"]}},
            None,
            None,
            [("legend.b.stops.0", "must be move or sight, not 'sigth' (did you mean sight?)")],
        ),
        (
            ".",
            {"b": {"cover": "hevy"}},
            None,
            None,
            [
                (
                    "legend.b.cover",
                    "must be none, light, heavy or total, not 'hevy' (did you mean heavy?)",
                )
            ],
        ),
        (".", {}, 0, None, [("scale", "must be a whole number from 1 to 1000, not 0")]),
        (".", {}, None, "here", [("origin", "must be a place, [x, y], not 'here'")]),
        ("." * 201, {}, None, None, [("map", "must have 200 rows and columns at most, not 1 and 201")]),
    ],
)
def test_every_fault_says_where_it_is(
    text: str, legend: object, scale: int | None, origin: object, faults: list[tuple[str, str]]
) -> None:
    found: list[Fault] = []
    field = read_field(text, legend, scale, origin, load("3d6"), found)  # type: ignore[arg-type]
    assert [(".".join(map(str, one.path)), one.message) for one in found] == faults
    assert field.rows, "what is wrong is left out"
    with pytest.raises(FileError):
        read_field(text, legend, scale, origin, load("3d6"))  # type: ignore[arg-type]


def test_a_zone_has_no_scale() -> None:
    with pytest.raises(FileError, match="has no meaning here: a cell is a zone of 2d20"):
        read_field("..", {}, 2, None, load("2d20"))


def test_the_line_of_a_fault_is_that_of_the_map() -> None:
    with pytest.raises(FileError, match=r"^line 3 of the map: 'z' at column 1 is not in the legend"):
        read_field("..\n..\nz.", {}, None, None, load("3d6"))
