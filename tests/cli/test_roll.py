"""`crisis roll` and `crisis odds EXPR`, as they are met in a shell."""

import io
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import Player, Program

from crisis_cli.cli import run
from crisis_cli.commands.roll import BATCH
from crisis_cli.environment import real_environment


def test_a_seed_gives_the_same_rolls_anywhere(crisis: Player) -> None:
    first = crisis.ok("roll 3d6+2 4d6kh3 --seed 7").out
    assert crisis.ok("roll 3d6+2 4d6kh3 --seed 7").out == first
    assert crisis.ok("roll 3d6+2 4d6kh3 --seed 8").out != first


def test_given_dice_come_out_as_given(crisis: Player) -> None:
    record = crisis.ok("roll 4d6kh3+1 --dice 6,5,1,4 --json").record
    assert (record["canonical"], record["total"], record["seed"]) == ("4d6kh3+1", 16, None)
    assert record["rolls"][0]["faces"] == [6, 5, 1, 4]
    assert record["rolls"][0]["kept"] == [True, True, False, True]


def test_counted_dice_tell_successes_and_failures(crisis: Player) -> None:
    record = crisis.ok("roll 5d10>=8f=1 --dice 8,10,1,2,9 --json").record
    assert (record["total"], record["successes"], record["failures"]) == (2, 3, 1)


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        ("roll 3d6 --dice 6,5", 2, "too few"),
        ("roll 3d6 --dice 6,5,4,3", 2, "left over"),
        ("roll 3d6 --dice 7,1,1", 2, "not on a d6"),
        ("roll 3d6 + 2", 2, "quote it"),
        ("roll 4d6d1", 2, "dl1"),
        ("roll 1d1!", 2, ""),
        ("roll 99999d6", 2, "10,000"),
        ("roll @might", 2, "--as"),
        ("roll 3d6 --histogram", 2, "-n"),
        ("odds 3d6 2d6", 2, "crisis odds 3d6 --compare 2d6"),
        ("odds 3d6 + 2", 2, "quote it"),
        ("odds 3d6 --ge 3 --le 4", 2, "at a time"),
        ("odds 3d6 --compare 2d6 --quiet", 2, "--compare and --quiet cannot go together"),
        ("odds 3d6 --ge 9 --compare 2d6 --quiet", 2, "--compare and --quiet cannot go together"),
        ("odds 3d6 --compare 2d6 --csv", 2, "--compare and --csv cannot go together"),
        ("odds 3d6 --ge 10 --csv", 2, "--ge and --csv cannot go together"),
        ("odds 3d6 --eq 10 --csv", 2, "--eq and --csv cannot go together"),
        ("odds", 2, "EXPR"),
    ],
)
def test_what_cannot_be_rolled_says_why(crisis: Player, words: str, status: int, said: str) -> None:
    assert said in crisis.refused(status, words).err


def test_an_error_points_at_the_character(crisis: Player) -> None:
    lines = crisis.refused(2, "roll 4d6d1").err.splitlines()
    assert lines[1:3] == ["4d6d1", "   ^"]


def test_a_leading_minus_is_an_expression(crisis: Player) -> None:
    assert crisis.ok("roll -1+2d6 --dice 3,4 --json").record["total"] == 6


def test_values_of_a_sheet(crisis: Player) -> None:
    assert crisis.ok("roll 3d6+@might --as jack --dice 1,1,1 --json").record["total"] == 4


def test_every_die_is_explained(crisis: Player) -> None:
    shown = crisis.ok("roll 3d6!kh2 --dice 6,2,3,5 --explain").out
    assert "explodes" in shown and "dropped" in shown and "set off" in shown


def test_a_histogram_counts_every_roll(crisis: Player) -> None:
    record = crisis.ok("roll 2d6 -n 5000 --histogram --seed 1 --json").record
    assert sum(bar["count"] for bar in record["histogram"]) == record["n"] == 5000


def test_odds_tell_mean_chances_and_exact_fractions(crisis: Player) -> None:
    record = crisis.ok("odds 3d6 --ge 11 --json").record
    assert record["success"] == {"p": 0.5, "exact": "1/2"}
    assert record["mean"] == 10.5 and len(record["distribution"]) == 16
    assert record["distribution"][0]["exact"] == "1/216"


@pytest.mark.parametrize(
    ("expression", "mean"),
    [
        ("4d6kh3", 12.2446),
        ("5d6!", 21),
        ("2d20kl1", 7.175),
        ("10d10>=8f=1", 2),
        ("(1d4)d6", 8.75),
        ("4d6min2", 14.6667),
        ("12dC", 10),
    ],
)
def test_means_are_those_known(crisis: Player, expression: str, mean: float) -> None:
    assert crisis.ok("odds", expression, "--json").record["mean"] == pytest.approx(mean, abs=5e-5)


def test_a_truncated_distribution_has_no_fractions(crisis: Player) -> None:
    record = crisis.ok("odds 2d6! --json").record
    assert record["truncated"] is True and all("exact" not in bar for bar in record["distribution"])


def test_two_rolls_are_compared(crisis: Player) -> None:
    compared = crisis.ok("odds 1d6 --compare 1d6 --json").record["compare"]
    assert [compared[how]["exact"] for how in ("better", "equal", "worse")] == ["5/12", "1/6", "5/12"]


def test_csv_is_a_table(crisis: Player) -> None:
    assert crisis.ok("odds 1d2 --csv").lines == ["value,p,exact", "1,0.5,1/2", "2,0.5,1/2"]


@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_bars_fit_the_width(program: Program, width: int) -> None:
    for expression in ("3d6", "100d6", "4d6-20"):
        shown = program("odds", expression, env={"COLUMNS": str(width)}).stdout
        assert shown and max(map(len, shown.splitlines()[2:])) <= width


STREAM = "3d6\n4d6kh3\n{1d8!,1d6!}kh1\n10d10>=8f=1\n"


def test_a_stream_is_a_line_each_and_twice_the_same(program: Program) -> None:
    first = program("roll", "--seed", "1", "--json", input=STREAM)
    assert first.returncode == 0 and len(first.stdout.splitlines()) == 4
    assert [json.loads(line)["expression"] for line in first.stdout.splitlines()] == STREAM.split()
    assert program("roll", "--seed", "1", "--json", input=STREAM).stdout == first.stdout


def test_a_broken_line_is_reported_and_the_rest_go_on(program: Program) -> None:
    done = program("roll", "--seed", "1", input="3d6\n3q6\n2d6\n")
    assert done.returncode == 2 and len(done.stdout.splitlines()) == 2
    assert "line 2" in done.stderr and "^" in done.stderr


def printed(tmp_path: Path, text: str, lines: int, words: str = "", terminal: bool = False) -> list[int]:
    """How many results were printed each time a further line of a stream was read, and in the end."""
    out, counts = io.StringIO(), []

    def source() -> Iterator[str]:
        for _ in range(lines):
            counts.append(out.getvalue().count("\n"))
            yield f"{text}\n"

    environment = real_environment()._replace(
        cwd=tmp_path, env={}, out=out, is_terminal=terminal, stdin=source()
    )
    assert run(["roll", "--seed", "1", *words.split()], environment) == 0
    return [*counts, out.getvalue().count("\n")]


def test_a_stream_is_never_held_at_once(tmp_path: Path) -> None:
    """Results are printed in batches: memory stays the same however long it goes on."""
    counts = printed(tmp_path, "3d6", 2_000)
    assert counts[-1] == 2_000
    assert all(read - count <= BATCH for read, count in enumerate(counts))


@pytest.mark.parametrize(("words", "terminal"), [("--line-buffered", False), ("", True)])
def test_results_are_printed_one_by_one_where_somebody_waits(
    tmp_path: Path, words: str, terminal: bool
) -> None:
    assert printed(tmp_path, "3d6", 20, words, terminal) == list(range(21))


def test_results_and_errors_stand_in_the_order_of_the_lines(tmp_path: Path) -> None:
    out = io.StringIO()
    lines = iter(["3d6\n", "2q6\n", "d4\n", "1d6+\n"])
    environment = real_environment()._replace(
        cwd=tmp_path, env={}, out=out, err=out, is_terminal=False, stdin=lines
    )
    assert run(["roll", "--seed", "1"], environment) == 2
    printed = [line for line in out.getvalue().splitlines() if ":" in line]
    assert [line.partition(":")[0] for line in printed] == ["3d6", "error", "1d4", "error"]


def test_long_results_do_not_wait_for_others(tmp_path: Path) -> None:
    assert printed(tmp_path, "500d6", 5, "--json") == list(range(6))


def test_what_was_rolled_is_printed_where_faces_are_left_over(program: Program) -> None:
    done = program("roll", "--dice", "1,2,3", input="2d6\n")
    assert done.returncode == 2 and done.stdout == "2d6: [1 2] = 3\n"
    assert "left over" in done.stderr


def test_a_wrong_face_is_taken_back(crisis: Player) -> None:
    shown = crisis("roll 3d6! 1d8 --real-dice --json", answers=["6", "5", "b", "4", "3", "2", "7", "b", "8"])
    assert shown.status == 0, shown.err
    assert [record["rolls"][0]["faces"] for record in shown.records] == [[6, 4, 3, 2], [7]]


def test_the_last_face_of_an_action_is_taken_back_too(fight: Player) -> None:
    shown = fight("attack drone --real-dice --json", answers=["b", "6 4", "b", "5", "4"])
    assert shown.record["rolls"][0]["faces"] == [6, 5, 4]
