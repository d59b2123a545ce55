"""`crisis status`, and bare `crisis`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from conftest import Player, Sheets

from crisis_cli.cli import run


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
    assert fight.ok("").out == fight.ok("status").out + "To go on: crisis play\n"


def test_bare_crisis_keeps_title_and_goals_on_a_low_screen(crisis: Player) -> None:
    crisis.ok("init --encounter clinic --seed 2")
    whole = crisis.ok("").lines
    assert whole[0] == crisis.ok("status").lines[0] == "Night at the clinic"
    assert whole[2] == "  Hold 0 of 5 rounds · store room 0 of 3"
    for rows in (24, 16, 9):
        environment = crisis.environment(is_terminal=True, rows=rows)
        run([], environment)
        shown = re.sub(r"\x1b\[\d*m", "", environment.out.getvalue()).splitlines()
        assert len(shown) <= rows - 2 and [shown[0], shown[2]] == [whole[0], whole[2]]
    assert "  … and 5 more: crisis status" in shown


def test_bare_crisis_says_what_to_begin_with_where_nothing_is_open(crisis: Player) -> None:
    shown = crisis.ok("")
    assert len(shown.lines) <= 24 and all(len(line) <= 80 for line in shown.lines)
    assert crisis("", terminal=True, answers=()) == shown, "the bytes are the same at a terminal"
    assert crisis.files() == {}


def test_each_line_of_the_first_screen_runs(crisis: Player, tmp_path: Path) -> None:
    text = crisis.ok("").out.replace("NAME WHO", "Marsh jack")
    lines = re.findall(r"crisis ([a-z]+(?: [\w-]+)*)", text)
    assert len(lines) == 8, lines
    for at, line in enumerate(lines):
        (tmp_path / str(at)).mkdir()
        shown = Player(tmp_path / str(at))(line, answers=("Mara", "step", *[""] * 60))
        assert shown.status == 0 and "error:" not in shown.err, (line, shown)


def test_bare_crisis_is_the_campaign_where_there_is_one(crisis: Player, sheets: Sheets) -> None:
    crisis.ok("campaign new Saltmarch jack")
    crisis.here /= "saltmarch"
    assert crisis.ok("") == crisis.ok("campaign") and "Saltmarch" in crisis.ok("").out
    crisis.ok("init jack --vs drone --open")
    assert crisis.ok("").out.startswith(crisis.ok("status").out)


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
