"""Files of lines, run as typed at the prompt."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import pytest
from conftest import Player, Program, Sheets

FIGHT = """\ufeff# Jack meets a drone.
init jack --vs drone --open --seed 18

crisis attack drone
attack drone \\
  --explain
next
attack jack
end --no-save --yes
"""


@pytest.fixture
def script(crisis: Player, sheets: Sheets) -> Path:
    path = crisis.here / "fight.txt"
    path.write_text(FIGHT, encoding="utf-8")
    return path


def test_the_lines_of_a_file_do_what_the_commands_do(crisis: Player, script: Path) -> None:
    shown = crisis("run fight.txt --quiet")
    assert shown.status == 0 and ">" not in shown.err and "error" not in shown.err
    script.unlink()
    again = [
        crisis.ok(line).out
        for line in FIGHT.replace("\\\n", "").replace("crisis ", "").lstrip("\ufeff").splitlines()[1:]
        if line
    ]
    # The second fight is another crisis with the same seed; only the names of archived journals differ.
    told, told_again = (re.sub(r"Z(-2)?\.jsonl", "", text) for text in (shown.out, "".join(again)))
    assert told == told_again


def test_every_line_is_repeated_on_stderr(crisis: Player, script: Path) -> None:
    shown = crisis("run fight.txt")
    assert shown.err.splitlines()[:3] == [
        "> init jack --vs drone --open --seed 18",
        "> crisis attack drone",
        "> attack drone   --explain",
    ]


def test_json_is_one_object_a_line(crisis: Player, script: Path) -> None:
    records = crisis.ok("run fight.txt --json --quiet").records
    assert [record["action"] for record in records[:4]] == ["init", "attack", "attack", "next"]


def test_it_stops_at_the_first_error_and_says_where(crisis: Player, script: Path) -> None:
    script.write_text("init jack --vs drone --open --seed 18\natack drone\nattack drone\n", encoding="utf-8")
    shown = crisis("run fight.txt --quiet")
    assert shown.status == 2
    assert (
        "error: fight.txt, line 2: 'atack' is neither an action nor a verb (did you mean attack?)"
        in shown.err
    )
    assert len(crisis.ok("log --json").records) == 1


def test_it_may_go_on_after_errors(crisis: Player, script: Path) -> None:
    lines = "init jack --vs drone --open --seed 18\nattack bob\nattack drone --aim 3\nattack drone\n"
    script.write_text(lines, encoding="utf-8")
    shown = crisis("run fight.txt --quiet --on-error resume")
    assert shown.status == crisis("attack bob").status
    assert "fight.txt, line 2: " in shown.err and "fight.txt, line 3: " in shown.err
    assert "2 of 4 lines failed" in shown.err
    assert [one["action"] for one in crisis.ok("log --json").records] == ["init", "attack"]


def test_an_error_is_an_object_with_its_line_under_json(crisis: Player, script: Path) -> None:
    script.write_text("roll 3d6\nroll 3x6\n", encoding="utf-8")
    shown = crisis("run fight.txt --quiet --json")
    error = json.loads(shown.err.splitlines()[-1])["error"]
    assert error["line"] == 2 and shown.status == 2


def test_json_leaves_nothing_but_objects(crisis: Player, script: Path) -> None:
    lines = "init jack --vs drone --open --seed 18\nattack bob\nattack drone\n"
    script.write_text(lines, encoding="utf-8")
    shown = crisis("run fight.txt --json --on-error resume")
    assert [record["action"] for record in shown.records] == ["init", "attack"]
    error, warning = map(json.loads, shown.err.splitlines())
    assert error["error"]["line"] == 2
    assert warning["warning"] == {"code": "lines_failed", "message": "1 of 3 lines failed"}


def test_check_reports_objects(crisis: Player, script: Path) -> None:
    script.write_text("init jack --vs drone --open\natack drone\nnext\n", encoding="utf-8")
    shown = crisis("run fight.txt --check --json")
    assert (shown.status, shown.record) == (2, {"v": 1, "action": "run", "lines": 3, "wrong": 1})
    error = json.loads(shown.err)["error"]
    assert (error["code"], error["line"]) == ("unknown_command", 2)


def test_a_script_without_lines_prints_an_object(crisis: Player, script: Path) -> None:
    script.write_text("# nothing\n", encoding="utf-8")
    assert crisis.ok("run fight.txt --json").record == {"v": 1, "action": "run", "lines": 0}


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("atack drone", "did you mean attack?"),
        ("attack drone --sed 4", "--sed"),
        ("attack 'drone", "quot"),
        ("odds --top x", "top"),
        ("play", "there is no terminal to play at"),
        ("play jack --vs drone", "crisis play … --auto"),
        ("attack drone --real-dice", "--real-dice needs an answer"),
        ("attack drone --react ask", "--react ask needs an answer"),
    ],
)
def test_check_says_what_is_wrong_and_runs_nothing(
    crisis: Player, script: Path, line: str, says: str
) -> None:
    script.write_text(f"init jack --vs drone --open\n{line}\nnext\n", encoding="utf-8")
    shown = crisis("run fight.txt --check")
    assert shown.status == 2 and "fight.txt, line 2: " in shown.err and says in shown.err
    assert "3 lines, 1 wrong" in shown.out
    assert not crisis.journal.exists()


def test_check_passes_a_sound_script(crisis: Player, script: Path) -> None:
    assert crisis.ok("run fight.txt --check").out == "6 lines, none wrong\n"
    assert not crisis.journal.exists()


def test_a_seed_holds_for_every_line_without_one(crisis: Player, script: Path) -> None:
    script.write_text("roll 3d6\nroll 3d6 --seed 9\n", encoding="utf-8")
    first, second = crisis.ok("run fight.txt --seed 4 --quiet").lines
    assert [first] == crisis.ok("roll 3d6 --seed 4").lines
    assert [second] == crisis.ok("roll 3d6 --seed 9").lines


@pytest.mark.parametrize(("path", "says"), [("none.txt", "there is no script"), (".", "a folder")])
def test_a_file_that_cannot_be_read_is_an_error(crisis: Player, sheets: Sheets, path: str, says: str) -> None:
    shown = crisis(f"run {path}")
    assert shown.status == 4 and says in shown.err


def test_bytes_that_are_no_text_are_an_error(crisis: Player, script: Path) -> None:
    script.write_bytes(b"roll 3d6 # \xe9\n")
    assert "UTF-8" in crisis("run fight.txt").err


def test_an_action_called_run_is_meant_where_the_rules_have_one(crisis: Player, script: Path) -> None:
    lines = "init ines --vs looter --open --seed 3 --place ines=0,0 looter=20,0\nauto --until-mine\nrun --to 3,0\n"
    script.write_text(lines + "end --no-save --yes\n", encoding="utf-8")
    shown = crisis("run fight.txt --quiet --json")
    assert shown.status == 0, shown.err
    assert ("run", "Ines") in [(one["action"], one["actor"]) for one in shown.records if "actor" in one]


def test_a_script_cannot_run_another_one(fight: Player) -> None:
    (fight.here / "again").write_text("run again\n", encoding="utf-8")
    shown = fight("run again")
    assert shown.status == 2 and "a script cannot run another one" in shown.err


def test_check_passes_lines_that_ask_nothing(crisis: Player, script: Path) -> None:
    """`undo --mine` is about one's own action, a note may hold any word."""
    script.write_text("play jack --vs drone --auto\nundo --mine\nnote ask him --react\n", encoding="utf-8")
    assert crisis.ok("run fight.txt --check").out == "3 lines, none wrong\n"


def test_a_script_may_come_through_a_pipe(program: Program, tmp_path: Path) -> None:
    """As the shell makes one of <(…), or of stdin by its path."""
    os.mkfifo(tmp_path / "pipe")
    with subprocess.Popen(["sh", "-c", "echo 'roll d6 --dice 5 --quiet' > pipe"], cwd=tmp_path):
        shown = program("run", "pipe", "--quiet")
    assert (shown.returncode, shown.stdout) == (0, "5\n"), shown.stderr
    shown = program("run", "/dev/stdin", "--quiet", input="roll d6 --dice 4 --quiet\n")
    assert (shown.returncode, shown.stdout) == (0, "4\n"), shown.stderr


def test_a_script_without_end_is_refused(program: Program) -> None:
    shown = program("run", "/dev/zero", "--json")
    assert shown.returncode == 4 and json.loads(shown.stderr)["error"]["code"] == "wrong_script"


@pytest.mark.parametrize(
    ("lines", "status", "code"),
    [("roll d6 # \udcff\n", 2, "encoding"), ("roll d6 #" + "x" * 6_000_000 + "\n", 4, "wrong_script")],
)
def test_stdin_is_text_that_ends(program: Program, lines: str, status: int, code: str) -> None:
    shown = program("run", "-", "--json", input=2 * lines, errors="surrogateescape")
    assert (shown.returncode, json.loads(shown.stderr)["error"]["code"]) == (status, code)
    assert shown.stdout == ""


def test_an_empty_name_is_no_script(crisis: Player, sheets: Sheets) -> None:
    assert crisis.refused(2, "run", "", "--json").error["code"] == "missing_argument"


def test_a_script_of_one_line_has_one_line(crisis: Player, script: Path) -> None:
    script.write_text("atack drone\n", encoding="utf-8")
    assert crisis("run fight.txt --quiet --on-error resume").err.splitlines()[-1] == "the line failed"
    assert crisis("run fight.txt --check").lines == ["1 line, 1 wrong"]
