"""`crisis end`: sheets written, journal put away, nothing lost."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from conftest import JACK, JOURNAL_OF_NOW, Player, Sheets


def test_what_lasts_is_written_and_comments_stay(fight: Player, sheets: Sheets) -> None:
    before = sheets.text("jack")
    for words in (
        "set jack health 9",
        "set jack uses:bandage 1",
        "act drop-prone",
        "set jack cover:drone light",
    ):
        fight.ok(words)
    shown = fight.ok("end")
    assert "Jack" in shown.out
    assert sheets.text("jack").startswith(before.rstrip("\n"))
    assert sheets.state("jack") == {"health": 9, "uses": {"bandage": 1}, "conditions": ["prone"]}
    assert sheets.state("drone") == {}, "who is whole keeps a sheet without [state]"


def test_the_journal_is_renamed_by_when_it_was_opened(fight: Player) -> None:
    fight.now = "2026-12-24T00:00:00Z"
    fight.ok("end")
    assert {name for name in fight.files() if name.endswith(".jsonl")} == {JOURNAL_OF_NOW}


def test_a_second_crisis_of_the_same_second_overwrites_nothing(fight: Player) -> None:
    fight.ok("end")
    first = (fight.here / JOURNAL_OF_NOW).read_bytes()
    fight.ok("init jack --vs drone --open")
    fight.ok("end")
    assert (fight.here / JOURNAL_OF_NOW).read_bytes() == first
    assert len([name for name in fight.files() if name.endswith(".jsonl")]) == 2


def test_a_journal_of_another_name_keeps_its_stem(crisis: Player, sheets: Sheets) -> None:
    crisis.ok("--file deep/raid.jsonl init jack --vs drone --open")
    crisis.ok("--file deep/raid.jsonl end")
    assert "deep/" + JOURNAL_OF_NOW.replace("crisis", "raid") in crisis.files()


def test_no_save_leaves_the_sheets(fight: Player, sheets: Sheets) -> None:
    fight.ok("set jack health 9")
    before = sheets.text("jack")
    fight.ok("end --no_save")
    assert sheets.text("jack") == before
    assert not fight.journal.exists()


def test_the_dead_are_written_as_dead(fight: Player, sheets: Sheets) -> None:
    fight.ok("set jack health 0")
    fight.ok("end")
    assert sheets.state("jack") == {"health": 0, "conditions": ["dead"]}
    fight.refused(3, "attack jack drone --dice 9")
    assert "dead" in fight.ok("character show jack").out


def test_what_runs_out_is_not_written(fight: Player, sheets: Sheets) -> None:
    """AP never; stunned ends with the round (3D6-17)."""
    fight.ok("attack drone --dice 1,1,1")
    fight.ok("set jack condition:stunned on")
    fight.ok("end")
    assert sheets.state("jack") == {}


def test_who_gets_well_loses_the_state(crisis: Player, sheets: Sheets) -> None:
    sheets.write("jack", JACK + "\n[state]\nendurance = 59 # nearly\n")
    crisis.ok("init jack --vs drone --open --dice 6,6,6,1,1,1")
    crisis.ok("heal jack --dice 6,6")
    crisis.ok("end")
    assert sheets.state("jack") == {"uses": {"bandage": 1}}


def test_copies_are_never_written(crisis: Player, sheets: Sheets) -> None:
    before = sheets.text("drone")
    crisis.ok("init jack --vs drone:2 --open")
    crisis.ok("set drone-1 health 3")
    crisis.ok("end")
    assert sheets.text("drone") == before


def test_shipped_sheets_are_never_written(crisis: Player) -> None:
    from crisis_cli.desk import shipped

    before = {path: path.read_bytes() for path in shipped().rglob("*.toml")}
    crisis.ok("init jack --vs drone --open")
    crisis.ok("set jack health 3")
    shown = crisis("end")
    assert shown.status == 0
    assert "crisis character copy jack" in shown.err.lower()
    assert {path: path.read_bytes() for path in shipped().rglob("*.toml")} == before


@pytest.mark.parametrize(
    ("edit", "kept"),
    [
        ("\n[state]\nhealth = 17\n", {"health": 17, "endurance": 40}),
        ('\n[state]\nconditions = ["drunk"]\n', {"health": 9, "endurance": 40, "conditions": ["drunk"]}),
    ],
)
def test_a_sheet_edited_by_hand_keeps_the_hands_value(
    fight: Player, sheets: Sheets, edit: str, kept: dict[str, Any]
) -> None:
    fight.ok("set jack health 9")
    fight.ok("set jack endurance 40")
    sheets.write("jack", JACK + edit)
    shown = fight("end")
    assert shown.status == 0
    assert "by hand" in shown.err and "jack.toml" in shown.err
    assert sheets.state("jack") == kept


def test_a_hand_that_wrote_the_same_value_needs_no_word(fight: Player, sheets: Sheets) -> None:
    fight.ok("set jack health 9")
    sheets.write("jack", JACK + "\n[state]\nhealth = 9\n")
    fight.ok("end")
    assert sheets.state("jack") == {"health": 9}


def test_other_edits_during_the_crisis_stay(fight: Player, sheets: Sheets) -> None:
    fight.ok("set jack health 9")
    sheets.write("jack", JACK.replace("damage = 6", "damage = 8  # sharper now"))
    fight.ok("end")
    assert "damage = 8  # sharper now" in sheets.text("jack")
    assert sheets.state("jack") == {"health": 9}


@pytest.mark.parametrize("broken", ["name = ", 'name = "Jack"\nsystem = "3d6"\nhealth = "lots"\n', None])
def test_a_sheet_broken_or_gone_meanwhile_is_told_and_the_others_are_saved(
    crisis: Player, sheets: Sheets, broken: str | None
) -> None:
    crisis.ok("init jack ada --vs drone --open")
    crisis.ok("set jack health 9")
    crisis.ok("set ada health 8")
    path = sheets.folder / "jack.toml"
    if broken is None:
        path.unlink()
    else:
        path.write_text(broken, "utf-8")
    shown = crisis("end")
    assert shown.status in (0, 4)
    assert "jack" in shown.err.lower()
    assert sheets.state("ada") == {"health": 8}
    assert (path.read_text("utf-8") if broken else path.exists()) == (broken or False)


def test_json_is_one_object(fight: Player) -> None:
    record = fight.ok("end --json").record
    assert record["standing"] == {"players": ["Jack"], "opponents": ["Drone"]}
    assert (record["action"], record["outcome"]) == ("end", "done")


class TestUnfinished:
    """A run that finds an ended journal still in place finishes first."""

    def ended_but_in_place(self, fight: Player, sheets: Sheets, words: str = "end") -> None:
        """A crisis that ended, but crashed before the sheets were written and the journal renamed."""
        fight.ok("set jack health 9")
        fight.ok(words)
        (fight.here / JOURNAL_OF_NOW).rename(fight.journal)
        sheets.write("jack", JACK)

    @pytest.mark.parametrize(
        "words", ["status", "next", "attack jack drone", "undo", "log", "init jack --open", ""]
    )
    def test_any_command_finishes_it(self, fight: Player, sheets: Sheets, words: str) -> None:
        self.ended_but_in_place(fight, sheets)
        fight(words)
        assert sheets.state("jack") == {"health": 9}
        assert JOURNAL_OF_NOW in fight.files()

    def test_where_it_was_not_to_be_saved_it_is_not(self, fight: Player, sheets: Sheets) -> None:
        self.ended_but_in_place(fight, sheets, "end --no-save")
        fight("status")
        assert sheets.state("jack") == {}
        assert not fight.journal.exists()

    def test_finishing_twice_changes_nothing_more(self, fight: Player, sheets: Sheets) -> None:
        self.ended_but_in_place(fight, sheets)
        fight("status")
        once = sheets.text("jack")
        (fight.here / JOURNAL_OF_NOW).rename(fight.journal)
        shown = fight("status")
        assert sheets.text("jack") == once
        assert "by hand" not in shown.err

    def test_a_crash_between_sheets_and_rename_is_mended(
        self, fight: Player, sheets: Sheets, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        import os

        from crisis_cli.sheets import ledger

        fight.ok("set jack health 9")

        class Crash(BaseException):
            pass

        class Broken:
            def __getattr__(self, name: str) -> Any:
                return getattr(os, name)

            def replace(self, source: Path, target: Path) -> None:
                raise Crash

        with monkeypatch.context() as patched:
            patched.setattr(ledger, "os", Broken())
            with pytest.raises(Crash):
                fight("end")
        assert fight.journal.exists()
        fight("status")
        assert not fight.journal.exists() and sheets.state("jack") == {"health": 9}


def test_without_a_crisis(crisis: Player) -> None:
    crisis.refused(3, "end")
