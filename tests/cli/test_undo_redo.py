"""`crisis undo` and `crisis redo`."""

from __future__ import annotations

import pytest
from conftest import Player


def test_undo_takes_back_everything_an_action_did(fight: Player) -> None:
    before = fight.ok("status --json").out
    fight.ok("attack drone --dice 6,6,6")
    assert fight.ok("status --json").out != before
    shown = fight.ok("undo")
    assert "undone" in shown.out and "Jack swings the baton at Drone" in shown.out
    assert fight.ok("status --json").out == before


def test_redo_brings_it_back_with_its_dice(fight: Player) -> None:
    fight.ok("attack drone")
    after = fight.ok("status --json").out
    log = fight.ok("log --json").out
    fight.ok("undo")
    assert "redone" in fight.ok("redo").out
    assert fight.ok("status --json").out == after
    assert fight.ok("log --json").out == log


def test_several_at_once_and_back(fight: Player) -> None:
    for words in ("attack drone", "next", "act drop-prone", "next"):
        fight.ok(words)
    after = fight.ok("status --json").out
    assert [one["undone"] for one in fight.ok("undo 4 --json").records] == [5, 4, 3, 2]
    assert [one["redone"] for one in fight.ok("redo 4 --json").records] == [2, 3, 4, 5]
    assert fight.ok("status --json").out == after


def test_a_turn_and_a_round_are_undone_whole(fight: Player) -> None:
    fight.ok("next")
    before = fight.ok("status --json").out
    fight.ok("next")
    fight.ok("undo")
    assert fight.ok("status --json").out == before


@pytest.mark.parametrize(
    "words", ["set drone health 3", "leave drone", "join --vs ada", "act hide --cover light"]
)
def test_any_action_can_be_undone(fight: Player, words: str) -> None:
    before = fight.ok("status --json").out
    fight.ok(words)
    fight.ok("undo")
    assert fight.ok("status --json").out == before
    fight.ok("redo")
    fight.ok("undo")
    assert fight.ok("status --json").out == before


def test_a_new_action_empties_redo(fight: Player) -> None:
    fight.ok("attack drone")
    fight.ok("undo")
    fight.ok("act drop-prone")
    error = fight.refused(3, "redo --json").error
    assert error["code"] == "nothing_to_redo" and error["hint"]


def test_the_same_dice_after_an_undo_new_ones_with_fresh(fight: Player) -> None:
    first = fight.ok("attack drone --json").faces
    fight.ok("undo")
    assert fight.ok("attack drone --json").faces == first
    shown = fight.ok("undo --fresh")
    assert any(word in shown.out.lower() for word in ("fresh", "new dice", "again", "re-roll")), "it says so"
    second = fight.ok("attack drone --json").faces
    assert second != first
    fight.ok("undo")
    assert fight.ok("attack drone --json").faces == second, "once fresh, the new dice stay"


def test_fresh_of_several_re_rolls_the_first_of_them(fight: Player) -> None:
    faces = [fight.ok("attack drone --json").faces, fight.ok("attack drone --json").faces]
    fight.ok("undo 2 --fresh")
    assert [fight.ok("attack drone --json").faces, fight.ok("attack drone --json").faces] != faces


def test_an_action_gets_the_same_dice_by_whatever_way_it_is_reached(fight: Player) -> None:
    """Seeded by (seed, entries in force): an undone detour leaves no trace in the dice."""
    straight = fight.ok("attack drone --json").out
    fight.ok("undo")
    fight.ok("act drop-prone")
    fight.ok("next")
    fight.ok("undo 2")
    assert fight.ok("attack drone --json").out == straight


def test_the_journal_only_grows(fight: Player) -> None:
    fight.ok("attack drone")
    before = fight.journal.read_bytes()
    fight.ok("undo")
    assert fight.journal.read_bytes().startswith(before)
    fight.ok("redo")
    assert fight.journal.read_bytes().startswith(before)


def test_the_opening_is_not_undone(fight: Player) -> None:
    error = fight.refused(3, "undo --json").error
    assert "crisis end --discard" in error["hint"]
    fight.ok("next")
    fight.refused(3, "undo 2")


def test_after_an_undo_the_player_sees_where_things_stand(fight: Player) -> None:
    """Undoing a turn changes whose turn it is: say so."""
    fight.ok("next")
    assert "Jack" in fight.ok("undo").out


@pytest.mark.parametrize("words", ["undo x", "undo 0", "undo -1", "redo x", "redo 0", "undo 1 2"])
def test_counts_that_are_none(fight: Player, words: str) -> None:
    fight.refused(2, words)


def test_without_a_crisis(crisis: Player) -> None:
    crisis.refused(3, "undo")
    crisis.refused(3, "redo")


def test_verify_agrees_after_any_of_it(fight: Player) -> None:
    for words in ("attack drone", "undo", "attack drone", "next", "undo --fresh", "redo", "undo 2", "redo"):
        fight.ok(words)
    assert fight.ok("verify --json").record["verified"] is True


def test_too_few_to_undo_or_redo_are_counted_in_plain_words(fight: Player) -> None:
    assert fight.refused(3, "undo --json").error["message"] == "there is nothing to undo"
    assert fight.refused(3, "redo --json").error["message"] == "there is nothing to redo"
    fight.ok("attack drone")
    assert fight.refused(3, "undo 2 --json").error["message"] == "there is only 1 action to undo, not 2"
    fight.ok("next")
    fight.ok("undo 2")
    assert fight.refused(3, "redo 3 --json").error["message"] == "there are only 2 actions to redo, not 3"


def test_conditions_stand_in_the_order_in_which_they_began_again(fight: Player) -> None:
    """What an action ended does not go behind the others when it is undone."""
    for condition in ("prone", "drunk"):
        fight.ok(f"set jack condition:{condition} on")
    before = fight.ok("status --json").out
    fight.ok("act jack stand-up")
    fight.ok("undo")
    assert fight.ok("status --json").out == before
    fight.ok("redo")
    fight.ok("undo")
    assert list(fight.fighter("Jack")["conditions"]) == ["prone", "drunk"]


def test_quiet_prints_numbers(fight: Player) -> None:
    for _ in range(2):
        fight.ok("act move")
    assert fight.ok("undo 2 --quiet").out == "3\n2\n"
    assert fight.ok("redo --quiet").out == "2\n"
    assert fight.ok("redo --quiet").out == "3\n"
    assert fight.ok("undo --fresh --quiet").out == "3\n"
    assert fight.ok("redo --quiet --json").record["redone"] == 3
    assert fight.ok("rewind 2 --quiet").out == "2\n"
