"""`crisis save`: sheets written while the crisis stays open."""

from __future__ import annotations

import json

import pytest
from conftest import JACK, Player, Sheets


def test_sheets_are_written_and_the_crisis_stays_open(fight: Player, sheets: Sheets) -> None:
    fight.ok("set jack health 9")
    before = fight.ok("status --json").out
    assert "Jack" in fight.ok("save").out
    assert sheets.state("jack") == {"health": 9} and sheets.state("drone") == {}
    assert fight.ok("status --json").out == before
    assert sheets.text("jack").startswith(JACK.rstrip("\n"))


def test_json_and_nothing_to_write(fight: Player) -> None:
    assert fight.ok("save --json").record["written"] == []
    fight.ok("set jack health 9")
    assert fight.ok("save --json").record == {"v": 1, "action": "save", "written": ["Jack"], "number": 2}
    before = fight.files()
    fight.ok("save")
    assert fight.files() == before, "a second save writes nothing"


def test_what_was_saved_is_no_edit_by_hand_at_the_end(fight: Player, sheets: Sheets) -> None:
    fight.ok("set jack health 9")
    fight.ok("save")
    fight.ok("set jack health 5")
    fight.ok("end")
    assert sheets.state("jack") == {"health": 5}


def test_undoing_what_was_saved_is_seen_at_the_end(fight: Player, sheets: Sheets) -> None:
    fight.ok("set jack health 9")
    fight.ok("save")
    fight.ok("undo")
    fight.ok("end")
    assert sheets.state("jack") == {}


@pytest.mark.parametrize("later", ["save", "end"])
def test_a_hand_after_a_save_wins_and_is_reported(fight: Player, sheets: Sheets, later: str) -> None:
    fight.ok("set jack health 9")
    fight.ok("save")
    sheets.write("jack", JACK + "\n[state]\nhealth = 17\n")
    fight.ok("set jack health 5")
    shown = fight(later)
    assert shown.status == 0 and "by hand to 17" in shown.err
    assert sheets.state("jack") == {"health": 17}
    if later == "save":
        fight.ok("end")  # it has been shown, and stays the hand's
        assert sheets.state("jack") == {"health": 17}


def test_a_save_torn_off_is_made_up_for(fight: Player, sheets: Sheets) -> None:
    """The sheets are written before the journal says so: a power cut in between loses nothing."""
    fight.ok("set jack health 9")
    fight.ok("save")
    lines = fight.journal.read_bytes().splitlines(keepends=True)
    assert json.loads(lines[-1])["saved"]["Jack"]["health"] == 9
    fight.journal.write_bytes(b"".join(lines[:-1]) + lines[-1][:10])
    fight("save")
    fight.ok("set jack health 5")
    fight.ok("end")
    assert sheets.state("jack") == {"health": 5}


def test_shipped_sheets_are_not_written(crisis: Player) -> None:
    crisis.ok("init jack --vs drone --open")
    crisis.ok("set jack health 9")
    shown = crisis("save")
    assert shown.status == 0 and "character copy" in shown.err


@pytest.mark.parametrize(
    "line", ['{"saved":{"Nobody":{}}}', '{"saved":[]}', '{"saved":{"Jack":3}}', '{"saved":{},"x":1}']
)
def test_saves_that_are_none(fight: Player, line: str) -> None:
    with fight.journal.open("a") as file:
        file.write(line + "\n")
    fight.refused(4, "status")


def test_without_a_crisis(crisis: Player) -> None:
    crisis.refused(3, "save")


@pytest.mark.slow
def test_a_fight_that_plays_itself_saves_numbers_that_dice_worked_out(crisis: Player) -> None:
    """Health after a grenade is a number that remembers its parts, until it is recorded."""
    crisis.ok("character copy vera")
    shown = crisis("play vera --vs raider:2 --auto --seed 3 --rounds 2 --save --quiet")
    assert shown.status == 0, shown
    assert Sheets(crisis.here / "characters").state("vera")
