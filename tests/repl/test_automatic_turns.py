"""Automatic turns at the prompt: told in brief, or entry by entry on request."""

from __future__ import annotations

import pytest
from conftest import JOURNAL_OF_NOW, Player

from .conftest import ENTER, Evening

WORDS = "play jack --vs drone:2 --seed 7"
OWN_LINES = f"next{ENTER}next{ENTER}end --yes{ENTER}"


def dice(shown: str) -> int:
    """How many rolls with their faces are shown after the opening."""
    return shown.partition("Round 1 begins.")[2].count("[")


def test_the_turns_of_opponents_are_told_in_brief(crisis: Player, evening: Evening) -> None:
    shown = evening(OWN_LINES, words=WORDS)
    assert not dice(shown.out) and dice(crisis.ok(f"log {JOURNAL_OF_NOW}").out)
    assert any(line.startswith("Round 2 ") for line in shown.lines)


@pytest.mark.parametrize("option", ["--full", "--explain", "--reasons all"])
def test_they_are_told_entry_by_entry_on_request(evening: Evening, option: str) -> None:
    assert dice(evening(OWN_LINES, words=f"{WORDS} {option}").out)


def test_a_fight_that_opponents_decide_says_who_won(crisis: Player, evening: Evening) -> None:
    crisis.ok("init jack ada --vs drone --open --seed 7")
    crisis.ok("set ada health 0")
    crisis.ok("set jack health 1")
    crisis.ok("set jack endurance 0")
    shown = evening(6 * f"next{ENTER}")
    assert "Health 1 → 0, dead" not in shown.out and "Jack 1 → 0, dead" in shown.out
    assert "  The opponents win. To end the crisis: end" in shown.lines


@pytest.mark.parametrize("line", ["auto --until-mine", "auto until my turn"])
def test_turns_that_were_paused_are_told_in_brief_too(evening: Evening, line: str) -> None:
    shown = evening(f"next{ENTER}undo 4{ENTER}{line}{ENTER}", words=WORDS)
    gone_on = shown.out.partition("To go on: auto --until-mine")[2]
    assert "[" not in gone_on and "Misses: Drone" in gone_on
