"""Limits hold where things are made: fighters, entries and names, and what is read of the player's own settings."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Player, Sheets

ENCOUNTER = """
name = "Swarm"
system = "3d6"
last_stand = false

[[fighter]]
sheet = "drone"
count = {there}
"""
EVENT = """
[[event]]
round = {at}
text = "More of them."
again = {again}

[[event.add]]
sheet = "drone"
count = {count}
"""


def swarm(crisis: Player, *events: str, there: str = "1") -> None:
    """Write an encounter with these events."""
    (crisis.here / "encounters").mkdir(exist_ok=True)
    text = ENCOUNTER.format(there=there) + "".join(events)
    (crisis.here / "encounters/swarm.toml").write_text(text, "utf-8")


def event(at: int = 1, count: str = "20", again: str = "false") -> str:
    return EVENT.format(at=at, count=count, again=again)


def test_an_encounter_of_too_many_is_named_by_its_check(crisis: Player, sheets: Sheets) -> None:
    """All that may come are counted, those of each event once."""
    swarm(crisis, *[event(at) for at in range(1, 5)], event(5, '"d10"'))
    assert "all right" in crisis.ok("encounter check swarm").out
    swarm(crisis, *[event(at) for at in range(1, 5)], event(5, '"d20"'), event(6))
    (fault,) = crisis("encounter check swarm --json").record["faults"]
    assert fault["key"] == "event[4].add[0]"
    assert fault["message"] == "a crisis holds 100 fighters, and there may be 122 in all"
    for words in ("play jack --encounter swarm --auto", "simulate jack --encounter swarm"):
        assert fault["message"] in crisis.refused(4, words).err


@pytest.mark.slow
def test_events_bring_no_more_than_a_crisis_holds(crisis: Player, sheets: Sheets) -> None:
    """An event that comes again and again stops bringing fighters, and the crisis goes on."""
    swarm(crisis, *[event(1, "20", "true")] * 2)
    crisis.ok("init jack --encounter swarm --open --seed 3")
    said = ""
    while crisis("status --json").record["round"] < 3:
        said += crisis.ok("next").out
    assert len(crisis("status --json").record["fighters"]) == 100
    assert "  2 more cannot come: a crisis holds 100 fighters" in said
    brought = [
        (len(one.get("joined", ())), one.get("kept_out", 0))
        for one in crisis("log --json").records
        if one["action"] == "event"
    ]
    assert brought == [(20, 0)] * 4 + [(18, 2), (0, 20)]
    assert crisis.ok("verify").status == 0
    assert crisis.refused(3, "join ada --json").error["code"] == "crowd"
    crisis.ok("undo")


@pytest.mark.parametrize("words", ["init {}", "init jack --vs {}", "play {} --auto", "simulate jack --vs {}"])
@pytest.mark.parametrize("name", ["jack", "drone:20"])
def test_thousands_of_names_are_refused_before_any_sheet_is_read(
    crisis: Player, sheets: Sheets, words: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from crisis_cli.sheets import store

    def read(*_: object) -> None:
        raise AssertionError("no sheet need be read")

    monkeypatch.setattr(store.Store, "read", read)
    shown = crisis(*words.format(" ".join([name] * 3000)).split(), "--json")
    assert shown.status == 3 and shown.error["code"] == "crowd", shown


def test_the_way_to_several_of_one_sheet_is_one_that_can_be_gone(crisis: Player, sheets: Sheets) -> None:
    assert crisis.refused(2, "init" + " jack" * 3).err.endswith("to name several of one sheet: jack:3\n")
    assert crisis.refused(2, "init" + " jack" * 30).err.endswith("to name several of one sheet: jack:20\n")
    crisis.ok("init jack:20 drone")
    assert "from 1 to 20" in crisis.refused(2, "init jack:3000").err


def test_a_journal_has_a_most_of_entries(fight: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    from crisis_cli.sheets import journal_file

    monkeypatch.setattr(journal_file, "MOST_ENTRIES", 2)
    fight.ok("note one")
    error = fight.refused(3, "note two --json").error
    assert error["code"] == "out_of_bounds" and error["hint"] == "end the crisis: crisis end"
    fight.ok("end")


def test_the_time_at_which_a_crisis_was_opened_fits_into_a_name(fight: Player) -> None:
    text = fight.journal.read_text("utf-8")
    opened = json.loads(text.splitlines()[0])["opened"]
    for wrong in ("9" * 5000, "ë" * 30):
        fight.journal.write_text(text.replace(f'"{opened}"', json.dumps(wrong, ensure_ascii=False)), "utf-8")
        for words in ("status", "end", "verify"):
            assert "crisis.jsonl" in fight.refused(4, words).err


# config.toml


def folder(path: Path) -> None:
    path.mkdir()


def endless(path: Path) -> None:
    path.symlink_to("/dev/zero")


SETTINGS: dict[str, tuple[Callable[[Path], object], str]] = {
    "brackets": (lambda path: path.write_text("a = " + "[" * 3000, "utf-8"), "too deeply nested"),
    "a long key": (lambda path: path.write_text("a." * 3000 + "a = 1", "utf-8"), "parts"),
    "a pipe": (os.mkfifo, "is a named pipe, not a file"),
    "without an end": (endless, "is a device, not a file"),
    "a folder": (folder, "is a folder, not a file"),
    "huge": (lambda path: path.write_bytes(b"#" * 2_000_000), "1,000,000 at most"),
    "Latin 1": (lambda path: path.write_bytes(b"# Zo\xeb"), "this is not UTF-8"),
    "aliases are a list": (lambda path: path.write_text("aliases = [1]", "utf-8"), "aliases is no table"),
}


@pytest.mark.skipif(os.name == "nt", reason="pipes and devices")
@pytest.mark.parametrize(("make", "said"), SETTINGS.values(), ids=SETTINGS)
def test_settings_are_read_like_any_other_file(
    crisis: Player, tmp_path: Path, make: Callable[[Path], object], said: str
) -> None:
    crisis.env["CRISIS_CONFIG"] = str(tmp_path / "config")
    (tmp_path / "config").mkdir()
    make(tmp_path / "config/config.toml")
    begun = time.process_time()
    shown = crisis("snipe drone")
    assert shown.status == 4 and said in shown.err and "config.toml" in shown.err
    assert time.process_time() - begun < 5
    assert crisis("roll d6").status == 0, "it is read only for words that are no verbs"


@pytest.mark.skipif(os.name == "nt", reason="pipes and devices")
@pytest.mark.parametrize(("make", "said"), [*SETTINGS.values()][:-1], ids=[*SETTINGS][:-1])
def test_settings_of_a_folder_are_read_so_too(
    crisis: Player, make: Callable[[Path], object], said: str
) -> None:
    make(crisis.here / ".crisis.toml")
    said = "is a link out of this folder" if make is endless else said
    begun = time.process_time()
    shown = crisis("roll d6 --quiet")
    assert shown.status == 0 and said in shown.err and ".crisis.toml" in shown.err
    assert len(shown.err.splitlines()) == 1 and time.process_time() - begun < 5


def test_settings_may_begin_with_a_byte_order_mark(fight: Player, tmp_path: Path) -> None:
    fight.env["CRISIS_CONFIG"] = str(tmp_path / "config")
    (tmp_path / "config").mkdir()
    (tmp_path / "config/config.toml").write_text('\ufeff[aliases]\nwait = "next"\n', "utf-8")
    fight.ok("wait")
