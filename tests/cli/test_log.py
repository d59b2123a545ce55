"""`crisis log`, `crisis replay` and `crisis verify`."""

from __future__ import annotations

import json

import pytest
from conftest import JOURNAL_OF_NOW, Player


@pytest.fixture
def fought(fight: Player) -> Player:
    """A crisis with seven entries in force, one of them forced, and an undone one."""
    fight.ok("attack drone --dice 6,4,3 --mod 1 --why 'from above'")
    fight.ok("next")
    fight.ok("attack jack --dice 1,1,1")
    fight.ok("attack jack --dice 6,6,6")
    fight.ok("undo")
    fight.ok("set jack condition:prone on")
    fight.ok("next")
    fight.ok("attack drone --dice 1,1,1 --force")
    return fight


def test_the_log_numbers_what_is_in_force(fought: Player) -> None:
    shown = fought.ok("log")
    numbers = [line[:3].strip() for line in shown.lines if line[:3].strip()]
    assert numbers == [str(number) for number in range(1, 8)]
    assert "[6 6 6] + 3" not in shown.out, "what was undone is not told"
    assert "forced" in shown.out


def test_one_entry_alone_explained(fought: Player) -> None:
    shown = fought.ok("log 2 --explain")
    for words in ("from above", "ALL-6", "3D6-18", "3D6-19", "3D6-24"):
        assert words in shown.out


def test_json_is_one_object_an_entry(fought: Player) -> None:
    records = fought.ok("log --json").records
    assert [record["number"] for record in records] == list(range(1, 8))
    assert [record["action"] for record in records] == [
        "init",
        "attack",
        "next",
        "attack",
        "set",
        "next",
        "attack",
    ]
    assert records[1]["why"] == "from above"


@pytest.mark.parametrize(
    ("words", "status"), [("log 99", 3), ("log 0", 2), ("log -1", 2), ("log x", 2), ("log 1 2", 2)]
)
def test_entries_that_are_none(fought: Player, words: str, status: int) -> None:
    fought.refused(status, words)


def test_replay_shows_it_all_again(fought: Player) -> None:
    shown = fought.ok("replay")
    assert "Turn order" in shown.out and "[6 4 3] + 4 = 17" in shown.out
    assert fought.ok("replay --json").out == fought.ok("log --json").out


def test_replay_and_verify_take_a_journal_put_away(fought: Player) -> None:
    shown = fought.ok("replay").out
    fought.ok("end")
    assert fought.ok(f"replay {JOURNAL_OF_NOW}").out.startswith(shown)
    assert fought.ok(f"verify {JOURNAL_OF_NOW} --json").record["verified"] is True


def test_verify_agrees_with_today(fought: Player) -> None:
    assert fought.ok("verify").status == 0
    record = fought.ok("verify --json").record
    assert (record["verified"], record["entries"], record["differences"]) == (True, 7, [])


@pytest.mark.parametrize(
    ("key", "value"), [("rolls", [[6, 1], [6, 1], [6, 1]]), ("outcome", "hit"), ("events", "45")]
)
def test_verify_tells_where_a_record_and_the_rules_part(fought: Player, key: str, value: object) -> None:
    lines = fought.journal.read_text("utf-8").splitlines()
    entry = json.loads(lines[2])
    if key == "rolls":
        entry["rolls"][0]["faces"] = value
    elif key == "outcome":
        entry["outcome"]["total"] += 1
    else:
        entry["events"] = [event for event in entry["events"] if event[1] != "durability"]
    lines[2] = json.dumps(entry)
    fought.journal.write_text("\n".join(lines) + "\n", "utf-8")
    shown = fought("verify")
    assert (shown.status, shown.err) == (1, "")
    assert shown.lines[0].startswith("entry 2")
    record = fought("verify --json").record
    assert record["verified"] is False and record["differences"][0]["number"] == 2


def test_reading_writes_nothing(fought: Player) -> None:
    before = fought.files()
    for words in ("log", "log --explain", "replay", "verify", "status"):
        fought.ok(words)
    assert fought.files() == before


@pytest.mark.parametrize(
    ("words", "status"),
    [
        ("log", 3),
        ("replay", 3),
        ("verify", 3),
        ("replay none.jsonl", 4),
        ("verify none.jsonl", 4),
        ("verify .", 4),
    ],
)
def test_without_a_journal(crisis: Player, words: str, status: int) -> None:
    crisis.refused(status, words)
    assert crisis.refused(status, words + " --json").error["message"]
