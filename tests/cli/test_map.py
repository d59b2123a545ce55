"""`crisis map`: the field as text."""

from __future__ import annotations

import pytest
from conftest import Player


@pytest.fixture
def placed(crisis: Player, sheets: object) -> Player:
    """Jack in the south-west, two drones in one place, one to the north."""
    crisis.ok(
        "init jack --vs drone:3 --open --place jack=0,0 drone-1=6,0 drone-2=6,0 drone-3=2,5 "
        "--dice 6,6,6,1,1,2,2,1,2,4,1,2"
    )
    return crisis


def rows(shown: str) -> list[str]:
    """The rows of squares, north first, without their coordinates."""
    return shown.split("\n\n")[0].splitlines()[1:-1]


def test_everyone_stands_where_they_stand(placed: Player) -> None:
    shown = placed.ok("map").out
    assert shown.startswith("N up  one square: 1 m")
    north = {sign: at for at, row in enumerate(rows(shown)) for sign in ("J", "d1", "d3") if sign in row}
    assert north["d3"] == north["J"] - 5 and north["d1"] == north["J"], "north is up"
    row = rows(shown)[north["J"]]
    assert row.index("J") < row.index("d1,d2"), "east is right, and both drones are shown"
    assert "6 m from Jack" in shown and "5 m from Jack" in shown
    assert "▸ J" in shown, "whose turn it is"


def test_far_fields_are_drawn_smaller(placed: Player) -> None:
    placed.ok("set drone-3 at 900,-700")
    for width in (80, 40, 24):
        shown = placed.ok("map", width=width)
        grid = shown.out.split("\n\n")[0].splitlines()
        assert all(len(line) <= width for line in grid) and len(grid) <= 20
        assert sum("d3" in line for line in grid) == 1


def test_more_than_fit_are_counted(placed: Player) -> None:
    placed.ok("set drone-3 at 6,0")
    assert "d1,d2,d3" in placed.ok("map", width=100).out
    shown = placed.ok("map", width=40).out
    assert "3×" in shown and all(f"d{at}  Drone {at}" in shown for at in (1, 2, 3))


def test_cover_and_conditions_are_in_the_legend(placed: Player) -> None:
    placed.ok("set jack cover:drone-1 heavy")
    placed.ok("set drone-2 condition:prone on")
    shown = placed.ok("map").out
    assert "heavy cover from Drone 1" in shown and "prone" in shown


def test_in_ascii_where_there_is_nothing_else(placed: Player) -> None:
    shown = placed.ok("map", encoding="ascii").out
    assert shown.isascii() and "> J" in shown


def test_colour_tells_nothing_that_words_do_not(placed: Player) -> None:
    plain = placed.ok("map").out
    coloured = placed.ok("--color map").out
    import re

    assert coloured != plain and re.sub(r"\x1b\[\d+m", "", coloured) == plain


def test_without_places_it_says_how_to_give_them(fight: Player) -> None:
    shown = fight.ok("map").out
    assert "crisis set jack at X,Y" in shown
    fight.ok("set jack at 1,2")
    assert "no position yet: Drone (crisis set drone at X,Y)" in fight.ok("map").out


def test_json(placed: Player) -> None:
    record = placed.ok("map --json").record
    assert (record["unit"], record["actor"]) == ("m", "Jack")
    assert {one["name"]: one["distance"] for one in record["fighters"]} == {
        "Jack": None,
        "Drone 1": 6,
        "Drone 2": 6,
        "Drone 3": 5,
    }
    assert len({one["sign"].lower() for one in record["fighters"]}) == 4


def test_who_has_left_is_not_on_it(placed: Player) -> None:
    placed.ok("leave drone-3")
    assert "Drone 3" not in placed.ok("map").out


def test_without_a_crisis(crisis: Player) -> None:
    crisis.refused(3, "map")


def test_conditions_and_cover_are_reported_as_words(crisis: Player) -> None:
    """A level stands behind a condition; cover that is a number of dice reads as one (2D20-20, 2D20-22)."""
    crisis.ok("init cass --vs mutant --open --place cass=0,0 mutant=0,0")
    crisis.ok("set mutant condition:injured-torso 2")
    assert crisis.ok("set mutant cover:cass 3").lines[-1] == "  Mutant is in cover of 3 from Cass."
    for verb in ("map", "status"):
        shown = crisis.ok(verb).out
        assert "injured torso 2" in shown and "cover of 3 from Cass" in shown


def test_places_are_shown_to_a_tenth_and_recorded_as_they_are(fight: Player) -> None:
    fight.ok("set drone at 0.11,17.55")
    assert "at 0.1,17.6" in fight.ok("status").out
    drone = next(one for one in fight.ok("map --json").record["fighters"] if one["name"] == "Drone")
    assert drone["at"] == [0.11, 17.55]
