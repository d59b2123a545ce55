"""What scripts may rely on: decided fights, errors with a version, suggestions for misspelled words."""

from __future__ import annotations

import pytest
from conftest import Player, Sheets


def test_status_says_whether_a_crisis_is_decided_and_who_won(fight: Player) -> None:
    before = fight.ok("status --json").record
    assert (before["decided"], before["winner"]) == (False, None)
    assert before["standing"] == {"players": ["Jack"], "opponents": ["Drone"]}

    fight.ok("set drone health 0")

    after = fight.ok("status --json").record
    assert (after["decided"], after["winner"]) == (True, "players")
    assert after["standing"] == {"players": ["Jack"], "opponents": []}


def test_auto_on_a_decided_crisis_says_so(fight: Player) -> None:
    fight.ok("set drone health 0")
    shown = fight("auto --json")
    assert (shown.status, shown.error["code"]) == (3, "decided")
    assert "the crisis is decided" in fight.refused(3, "auto").err


def test_auto_in_the_players_turn_prints_the_status(fight: Player) -> None:
    assert fight.ok("auto --until-mine --json").record["actor"] == "Jack"


def test_the_end_of_a_crisis_says_who_won(fight: Player) -> None:
    fight.ok("set drone health 0")
    record = fight.ok("end --json --no-save").record
    assert (record["decided"], record["winner"]) == (True, "players")


def test_errors_carry_the_version_of_the_format(crisis: Player) -> None:
    assert '{"v": 1, "error": {' in crisis("roll 3x6 --json").err


@pytest.mark.parametrize(
    ("line", "near"),
    [
        ("character lst", "did you mean list?"),
        ("odds atack jack drone", "did you mean attack?"),
        ("atack jack drone", "did you mean attack?"),
        ("note --jsn hi", "did you mean --json?"),
    ],
)
def test_a_misspelled_word_gets_a_suggestion(crisis: Player, sheets: Sheets, line: str, near: str) -> None:
    shown = crisis(line)
    assert shown.status == 2 and near in shown.err


def test_a_note_may_begin_with_dashes(fight: Player) -> None:
    fight.ok("note -- --jsn is no option")
    assert fight.ok("log --json").records[-1]["text"] == "--jsn is no option"


def test_the_version_has_a_short_option(crisis: Player) -> None:
    assert crisis.ok("-V").out == crisis.ok("--version").out
