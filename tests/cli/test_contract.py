"""What scripts may rely on: decided fights, errors with a version, suggestions for misspelled words."""

from __future__ import annotations

import os

import pytest
from conftest import Player, Program, Sheets


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


@pytest.mark.parametrize(
    ("line", "printed"),
    [
        ("odds 3d6 --ge 10 --quiet", "0.625000"),
        ("odds 1d100 --eq 7 --quiet", "0.0100000"),
        ("odds 3d6 --ge 3 --quiet", "1.00000"),
        ("odds 3d6 --ge 19 --quiet", "0.00000"),
        ("odds 8d6 --eq 8 --quiet", "0.000000595374"),
        ("odds 3d6-20 --quiet", "-9.5"),
        ("odds 5d6! --quiet", "21"),
        ("odds 20d6+499950 --quiet", "500020"),
        ("odds attack jack drone --quiet", "0.259259"),
        ("roll 3d6-20 --dice 1,1,1 --quiet", "-17"),
        ("attack jack drone --dice 6,6,6 --quiet", "hit"),
    ],
)
def test_quiet_prints_what_awk_and_bc_read(crisis: Player, sheets: Sheets, line: str, printed: str) -> None:
    assert crisis.ok(line).out == printed + "\n"


def test_quiet_play_prints_the_winner_and_the_rounds(crisis: Player, sheets: Sheets) -> None:
    side, rounds = crisis.ok("play jack --vs drone --auto --seed 1 --quiet --no-journal").out.split()
    assert side in ("players", "opponents") and int(rounds) > 0


def test_quiet_status_is_one_line_for_a_prompt(fight: Player) -> None:
    turn, name, *pools = fight.ok("status --quiet").out.split()
    assert (turn, name, pools[0].partition("=")[0]) == ("1", "Jack", "endurance")
    assert "ap=4" in pools


def test_a_stream_reports_bad_lines_and_goes_on(program: Program) -> None:
    lines = b"\xef\xbb\xbf3d6\n4dd6\n\xef\xbb\xbf2d6\n1d6 # caf\xe9\n1d6\n"
    shown = program("roll", "--seed", "1", "--quiet", input=lines, encoding=None)
    assert shown.returncode == 2 and len(shown.stdout.split()) == 3
    errors = [line for line in shown.stderr.decode().splitlines() if "line" in line]
    assert [line.partition(": ")[2].partition(":")[0] for line in errors] == ["line 2", "line 4"]
    assert all(line.startswith("error: ") for line in errors)


def test_a_stream_without_stdin_is_an_error(program: Program) -> None:
    shown = program("roll", "--json", preexec_fn=lambda: os.close(0), stdin=None)
    assert shown.returncode == 2 and '"missing_argument"' in shown.stderr
