"""`crisis auto`: who plays themselves, and what stands in the record."""

from __future__ import annotations

import pytest
from conftest import Player

from crisis_cli import Library


def test_it_plays_one_turn_and_says_why(fight: Player) -> None:
    shown = fight.ok("auto --reasons all")
    assert "careful: " in shown.out and "% to hit" in shown.out
    assert fight.ok("status --json").record["actor"] == "Drone"


def test_the_reason_stands_in_the_journal_and_verifies(fight: Player) -> None:
    records = [one for one in fight.ok("auto --json").records if one["action"] == "attack"]
    reason = records[0]["reason"]
    assert reason["key"] == "attacks" and reason["chance"] == 26
    assert fight.ok("log 2 --json").record["reason"] == reason
    assert fight.ok("verify --json").record["verified"] is True


def test_it_goes_on_until_it_is_the_players_turn(fight: Player) -> None:
    before = fight.files()
    assert "yours to play" in fight.ok("auto --until-mine").out
    assert fight.files() == before
    fight.ok("next")
    fight.ok("auto until my turn")
    assert fight.ok("status --json").record["actor"] == "Jack"


def test_fighters_are_handed_over_and_taken_back(fight: Player) -> None:
    assert "Jack now plays automatically" in fight.ok("auto jack on").out
    assert (fight.fighter("Jack")["player"], fight.fighter("Jack")["doctrine"]) == (False, "careful")
    assert "You now play Drone" in fight.ok("auto drone off").out
    fight.ok("auto --until-mine")
    assert fight.ok("status --json").record["actor"] == "Drone"
    fight.ok("auto jack reckless")
    assert fight.fighter("Jack")["doctrine"] == "reckless"
    assert fight.ok("verify --json").record["verified"] is True


def test_handing_over_is_undone(fight: Player) -> None:
    fight.ok("auto jack beast")
    assert (fight.fighter("Jack")["player"], fight.fighter("Jack")["doctrine"]) == (False, "beast")
    fight.ok("undo")
    assert (fight.fighter("Jack")["player"], fight.fighter("Jack")["doctrine"]) == (True, "careful")


def test_a_fighter_who_surrenders_is_out_of_the_fight_until_the_gm_says_otherwise(
    crisis: Player, sheets: object
) -> None:
    crisis.ok("init jack --vs drone:2 --open --seed 7")
    crisis.ok("set drone1 yielded on")
    assert "has surrendered" in crisis.ok("status").out
    for _ in range(4):
        crisis.ok("next")
        assert crisis.ok("status --json").record["actor"] != "Drone 1"
    assert "has surrendered" in crisis.refused(3, "attack jack --by drone1").err
    records = [
        one for one in crisis.ok("play --auto --rounds 12 --json").records if one["action"] == "attack"
    ]
    assert records and not any("Drone 1" in (one["actor"], one["target"]) for one in records)


def test_a_side_of_which_all_have_surrendered_has_lost(fight: Player) -> None:
    assert "win" in fight.ok("set drone yielded on").out
    fight.ok("undo")
    assert fight.fighter("Drone")["yielded"] is False


def test_next_plays_nobody(fight: Player) -> None:
    fight.ok("next")
    assert fight.ok("log --json").records[-1]["action"] == "next"


@pytest.mark.parametrize(
    ("words", "status"),
    [
        ("auto jack", 2),
        ("auto jack on off", 2),
        ("auto jack on --until-mine", 2),
        ("auto nobody on", 4),
        ("auto jack nonsense", 4),
    ],
)
def test_what_auto_does_not_take(fight: Player, words: str, status: int) -> None:
    fight.refused(status, words)


def test_without_a_crisis_there_is_nobody_to_play(crisis: Player, sheets: object) -> None:
    crisis.refused(3, "auto")


def test_json_says_who_plays_by_which_doctrine(fight: Player) -> None:
    record = fight.ok("auto drone coward --json").record
    assert (record["target"], record["on"], record["doctrine"]) == ("Drone", True, "coward")
    assert fight.ok("auto drone off --json").record["on"] is False


def test_foes_made_ready_by_command_are_left_to_the_player(crisis: Player) -> None:
    crisis.ok("init vera --vs raider --open --seed 4 --place vera=0,0 raider=1,0")
    if crisis.ok("status --json").record["actor"] == "Vera":
        crisis.ok("next")
    crisis.ok("act overwatch")
    assert [one["actor"] for one in crisis.ok("attack raider --json").records] == ["Vera"]


@pytest.mark.parametrize("line", ["attack raider", "next"])
def test_foes_that_make_ready_attack_in_the_players_turn(crisis: Player, line: str) -> None:
    """Behind total cover nobody can be attacked: the guard keeps watch, and attacks who comes out of it."""
    crisis.ok("init vera --vs raider --open --seed 4 --place vera=0,0 raider=20,0")
    crisis.ok("set vera cover:raider total")
    crisis.ok("auto raider guard")
    if crisis.ok("status --json").record["actor"] == "Vera":
        crisis.ok("next")
    assert "ready to attack those who come" in crisis.ok("auto --reasons brief").out
    crisis.ok("set vera cover:raider none")
    if line == "next":
        # It fires at the end of the turn of somebody who has come nearer; the program that plays ends it too.
        game = Library(str(crisis.here)).resume()
        assert [done.to_dict()["action"] for done in game.next()] == ["attack", "next"]
        crisis.ok("undo 2")
    *others, last = crisis.ok(f"{line} --json").records
    assert others and all((one["actor"], one["target"]) == ("Raider", "Vera") for one in others)
    assert (last["actor"], last["action"]) == ("Vera", line.split()[0])
    assert crisis.ok("verify --json").record["verified"] is True
