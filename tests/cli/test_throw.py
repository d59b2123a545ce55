"""`crisis throw`."""

from __future__ import annotations

import pytest
from conftest import Player, Sheets


@pytest.fixture
def thrower(crisis: Player, sheets: Sheets) -> Player:
    """A crisis in which Ada has drawn her knife, ten metres south of the drone."""
    crisis.ok("init ada --vs drone --open --dice 6,6,6,1,1,1 --place ada=0,0 drone=0,10")
    crisis.ok("act draw knife")
    return crisis


def test_the_thrown_weapon_on_the_sheet_is_the_one_thrown(crisis: Player, sheets: Sheets) -> None:
    record = crisis.ok("throw ada drone --dice 6,6,5 --json").record
    assert (record["action"], record["gear"], record["success"]) == ("throw", "knife", True)
    (roll,) = record["rolls"]
    assert (roll["total"], roll["target"]) == (22, 13), "light-weapons 3 + speed 2 against ranged defence"


def test_a_miss_scatters_by_a_d8(crisis: Player, sheets: Sheets) -> None:
    """3D6-30: after the attack dice, one d8."""
    record = crisis.ok("throw ada drone --dice 1,1,1,3 --range 12 --json").record
    assert [(roll["what"], roll["faces"]) for roll in record["rolls"]] == [
        ("attack", [1, 1, 1]),
        ("scatter", [3]),
    ]
    assert record["off"] == 3, "1 m for each increment of 5 that 12 m span"
    assert [one["what"] for one in record["effects"]] in ([], ["held"]), "it hurts nobody"


@pytest.mark.parametrize(
    ("face", "at"),
    [(1, [0, 8]), (2, [-2, 8]), (3, [-2, 10]), (5, [0, 12]), (7, [2, 10]), (8, [2, 8])],
)
def test_where_it_lands_is_reported_clockwise_from_straight_back(
    thrower: Player, face: int, at: list[float]
) -> None:
    """STEP-27, 3D6-30: 1 is back to the thrower (south here), then clockwise: south-west, west, …"""
    record = thrower.ok(f"throw drone --dice 1,1,1,{face} --json").record
    assert record["at"] == at
    assert f"{at[0]},{at[1]}".replace("-", "−") in thrower.ok("log 3").out


def test_what_was_thrown_is_in_hand_no_more(thrower: Player) -> None:
    effects = thrower.ok("throw drone --dice 6,6,6 --json").record["effects"]
    held = next(one for one in effects if one["what"] == "held")
    assert (held["who"], held["was"], held["now"]) == ("Ada", ["knife"], [])


def test_in_a_crisis_a_single_name_is_the_target(thrower: Player) -> None:
    record = thrower.ok("throw drone --json").record
    assert (record["actor"], record["targets"]) == ("Ada", ["Drone"])


def test_at_says_where_it_is_thrown(crisis: Player, sheets: Sheets) -> None:
    """DESIGN 5: `--at X,Y`."""
    shown = crisis("throw ada --at 3,4 --json")
    assert shown.status in (0, 3), "in 3d6 it is done, or refused by a rule; it is no unknown option"


@pytest.mark.parametrize(
    ("words", "status"),
    [
        ("throw", 2),
        ("throw ada", 2),
        ("throw jack drone", 3),
        ("throw ada drone --weapon pistol", 3),
        ("throw ada drone --weapon spoon", 2),
        ("throw ada drone drone:2", 3),
        ("throw ada drone --dice 1,1,1", 2),
        ("throw ada drone --dice 1,1,1,9", 2),
        ("throw ada drone --dice 6,6,6,1", 2),
    ],
)
def test_what_cannot_be_thrown(crisis: Player, sheets: Sheets, words: str, status: int) -> None:
    crisis.refused(status, words)


def test_the_scatter_die_is_named_where_it_is_missing(crisis: Player, sheets: Sheets) -> None:
    assert "scatter" in crisis.refused(2, "throw ada drone --dice 1,1,1").err


def test_a_fighter_who_is_struck_by_the_own_bomb_is_named_like_the_others(crisis: Player) -> None:
    """2D20-28: a location each, whose it is is said of the thrower too."""
    crisis.ok("init doc --vs ghoul --open --place doc=0,0 ghoul=0,0")
    crisis.ok("act draw 'pipe bomb'")
    lines = crisis.ok("throw ghoul --weapon 'pipe bomb' --dice 1,2,3,1,1,1,1,1,4 --force").lines
    assert [line.split(":")[0].strip() for line in lines if "location" in line] == [
        "Ghoul's location",
        "Doc's location",
    ]
