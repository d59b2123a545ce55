"""`crisis check`."""

from __future__ import annotations

import pytest
from conftest import Player, Sheets


def test_a_check_reads_in_one_line(crisis: Player, sheets: Sheets) -> None:
    """3D6-5."""
    assert crisis.ok("check jack melee --difficulty 13 --dice 4,4,2").lines == [
        "Jack tries melee: [4 4 2] + 3 = 13 against 13 — success."
    ]


def test_json_has_the_roll_against_its_difficulty(crisis: Player, sheets: Sheets) -> None:
    record = crisis.ok("check jack melee --difficulty 14 --dice 4,4,2 --json").record
    assert (record["action"], record["actor"], record["success"], record["outcome"]) == (
        "check",
        "Jack",
        False,
        "failure",
    )
    (roll,) = record["rolls"]
    assert (roll["what"], roll["total"], roll["target"], roll["success"]) == ("check", 13, 14, False)
    assert record["effects"] == []


@pytest.mark.parametrize(("faces", "status"), [("6,6,6", 0), ("1,1,1", 1)])
def test_exit_status_tells_success_from_failure(
    crisis: Player, sheets: Sheets, faces: str, status: int
) -> None:
    shown = crisis(f"check jack melee --difficulty 12 --dice {faces} --exit-status --quiet")
    assert shown.status == status
    assert len(shown.lines) == 1


def test_a_contest_goes_to_the_active_side_on_a_tie(crisis: Player, sheets: Sheets) -> None:
    """3D6-5 [R]; ALL-2: the actor's roll before the other's."""
    record = crisis.ok("check jack melee --vs drone melee --dice 4,4,2,4,4,2 --json").record
    assert record["success"] is True
    assert [(roll["what"], roll["who"], roll["total"]) for roll in record["rolls"]] == [
        ("check", "Jack", 13),
        ("resist", "Drone", 13),
    ]
    assert crisis.ok("check jack melee --vs drone melee --dice 4,4,2,4,4,3 --quiet").out == "failure\n"


def test_a_sheets_own_skill_and_a_field_can_be_rolled(crisis: Player, sheets: Sheets) -> None:
    """3D6-2."""
    sheets.write(
        "jack", sheets.text("jack").replace("melee = 2", 'melee = 2\npiloting = {rank=2, ability="might"}')
    )
    assert (
        crisis.ok("check jack piloting --difficulty 9 --dice 2,2,2 --json").record["rolls"][0]["total"] == 9
    )
    assert crisis.ok("check jack medicine --difficulty 6 --dice 2,2,2 --json").record["success"] is True
    assert crisis.ok("check jack might --difficulty 7 --dice 2,2,2 --json").record["success"] is True


@pytest.mark.parametrize("word", ["light-weapons", "light_weapons", "LIGHT-WEAPONS", "light weapons"])
def test_skills_are_found_however_they_are_spelled(crisis: Player, sheets: Sheets, word: str) -> None:
    shown = crisis.ok("check", "ada", word, "--difficulty", "11", "--dice", "2,2,2", "--json")
    assert shown.record["rolls"][0]["total"] == 11


def test_the_difficulty_has_no_default(crisis: Player, sheets: Sheets) -> None:
    """3D6-5 [R]."""
    error = crisis.refused(2, "check jack melee --dice 9 --json").error
    assert "--difficulty" in error["hint"] and "3D6-5" in error["message"]


@pytest.mark.parametrize(
    ("words", "status"),
    [
        ("check", 2),
        ("check jack", 2),
        ("check jack melee extra --difficulty 3", 2),
        ("check jack melee --difficulty ten", 2),
        ("check jack melee --difficulty", 2),
        ("check jack melee --vs drone", 2),
        ("check nobody melee --difficulty 3", 4),
        ("check jack melee --vs nobody melee", 4),
        ("check jack melee --vs jack melee", 2),
    ],
)
def test_what_cannot_be_done(crisis: Player, sheets: Sheets, words: str, status: int) -> None:
    crisis.refused(status, words)


@pytest.mark.parametrize("words", ["check jack mele --difficulty 3", "check jack melee --vs drone mele"])
def test_an_unknown_skill_is_guessed_at(crisis: Player, sheets: Sheets, words: str) -> None:
    shown = crisis(words)
    assert shown.status in (2, 3)
    assert "did you mean melee?" in shown.err


def test_a_name_alone_says_that_the_skill_is_missing(crisis: Player, sheets: Sheets) -> None:
    shown = crisis("check jack --difficulty 3")
    assert shown.status in (2, 3)
    assert "''" not in shown.err, "a skill of no name is not what the player typed"


def test_mod_helps_the_first_roll_and_is_explained(crisis: Player, sheets: Sheets) -> None:
    """ALL-6."""
    shown = crisis.ok("check jack melee --vs drone melee --dice 1,1,1,1,1,1 --mod 2 --why 'a push' --explain")
    assert "[1 1 1] + 5 = 8" in shown.out and "[1 1 1] + 3 = 6" in shown.out
    assert "a push" in shown.out and "ALL-6" in shown.out


class TestInACrisis:
    """In a crisis WHO may be left out."""

    def test_a_skill_alone_is_rolled_by_a_fighter_who_has_the_turn(self, fight: Player) -> None:
        assert fight.ok("check melee --difficulty 5 --json").record["actor"] == "Jack"

    def test_anyone_may_check_at_any_time(self, fight: Player) -> None:
        assert fight.ok("check drone melee --difficulty 5 --json").record["actor"] == "Drone"
        assert fight.ok("check melee --by drone --difficulty 5 --json").record["actor"] == "Drone"

    def test_it_is_recorded_with_its_reason(self, fight: Player) -> None:
        fight.ok("check melee --difficulty 5 --why 'the door is stuck'")
        assert fight.ok("log 2 --json").record["why"] == "the door is stuck"
        assert "the door is stuck" in fight.ok("log 2").out, "the log is where reasons are read"

    def test_the_dead_check_nothing(self, fight: Player) -> None:
        fight.ok("set drone health 0")
        assert fight.refused(3, "check drone melee --difficulty 5 --dice 9 --json").error["rule"] == "3D6-27"
