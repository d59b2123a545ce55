"""`log --since`, `--until` and `--follow`, and `replay --at`: parts of a crisis, and the crisis as it was."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from conftest import JOURNAL_OF_NOW, Player, Shown

from crisis_cli.play import tail_log


@pytest.fixture
def fought(fight: Player) -> Player:
    """A player with a crisis of five entries."""
    for line in ("attack drone --dice 6,6,5", "note so far", "next", "attack jack --dice 1,1,1"):
        fight.ok(line)
    return fight


def test_the_log_begins_and_ends_where_it_is_asked_to(fought: Player) -> None:
    numbers = [one["number"] for one in fought.ok("log --json --since 2 --until 4").records]
    assert numbers == [2, 3, 4]
    assert fought.ok("log --since 5").lines == fought.ok("log 5").lines
    assert fought.ok("log --since 9").out == ""
    assert fought.ok("log --until 99").out == fought.ok("log").out


@pytest.mark.parametrize("story", ["recap", "markdown", "lonelog", "script", "html"])
def test_a_story_until_an_entry_is_that_of_the_crisis_then(fight: Player, story: str) -> None:
    fight.ok("attack drone --dice 6,6,5")
    then = fight.ok(f"log --{story}").out
    fight.ok("attack drone --dice 6,6,6")
    fight.ok("next")
    assert fight.ok(f"log --{story} --until 2").out == then


@pytest.mark.parametrize(
    "options",
    [
        "--script --since 2",
        "3 --since 2",
        "3 --until 4",
        "--html --follow",
        "--recap --follow",
        "--follow --until 3",
        "--since 4 --until 2",
    ],
)
def test_parts_that_do_not_go_together_are_refused(fought: Player, options: str) -> None:
    assert fought.refused(2, f"log {options}").err


def followed(
    player: Player, monkeypatch: pytest.MonkeyPatch, line: str, *actions: str | Callable[[], object]
) -> Shown:
    """The log followed while these actions happen, one at each pause; at last the crisis is ended."""
    left = iter([*actions, "end --no-save --yes"])

    def pause(seconds: float) -> None:
        action = next(left)
        if isinstance(action, str):
            shown = player(action)
            assert shown.status == 0, shown

    monkeypatch.setattr(tail_log.time, "sleep", pause)
    return player(line)


def test_the_log_goes_on_with_each_entry_until_the_end(
    fight: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = followed(fight, monkeypatch, "log --follow --json", "attack drone --dice 6,6,5", "status", "next")
    assert shown.status == 0
    assert [one["action"] for one in shown.records] == ["init", "attack", "next", "end"]
    assert shown.records == fight.ok(f"log {JOURNAL_OF_NOW} --json").records
    assert fight.ok(f"log {JOURNAL_OF_NOW} --follow --json").records == shown.records


def test_what_is_undone_meanwhile_is_said(fight: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    actions = ("attack drone --dice 6,6,5", "undo", "attack drone --dice 1,1,1")
    shown = followed(fight, monkeypatch, "log --follow --since 2 --json", *actions)
    assert [(one["action"], one["number"]) for one in shown.records] == [
        ("attack", 2),
        ("undo", 2),
        ("attack", 2),
        ("end", 3),
    ]


def test_lonelog_grows_too(fight: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = followed(
        fight, monkeypatch, "log --follow --lonelog", "attack drone --dice 6,6,5", "note it rains"
    )
    assert shown.out == fight.ok(f"log {JOURNAL_OF_NOW} --lonelog").out


def test_following_text_prints_the_log(fight: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = followed(fight, monkeypatch, "log --follow", "attack drone --dice 6,6,5", "undo", "redo")
    assert "  2 undone" in shown.lines
    assert shown.lines[0] == fight.ok(f"log {JOURNAL_OF_NOW}").lines[0]


def test_the_board_is_shown_as_it_was(fight: Player) -> None:
    seen = {}
    for _ in range(5):
        status = fight.ok("status --json").record
        del status["questions"]
        seen.setdefault(status["round"], []).append(status)
        fight.ok("attack drone" if status["actor"] == "Jack" else "attack jack")
        fight.ok("next")
    for number, turns in seen.items():
        for at, status in enumerate(turns, start=1):
            assert fight.ok(f"replay --at {number}.{at} --json").record == status
        assert fight.ok(f"replay --at {number} --json").record == turns[0]
    assert "Round 2" in fight.ok("replay --at 2").out
    fight.ok("end --no-save --yes")
    assert fight.ok(f"replay {JOURNAL_OF_NOW} --at 2.1 --json").record == seen[2][0]


@pytest.mark.parametrize(
    ("at", "status"), [("9", 3), ("1.3", 3), ("0", 3), ("x", 2), ("1.", 2), ("-1", 2), ("1.2.3", 2)]
)
def test_a_moment_that_never_was_is_refused(fought: Player, at: str, status: int) -> None:
    error = json.loads(fought.refused(status, f"replay --at={at} --json").err)["error"]
    assert error["code"] == ("no_entry" if status == 3 else "bad_value")
