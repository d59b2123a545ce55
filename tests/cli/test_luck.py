"""The player who is asked for Luck in the middle of an action (2D20-8)."""

from __future__ import annotations

import pytest
from conftest import Player

WORDS = "attack mutant --location torso --extra-rounds 0"
"""Cass against 11, two successes needed; five combat dice follow."""
SAVED = "--dice 18,19,3,6,1,2,2,2"
HARMLESS = "--dice 8,11,3,4,4,1,2"


@pytest.fixture
def shooting(crisis: Player) -> Player:
    """Cass's turn, with a repeater and 5 Luck."""
    crisis.ok("init cass doc --vs mutant ghoul --open --seed 12 --initiator cass")
    crisis.ok("questions all")
    return crisis


def luck(crisis: Player, who: str = "Cass") -> int:
    """The Luck that is left."""
    (left,) = (
        one["pools"]["luck"] for one in crisis.ok("status --json").record["fighters"] if one["name"] == who
    )
    return int(left)


def test_a_failed_test_is_saved_by_a_point_of_luck(shooting: Player) -> None:
    shown = shooting(f"{WORDS} {SAVED}", answers=["luck"])
    assert shown.status == 0 and "a hit" in shown.out and "Luck 5 → 4" in shown.out
    assert "[18 19] against 11: 0 successes of 2 needed" in shown.err, "what has been thrown is shown first"
    assert "1. keep    it stays as it fell\n" in shown.err
    assert "2. Luck    15.0 % to succeed\n" in shown.err, "1, 2 and 3 are two successes: 3 of 20"
    assert shooting.prompts == ["Cass: [keep], 2, ! for the rest of the fight? "]


def test_dice_that_show_nothing_are_thrown_again(shooting: Player) -> None:
    shown = shooting(f"{WORDS} {HARMLESS},3,5,3", answers=["luck"])
    assert shown.status == 0 and "Luck 5 → 4" in shown.out
    assert "Luck    96.3 % for more damage" in shown.err, "all but one way in 27"
    (record,) = shooting.ok("log 3 --json").records
    damage = next(roll for roll in record["rolls"] if roll["what"] == "damage")
    assert (damage["rerolled"], damage["total"], damage["effects"]) == (3, 4, 1)


def test_a_fighter_who_keeps_the_dice_keeps_the_luck(shooting: Player) -> None:
    assert "a miss" in shooting(f"{WORDS} --dice 18,19", answers=["keep"]).out
    assert luck(shooting) == 5


def test_it_is_asked_again_until_it_is_all_gone(shooting: Player) -> None:
    shooting.ok("set cass luck 2")
    shown = shooting(f"{WORDS} --dice 18,19,4,5,3,3,4,4,1", answers=["luck"] * 3)
    assert shown.status == 0 and len(shooting.prompts) == 2, "no Luck is left for the damage"
    assert luck(shooting) == 0


@pytest.mark.parametrize("option", ["--luck 0", "--luck 1"])
def test_nobody_is_asked_who_has_said_so(shooting: Player, option: str) -> None:
    assert shooting(f"{WORDS} {option}", answers=[]).status == 0
    assert shooting.prompts == []


def test_opponents_and_one_offs_ask_nobody(shooting: Player) -> None:
    assert shooting("attack cass --by mutant --force --dice 20,20", answers=[]).status == 0
    (record,) = shooting.ok("log 3 --json").records
    assert not record.get("choices")
    shooting("end")
    shown = shooting("attack cass mutant --dice 18,19 --json", answers=[])
    assert shown.status == 0 and not shown.record.get("choices")
    assert shooting.prompts == []


def test_without_a_terminal_the_dice_are_kept(shooting: Player) -> None:
    assert "a miss" in shooting.ok(f"{WORDS} --dice 18,19").out


def test_odds_take_it_that_no_luck_is_given(shooting: Player) -> None:
    asked = shooting(f"odds {WORDS} --json", answers=[]).record
    assert asked["success"] == shooting.ok(f"odds {WORDS} --luck 0 --json").record["success"]


def test_luck_that_was_asked_for_is_verified_undone_and_redone(shooting: Player) -> None:
    shooting(f"{WORDS} {HARMLESS},3,5,3", answers=["luck"])
    shooting("check cass small-guns --dice 19,20,20,1", answers=["luck", "luck"])
    assert luck(shooting) == 2, "20, then 1"
    assert shooting.ok("verify --json").record["verified"] is True
    shooting.ok("undo")
    assert luck(shooting) == 4
    shooting.ok("redo")
    assert luck(shooting) == 2


def test_real_dice_go_on_after_luck_and_the_answer_is_taken_back(shooting: Player) -> None:
    answers = ["18 19", "luck", "b", "keep"]
    assert "a miss" in shooting(f"{WORDS} --real-dice", answers=answers).out
    assert luck(shooting) == 5
