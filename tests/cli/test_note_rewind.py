"""`crisis note` and `crisis rewind`."""

from __future__ import annotations

import pytest
from conftest import Player


def test_a_note_is_an_entry_that_changes_nothing(fight: Player) -> None:
    before = fight.ok("status --json").out
    assert fight.ok("note The drone hums.").out == "Note: The drone hums.\n"
    assert fight.ok("status --json").out == before
    record = fight.ok("log 2 --json").record
    assert (record["action"], record["text"], record["effects"]) == ("note", "The drone hums.", [])
    for verb in ("log", "replay"):
        assert "Note: The drone hums." in fight.ok(verb).out
    assert fight.ok("verify --json").record["entries"] == 2


def test_a_note_is_undone_like_anything_else(fight: Player) -> None:
    fight.ok("note once")
    assert "Note: once" in fight.ok("undo").out
    assert "once" not in fight.ok("log").out
    fight.ok("redo")
    assert "once" in fight.ok("log").out


@pytest.mark.parametrize("nasty", ["\x1b[31mred", "a\x07b", "\u202eback", "\x9b31m"])
def test_nothing_in_a_note_reaches_the_terminal_that_it_would_obey(fight: Player, nasty: str) -> None:
    for words in (("note", nasty), ("note", "--json", nasty), ("log",), ("log", "--json"), ("replay",)):
        shown = fight.ok(*words)
        assert all(sign.isprintable() for line in shown.lines for sign in line)
    assert fight.ok("log 2 --json").record["text"] == nasty


def test_a_note_is_one_line(fight: Player) -> None:
    fight.ok("note", "two\nlines\tand  a  gap\r\n")
    assert fight.ok("log 2 --json").record["text"] == "two lines and a gap"


def test_words_that_look_like_options_are_words(fight: Player) -> None:
    assert fight.ok("note he said --nonsense -x").out == "Note: he said --nonsense -x\n"


@pytest.mark.parametrize("words", [("note",), ("note", ""), ("note", " \n "), ("note", "x" * 2_001)])
def test_notes_that_are_none(fight: Player, words: tuple[str, ...]) -> None:
    fight.refused(2, *words)


def test_rewind_takes_back_all_that_came_after(fight: Player) -> None:
    fight.ok("attack drone")
    there = fight.ok("status --json").out
    for words in ("next", "act drop-prone", "note so far"):
        fight.ok(words)
    far = fight.ok("status --json").out
    shown = fight.ok("rewind 2")
    assert "back at 2: Jack swings" in shown.out and "redo 3" in shown.out and "Jack's turn" in shown.out
    assert fight.ok("status --json").out == there
    fight.ok("redo 3")
    assert fight.ok("status --json").out == far
    record = fight.ok("rewind 1 --json").record
    assert (record["number"], record["undone"], record["turn"]) == (1, [5, 4, 3, 2], "Jack")


def test_rewind_0_is_the_opening(fight: Player) -> None:
    before = fight.ok("status --json").out
    fight.ok("next")
    fight.ok("rewind 0")
    assert fight.ok("status --json").out == before


def test_the_dice_fall_as_before_unless_fresh(fight: Player) -> None:
    first = fight.ok("attack drone --json").faces
    fight.ok("next")
    fight.ok("rewind 1")
    assert fight.ok("attack drone --json").faces == first
    fight.ok("rewind 1 --fresh")
    assert fight.ok("attack drone --json").faces != first
    assert fight.ok("verify --json").record["verified"] is True


def test_rewind_is_written_in_one_step(fight: Player) -> None:
    for words in ("attack drone", "next", "next"):
        fight.ok(words)
    before = fight.journal.read_bytes()
    fight.ok("rewind 1")
    after = fight.journal.read_bytes()
    assert after.startswith(before) and after.count(b"\n") == before.count(b"\n") + 3


def test_refusals_tell_the_way_on(fight: Player) -> None:
    fight.ok("next")
    assert "crisis log" in fight.refused(3, "rewind 2 --json").error["hint"]
    error = fight.refused(3, "rewind 9 --json").error
    assert error["code"] == "no_entry" and "2" in error["message"]
    fight.ok("undo")
    assert "crisis redo 1" in fight.refused(3, "rewind 2 --json").error["hint"]
    fight.refused(3, "rewind 0")


@pytest.mark.parametrize("words", ["rewind", "rewind x", "rewind -1", "rewind 1 2"])
def test_numbers_that_are_none(fight: Player, words: str) -> None:
    fight.refused(2, words)


def test_without_a_crisis(crisis: Player) -> None:
    crisis.refused(3, "note hello")
    crisis.refused(3, "rewind 1")
