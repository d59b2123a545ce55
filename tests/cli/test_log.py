"""`crisis log`, `crisis replay` and `crisis verify`."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from typing import Any

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
    assert "[6 6 6] + 3" not in shown.out, "what was undone is not shown"
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
    ("words", "status"),
    [("log 99", 3), ("log 0", 2), ("log -1", 2), ("log x", 4), ("log 1 2", 2), ("log 1 --entry 2", 2)],
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


def edited(player: Player, line: int, change: Callable[[dict[str, Any]], object]) -> list[str]:
    """What verify prints once a line of the journal was changed."""
    lines = player.journal.read_text("utf-8").splitlines()
    record = json.loads(lines[line - 1])
    change(record)
    lines[line - 1] = json.dumps(record)
    player.journal.write_text("\n".join(lines) + "\n", "utf-8")
    shown = player("verify")
    assert (shown.status, shown.err) == (1, "")
    return shown.lines


def test_verify_finds_a_modifier_and_damage_written_in(fought: Player) -> None:
    def cheat(record: dict[str, Any]) -> None:
        record["modifiers"].append(["attack", "GODMODE", 30, "ALL-6", "", "", 0])
        record["outcome"]["damage"] = 500

    lines = edited(fought, 3, cheat)
    assert "entry 2 (line 3): modifier +30 to attack: the current rules do not have it" in lines
    assert any(one.startswith("entry 2 (line 3): outcome, damage: was 500, is ") for one in lines)
    assert "entry 2 (line 3): was edited: its seal does not fit" in lines


def test_verify_finds_a_sheet_edited_in_the_header(fought: Player) -> None:
    assert edited(fought, 1, lambda head: head["fighters"][0]["sheet"]["armour"].update(dr=3)) != []
    assert "the header: was edited: its seal does not fit" in fought("verify").lines


def test_verify_compares_dice_with_the_seed_but_not_those_that_were_given(fight: Player) -> None:
    fight.ok("attack drone --dice 6,5,4")
    assert json.loads(fight.journal.read_text("utf-8").splitlines()[-1])["rolls"][0]["given"] is True
    fight.ok("attack drone")
    fight.ok("undo --fresh")
    fight.ok("attack drone")
    fight.ok("attack drone --seed 9 --force")
    assert fight.ok("verify --json").record["verified"] is True
    lines = edited(fight, len(fight.journal.read_text("utf-8").splitlines()), lambda one: one.update(seed=10))
    assert "the seed gives" in lines[0]


def test_verify_knows_whose_dice_were_typed_in(fight: Player) -> None:
    for line, answers in (
        ("attack drone --mine", ["6", "5", "4"]),
        ("next", []),
        ("attack jack --mine", []),
        ("attack jack --real-dice", ["1", "2", "6"]),
    ):
        assert fight(line, answers=answers).status == 0
    given = [
        [roll.get("given", False) for roll in json.loads(text).get("rolls", ())]
        for text in fight.journal.read_text("utf-8").splitlines()
    ]
    assert [True] in given and [False] in given, given
    assert fight.ok("verify --json").record["verified"] is True


def test_verify_checks_what_was_undone(fight: Player) -> None:
    fight.ok("attack drone --dice 6,5,4")
    number = len(fight.journal.read_text("utf-8").splitlines())
    fight.ok("undo")
    lines = edited(fight, number, lambda one: one["outcome"].update(total=99))
    assert "outcome, total: was 99, is " in lines[0]


def test_verify_finds_words_that_were_edited(fight: Player) -> None:
    fight.ok("note Jack is out of breath")
    fight.ok("set jack health 9 --why 'it was raining'")
    for old, new in (("out of breath", "winded"), ("raining", "snowing")):
        text = fight.journal.read_text("utf-8")
        fight.journal.write_text(text.replace(old, new), "utf-8")
        (difference,) = fight("verify --json").record["differences"]
        assert difference["what"] == "was edited: its seal does not fit"
        fight.journal.write_text(text, "utf-8")
    assert fight.ok("verify --json").record["verified"] is True


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


@pytest.mark.parametrize(
    ("line", "old", "new", "said"),
    [
        (0, '"endurance":60', '"endurance":99', "endurance"),
        (0, '"durability":[0,3]', '"durability":[0,30]', "durability"),
        (2, '"actor":"Jack"', '"actor":"Nobody"', "actor"),
    ],
    ids=["a pool above its bounds", "other bounds than the sheet's", "an actor who is not there"],
)
def test_verify_finds_what_a_header_and_an_actor_cannot_be(
    fight: Player, line: int, old: str, new: str, said: str
) -> None:
    from crisis_cli.engine.facts import seal
    from crisis_cli.engine.journal import FORMAT

    fight.ok("next")
    lines = fight.journal.read_text("utf-8").splitlines()
    assert old in lines[line]
    record = json.loads(lines[line].replace(old, new, 1))
    record["seal"] = seal(record, FORMAT)
    lines[line] = json.dumps(record, ensure_ascii=False, separators=(",", ":"))
    fight.journal.write_text("\n".join(lines) + "\n", "utf-8")
    shown = fight("verify")
    assert shown.status != 0 and said in shown.out + shown.err


def test_right_after_the_end_the_hint_names_undo(fight: Player) -> None:
    """The journal is archived: `log` finds none, and says how to have it back."""
    assert "crisis undo" not in fight.ok("log").err
    fight.ok("end --yes")
    assert "reopen the one that ended last: crisis undo" in fight.refused(3, "log").err
    fight.ok("undo")
    assert fight.ok("log").lines


def test_the_end_says_who_won_in_the_log_too(fight: Player) -> None:
    fight.ok("set drone health 0")
    end = fight.ok("end --no-save --json").record
    logged = fight.ok(f"log {JOURNAL_OF_NOW} --json").records[-1]
    assert logged["winner"] == end["winner"] == "players" and logged["standing"] == end["standing"]


def test_a_story_never_replaces_the_journal_or_a_device(fight: Player) -> None:
    before = fight.journal.read_bytes()
    os.symlink("crisis.jsonl", fight.here / "link.md")
    os.mkfifo(fight.here / "pipe")
    for name in ("crisis.jsonl", "link.md", "pipe"):
        shown = fight(f"log --markdown --overwrite --to {name}")
        assert (shown.status, "name another file" in shown.err) == (4, True)
    assert fight.journal.read_bytes() == before


def test_a_story_has_nothing_that_a_terminal_obeys(fight: Player) -> None:
    fight.ok("note", "a\x1b[31m\x07\u202e")
    for form in ("--markdown", "--lonelog", "--html"):
        story = fight.ok(f"log {form}").out
        assert not set(story) & {"\x1b", "\x07", "\u202e"}, form


def test_a_story_into_a_folder_that_is_missing_says_so(fight: Player) -> None:
    error = fight.refused(4, "log --markdown --to nodir/x.md").err
    assert "there is no folder nodir" in error and "make the folder" in error
    assert not (fight.here / "nodir").exists()


def test_a_line_that_is_not_json_is_named_in_plain_words(fight: Player) -> None:
    path = fight.here / "crisis.jsonl"
    lines = path.read_text("utf-8").splitlines()
    path.write_text("\n".join([lines[0], "hello", *lines[1:]]) + "\n", "utf-8")
    error = fight.refused(4, "log --json").error
    assert (
        error["code"] == "bad_journal" and "line 2 is not a journal line (it is not JSON)" in error["message"]
    )
