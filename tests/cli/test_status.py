"""`crisis status`, and bare `crisis`."""

from __future__ import annotations

import pytest
from conftest import Player, Sheets


def test_the_board_tells_round_turn_and_how_everyone_is(fight: Player) -> None:
    fight.ok("attack drone --dice 6,4,3")
    fight.ok("set drone condition:prone on")
    shown = fight.ok("status")
    assert shown.lines[0] == "Round 1 · Jack's turn"
    for words in ("45/50", "23/25", "prone", "holds claw"):
        assert words in shown.out


def test_knives_to_throw_are_counted_and_rounds_are_in_a_rifle(crisis: Player, sheets: Sheets) -> None:
    crisis.ok("init ines --vs looter --open --seed 3")
    assert "holds rifle · 12 in the rifle" in crisis.ok("status").out
    crisis.ok("act ines draw knife --force")
    assert "holds knife · knife: 3 left" in crisis.ok("status").out


def test_bare_crisis_is_the_status_of_an_open_one(fight: Player) -> None:
    assert fight.ok("").out == fight.ok("status").out


def test_bare_crisis_is_help_where_none_is_open(crisis: Player) -> None:
    shown = crisis.ok("")
    assert shown.out.count("\n    crisis ") == 3, "three commands to try"
    assert shown.out.startswith("Usage: crisis")


def test_json_has_the_whole_scene(fight: Player) -> None:
    record = fight.ok("status --json").record
    assert {"round", "actor", "order", "fighters"} <= set(record)
    assert record["order"] == [{"who": "Jack", "score": 18}, {"who": "Drone", "score": 3}]
    jack = record["fighters"][0]
    assert {"name", "pools", "conditions", "at"} <= set(jack)
    assert jack["pools"] == {"endurance": 60, "health": 30, "durability": 3, "uses:bandage": 2, "ap": 4}


def test_a_decided_fight_says_who_holds_the_field(fight: Player) -> None:
    """ALL-5."""
    fight.ok("set drone health 0")
    assert "players" in fight.ok("status").lines[0]


def test_it_changes_nothing(fight: Player) -> None:
    before = fight.files()
    fight.ok("status")
    fight.ok("")
    assert fight.files() == before


@pytest.mark.parametrize("width", [60, 80, 120])
@pytest.mark.parametrize(
    "words", ["status", "odds attack drone1", "character show jack", "character list", ""]
)
def test_it_fits_the_width_of_the_terminal(crisis: Player, sheets: Sheets, words: str, width: int) -> None:
    crisis.ok("init jack ada --vs drone:2 --open --dice 6,6,6,5,5,5,1,1,1,2,2,2 --place jack=0,0 drone1=1,0")
    crisis.ok("set ada condition:prone on")
    crisis.ok("set drone1 cover:jack heavy")
    shown = crisis.ok(words, terminal=True, width=width, env={"NO_COLOR": "1"})
    long = [line for line in shown.lines if len(line) > width]
    assert not long, "\n".join(long)


def test_without_a_crisis(crisis: Player) -> None:
    crisis.refused(3, "status")
    assert crisis.refused(3, "status --json").error["code"] == "no_crisis"
