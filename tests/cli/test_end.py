"""`crisis end`: sheets written, journal put away, nothing lost."""

from __future__ import annotations

import errno
import json
import os
import re
from pathlib import Path
from typing import Any

import pytest
from conftest import ADA, JACK, JOURNAL_OF_NOW, Player, Sheets

from crisis_cli.context import context_of
from crisis_cli.engine.scene import Intent
from crisis_cli.errors import FileError, Refused
from crisis_cli.play import perform
from crisis_cli.play.dice import Dice


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
    (crisis.here / "deep").mkdir()
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
    from crisis_cli.sheets.store import shipped

    before = {path: path.read_bytes() for path in Path(shipped()).rglob("*.toml")}
    crisis.ok("init jack --vs drone --open")
    crisis.ok("set jack health 3")
    shown = crisis("end")
    assert shown.status == 0
    assert "crisis character copy jack" in shown.err.lower()
    assert {path: path.read_bytes() for path in Path(shipped()).rglob("*.toml")} == before


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
def test_a_sheet_broken_or_gone_meanwhile_is_reported_and_the_others_are_saved(
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
        *lines, finished = (fight.here / JOURNAL_OF_NOW).read_text("utf-8").splitlines(keepends=True)
        assert "finished" in json.loads(finished)
        (fight.here / JOURNAL_OF_NOW).unlink()
        fight.journal.write_text("".join(lines), "utf-8")
        sheets.write("jack", JACK)

    @pytest.mark.parametrize(
        "words", ["status", "next", "attack jack drone", "log", "redo", "init jack --open", ""]
    )
    def test_any_command_finishes_it_and_says_so(self, fight: Player, sheets: Sheets, words: str) -> None:
        self.ended_but_in_place(fight, sheets)
        shown = fight(words)
        assert sheets.state("jack") == {"health": 9}
        assert JOURNAL_OF_NOW in fight.files()
        assert "interrupted" in shown.err and "Jack" in shown.err and JOURNAL_OF_NOW in shown.err

    def test_undo_finishes_it_and_opens_the_crisis_again(self, fight: Player, sheets: Sheets) -> None:
        self.ended_but_in_place(fight, sheets)
        assert "interrupted" in fight("undo").err
        assert sheets.text("jack") == JACK
        assert fight.fighter("Jack")["pools"]["health"] == 9

    def test_a_sheet_that_does_not_stand_as_the_fight_left_it_is_left(
        self, fight: Player, sheets: Sheets
    ) -> None:
        self.ended_but_in_place(fight, sheets)
        sheets.write("jack", JACK + "\n[state]\nhealth = 17\n")
        shown = fight("status")
        assert sheets.state("jack") == {"health": 17}
        assert "characters/jack.toml was changed in the meantime" in shown.err
        assert JOURNAL_OF_NOW in fight.files()

    def test_what_it_writes_is_only_state(self, fight: Player, sheets: Sheets) -> None:
        """A journal from somewhere else may not change what a sheet says beside what fights change."""
        self.ended_but_in_place(fight, sheets)
        text = fight.journal.read_text("utf-8")
        lines = text.splitlines(keepends=True)
        record = json.loads(lines[-2])
        record["sheets"]["Jack"]["now"] = JACK.replace("damage = 6", "damage = 600")
        fight.journal.write_text("".join([*lines[:-2], json.dumps(record) + "\n", lines[-1]]), "utf-8")
        fight("status")
        assert sheets.text("jack") == JACK

    def test_where_it_cannot_be_finished_reading_shows_it(
        self, fight: Player, sheets: Sheets, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A full disk does not keep anyone from looking; nothing else is done before the end is finished."""
        self.ended_but_in_place(fight, sheets)

        def no_space(*_: Any) -> None:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        with monkeypatch.context() as patched:
            patched.setattr(os, "fsync", no_space)
            for words in ("status", "log", "map", "explain", "replay", "verify"):
                shown = fight(words)
                assert shown.status == 0 and shown.out, words
            assert "still to be finished" in fight("status").err
            fight.refused(4, "next")
            fight.refused(4, "init jack --vs drone --open")
        assert sheets.text("jack") == JACK
        fight("status")
        assert sheets.state("jack") == {"health": 9}

    def test_one_of_an_older_version_is_put_away_and_its_sheets_are_left(
        self, fight: Player, sheets: Sheets
    ) -> None:
        """It does not say how the sheets stood, so that nobody knows what has become of them since."""
        self.ended_but_in_place(fight, sheets)
        lines = fight.journal.read_text("utf-8").splitlines(keepends=True)
        fight.journal.write_text("".join([*lines[:-2], lines[-1]]), "utf-8")
        assert "older version" in fight("status").err
        assert sheets.text("jack") == JACK and JOURNAL_OF_NOW in fight.files()

    def test_where_it_was_not_to_be_saved_it_is_not(self, fight: Player, sheets: Sheets) -> None:
        self.ended_but_in_place(fight, sheets, "end --no-save")
        fight("status")
        assert sheets.state("jack") == {}
        assert not fight.journal.exists()

    def test_finishing_twice_changes_nothing_more(self, fight: Player, sheets: Sheets) -> None:
        self.ended_but_in_place(fight, sheets)
        fight("status")
        sheets.write("jack", JACK)
        once = sheets.text("jack")
        (fight.here / JOURNAL_OF_NOW).rename(fight.journal)
        shown = fight("status")
        assert sheets.text("jack") == once, "the sheets were written before, and may have been reset since"
        assert "by hand" not in shown.err and JOURNAL_OF_NOW in fight.files()

    def test_a_crash_between_sheets_and_rename_is_mended(
        self, fight: Player, sheets: Sheets, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from crisis_cli.sheets import journal_file

        fight.ok("set jack health 9")

        class Crash(BaseException):
            pass

        class Broken:
            def __getattr__(self, name: str) -> Any:
                return getattr(os, name)

            def replace(self, source: Path, target: Path) -> None:
                raise Crash

        with monkeypatch.context() as patched:
            patched.setattr(journal_file, "os", Broken())
            with pytest.raises(Crash):
                fight("end")
        assert fight.journal.exists()
        fight("status")
        assert not fight.journal.exists() and sheets.state("jack") == {"health": 9}


def test_without_a_crisis(crisis: Player) -> None:
    crisis.refused(3, "end")


READING = ("log", "status", "map", "explain", "replay", "verify", "log 2 --json", "status --json", "")
WRITING = (
    "undo",
    "redo",
    "next",
    "end",
    "save",
    "attack jack drone",
    "set jack health 3",
    "note x",
    "rewind 1",
    "join ada",
    "leave jack",
    "auto",
    "play --auto",
    "check jack melee --difficulty 3",
    "act move",
    "init jack --vs drone --open",
    "odds attack jack drone",
    "odds",
)


class TestArchive:
    """The journal of an ended crisis is read, and never written."""

    @pytest.fixture
    def ended(self, fight: Player, sheets: Sheets) -> Player:
        """A crisis that has ended with a wound, which has healed since."""
        fight.ok("set jack health 9")
        fight.ok("set jack at 1,1")
        fight.ok("end")
        sheets.write("jack", JACK)
        return fight

    @pytest.mark.parametrize("words", READING)
    @pytest.mark.parametrize("name", [JOURNAL_OF_NOW, "kept.jsonl", "deep/crisis.jsonl.old"])
    def test_reading_shows_it_and_changes_nothing(self, ended: Player, words: str, name: str) -> None:
        (ended.here / "deep").mkdir()
        (ended.here / JOURNAL_OF_NOW).rename(ended.here / name)
        before = ended.files()
        words = f"{words} {name}" if words in ("replay", "verify") else f"--file {name} {words}"
        assert ended.ok(words).out
        assert ended.files() == before

    @pytest.mark.parametrize("words", READING)
    def test_so_is_one_of_an_older_version(self, ended: Player, words: str) -> None:
        """It says nothing of sheets; its name tells that it was put away."""
        archive = ended.here / JOURNAL_OF_NOW
        lines = archive.read_text("utf-8").splitlines(keepends=True)
        kept = [line for line in lines if not line.startswith(('{"ends"', '{"finished"'))]
        archive.write_text("".join(kept), "utf-8")
        before = ended.files()
        assert ended.ok(f"--file {JOURNAL_OF_NOW} {words}").out
        assert ended.files() == before

    def test_it_is_shown_as_ended(self, ended: Player) -> None:
        assert ended.ok(f"--file {JOURNAL_OF_NOW} status").lines[0] == "Round 1 · ended: Jack against Drone"
        assert ended.ok(f"--file {JOURNAL_OF_NOW} status --json").record["ended"] is True

    @pytest.mark.parametrize("words", WRITING)
    def test_writing_is_refused(self, ended: Player, words: str) -> None:
        shown = ended.refused(3, f"--file {JOURNAL_OF_NOW} {words}")
        assert "has ended" in shown.err
        if "play" not in words:
            assert ended.refused(3, f"--file {JOURNAL_OF_NOW} {words} --json").error["code"] == "ended"

    def test_a_reading_verb_without_a_crisis_says_that_none_is_open(self, ended: Player) -> None:
        assert ended.refused(3, "status --json").error["code"] == "no_crisis"


class TestUndone:
    """`undo` where no crisis is open takes back the end of the last one."""

    def test_the_crisis_is_open_again_and_the_sheets_are_as_before_byte_for_byte(
        self, fight: Player, sheets: Sheets
    ) -> None:
        jack = b"\xef\xbb\xbf" + JACK.replace("\n", "\r\n").encode() + b"# no line end"
        (sheets.folder / "jack.toml").write_bytes(jack)
        fight.ok("set jack health 9")
        fight.ok("set drone health 8")
        before, log = fight.files(), fight.ok("log --json").out
        fight.ok("end")
        assert sheets.state("drone") == {"health": 8}
        shown = fight.ok("undo")
        assert "end" in shown.out and "Jack, Drone" in shown.out
        after = fight.files()
        assert after.pop("crisis.jsonl").startswith(before.pop("crisis.jsonl"))
        assert after == before
        assert fight.ok("log --json").out == log
        assert fight.ok("verify").status == 0

    def test_it_goes_on_and_ends_as_if_it_had_never_ended(self, fight: Player, sheets: Sheets) -> None:
        fight.ok("set jack health 9")
        fight.ok("end")
        fight.ok("undo")
        fight.ok("set jack health 4")
        fight.ok("end")
        assert sheets.state("jack") == {"health": 4}
        fight.ok("undo")
        assert sheets.text("jack") == JACK
        fight.ok("verify")

    def test_several_actions_at_once(self, fight: Player, sheets: Sheets) -> None:
        fight.ok("set jack health 9")
        fight.ok("end")
        records = fight.ok("undo 2 --json").records
        assert [record["action"] for record in records] == ["end", "set"]
        assert records[0]["sheets"] == ["Jack"]
        assert fight.fighter("Jack")["pools"]["health"] == 30
        fight.ok("end")
        fight.refused(3, "undo 3")
        assert JOURNAL_OF_NOW in fight.files()

    def test_redo_ends_it_again(self, fight: Player, sheets: Sheets) -> None:
        fight.ok("set jack health 9")
        fight.ok("end")
        once = sheets.text("jack")
        fight.ok("undo 2")
        shown = fight.ok("redo 2")
        assert sheets.text("jack") == once and "Jack" in shown.out
        assert not fight.journal.exists()
        fight.ok("undo")
        assert sheets.text("jack") == JACK

    def test_the_state_alone_goes_back_in_a_sheet_edited_since(self, fight: Player, sheets: Sheets) -> None:
        edited = JACK.replace("damage = 6", "damage = 7")
        assert edited != JACK
        fight.ok("set jack health 9")
        fight.ok("end")
        ended = sheets.text("jack").replace("damage = 6", "damage = 7")
        sheets.write("jack", ended)
        fight.ok("undo")
        assert sheets.text("jack").strip() == edited.strip()
        fight.ok("redo")
        assert sheets.text("jack") == ended

    def test_a_state_changed_since_is_left_with_a_warning(self, fight: Player, sheets: Sheets) -> None:
        fight.ok("set jack health 9")
        fight.ok("set drone health 9")
        fight.ok("end")
        changed = sheets.text("jack").replace("health = 9", "health = 8")
        sheets.write("jack", changed)
        shown = fight("undo")
        assert shown.status == 0
        assert "characters/jack.toml was changed in the meantime" in shown.err
        assert sheets.text("jack") == changed
        assert sheets.state("drone") == {}

    def test_a_journal_that_would_change_more_than_the_state_does_not(
        self, fight: Player, sheets: Sheets
    ) -> None:
        fight.ok("set jack health 9")
        fight.ok("end")
        archive = fight.journal.with_name(JOURNAL_OF_NOW)
        lines = [json.loads(line) for line in archive.read_text("utf-8").splitlines()]
        (ends,) = (line for line in lines if "ends" in line and "sheets" in line)
        change = ends["sheets"]["Jack"]
        change["was"] = change["was"].replace("damage = 6", "damage = 7")
        archive.write_text("".join(f"{json.dumps(line)}\n" for line in lines), "utf-8")
        once = sheets.text("jack")
        shown = fight("undo")
        assert "the journal would change more of it than [state]" in shown.err
        assert "in the meantime" not in shown.err and sheets.text("jack") == once

    def test_without_sheets_written_none_is_put_back(self, fight: Player, sheets: Sheets) -> None:
        fight.ok("set jack health 9")
        fight.ok("end --no-save")
        assert fight.ok("undo --json").record["sheets"] == []
        assert fight.fighter("Jack")["pools"]["health"] == 9

    def test_with_the_archive_named_it_is_refused(self, fight: Player, sheets: Sheets) -> None:
        fight.ok("end")
        assert fight.refused(3, f"--file {JOURNAL_OF_NOW} undo --json").error["code"] == "ended"

    def test_once_another_was_opened_there_the_first_is_not_reopened(
        self, fight: Player, sheets: Sheets
    ) -> None:
        fight.ok("set jack health 9")
        fight.ok("end")
        first = (fight.here / JOURNAL_OF_NOW).read_bytes()
        fight.ok("init jack --vs drone --open")
        assert fight.refused(3, "undo --json").error["code"] == "nothing_to_undo"
        fight.ok("note 'the second'")
        fight.ok("end")
        fight.ok("undo")
        assert "the second" in fight.ok("log").out
        assert (fight.here / JOURNAL_OF_NOW).read_bytes() == first

    def test_the_last_one_is_the_one_ended_last_whenever_it_was_opened(
        self, crisis: Player, sheets: Sheets
    ) -> None:
        for now, note in (("2026-12-24T00:00:00Z", "first"), ("2026-01-01T00:00:00Z", "second")):
            crisis.now = now
            crisis.ok("init jack --vs drone --open")
            crisis.ok(f"note {note}")
            crisis.now = "2027-01-01T00:00:00Z" if note == "second" else now
            crisis.ok("end")
        crisis.ok("undo")
        assert "second" in crisis.ok("log").out

    def test_journals_of_other_names_are_not_mixed_up(self, crisis: Player, sheets: Sheets) -> None:
        for name in ("crisis-x.jsonl", "crisis.jsonl"):
            crisis.ok(f"--file {name} init jack --vs drone --open")
            crisis.ok(f"--file {name} note {name}")
        for name in ("crisis.jsonl", "crisis-x.jsonl"):
            crisis.ok(f"--file {name} end")
        crisis.ok("undo")
        assert "crisis.jsonl" in crisis.ok("log").out
        crisis.ok("--file crisis-x.jsonl undo")
        assert "crisis-x.jsonl" in crisis.ok("--file crisis-x.jsonl log").out

    def test_without_any_crisis(self, crisis: Player) -> None:
        assert crisis.refused(3, "undo --json").error["code"] == "no_crisis"

    def test_what_lies_about_is_no_archive(self, crisis: Player) -> None:
        for number, text in enumerate(("", "x", "[1]\n", '{"finished":"crisis.jsonl"}\n', '{"ends":7}\n')):
            (crisis.here / f"crisis-{number}.jsonl").write_text(text, "utf-8")
        (crisis.here / "crisis-9.jsonl").mkdir()
        assert crisis.refused(3, "undo --json").error["code"] == "no_crisis"

    def test_one_made_up_is_reported_and_left(self, crisis: Player) -> None:
        (crisis.here / "crisis-1.jsonl").write_text(
            '{"finished":"crisis.jsonl","ends":"2026-01-01T00:00:00Z"}\n', "utf-8"
        )
        assert crisis.refused(4, "undo --json").error["code"] == "bad_journal"


class TestAsked:
    """At a terminal the end is asked about where both sides stand."""

    def test_no_leaves_the_crisis_open_and_names_next(self, fight: Player, sheets: Sheets) -> None:
        for answer in ("n", "no", "", "NO"):
            before = fight.files()
            shown = fight("end", answers=["what?", answer], width=100)
            assert shown.status == 130 and fight.files() == before
            assert "crisis next" in fight.prompts[-1] and "crisis next" in shown.err
            assert "Jack against Drone" in fight.prompts[-1]

    def test_yes_ends_it(self, fight: Player, sheets: Sheets) -> None:
        assert "crisis undo" in fight.ok("end", answers=["y"]).out
        assert not fight.journal.exists()

    @pytest.mark.parametrize("answer", [(), ("^C",)])
    def test_who_gives_no_answer_changes_nothing(self, fight: Player, sheets: Sheets, answer: Any) -> None:
        fight.refused(130, "end", answers=answer)

    def test_yes_beforehand_is_not_asked(self, fight: Player, sheets: Sheets) -> None:
        fight.ok("end --yes", answers=[])
        assert not fight.prompts and not fight.journal.exists()

    def test_a_fight_that_is_decided_is_not_asked_about(self, fight: Player, sheets: Sheets) -> None:
        fight.ok("set drone health 0")
        fight.ok("end", answers=[])
        assert not fight.prompts

    def test_without_a_terminal_it_does_as_asked(self, fight: Player, sheets: Sheets) -> None:
        fight.ok("end")
        assert not fight.prompts


class TestReach:
    """A journal does not say where to write: sheets are found, or lie below the journal's folder."""

    @pytest.fixture
    def foreign(self, fight: Player, sheets: Sheets, tmp_path_factory: pytest.TempPathFactory) -> Path:
        """An open crisis whose journal names a sheet of Jack elsewhere on the disk."""
        path = tmp_path_factory.mktemp("elsewhere") / "jack.toml"
        path.write_text(JACK, "utf-8")
        fight.ok("set jack health 9")
        text = fight.journal.read_text("utf-8")
        fight.journal.write_text(
            text.replace(json.dumps(str(sheets.folder / "jack.toml")), json.dumps(str(path))), "utf-8"
        )
        return path

    @pytest.mark.parametrize("words", ["end", "save"])
    def test_a_sheet_elsewhere_is_not_written(
        self, fight: Player, sheets: Sheets, foreign: Path, words: str
    ) -> None:
        shown = fight(words)
        assert shown.status == 0
        assert str(foreign) in shown.err and "--characters" in shown.err
        assert foreign.read_text("utf-8") == JACK == sheets.text("jack")

    @pytest.mark.parametrize("words", ["end", "save"])
    def test_with_its_folder_named_it_is(self, fight: Player, foreign: Path, words: str) -> None:
        fight.ok(words, "--characters", str(foreign.parent))
        assert "health = 9" in foreign.read_text("utf-8")

    def test_nor_is_one_that_an_interrupted_end_names(
        self, fight: Player, sheets: Sheets, foreign: Path
    ) -> None:
        fight.ok("end", "--characters", str(foreign.parent))
        archive = fight.here / JOURNAL_OF_NOW
        lines = archive.read_text("utf-8").splitlines(keepends=True)
        archive.unlink()
        fight.journal.write_text("".join(lines[:-1]), "utf-8")
        foreign.write_text(JACK, "utf-8")
        shown = fight("status")
        assert str(foreign) in shown.err and "--characters" in shown.err
        assert foreign.read_text("utf-8") == JACK

    def test_nor_by_undoing_it(self, fight: Player, sheets: Sheets, foreign: Path) -> None:
        fight.ok("end", "--characters", str(foreign.parent))
        ended = foreign.read_text("utf-8")
        shown = fight("undo")
        assert str(foreign) in shown.err and foreign.read_text("utf-8") == ended

    def test_a_link_out_of_the_journals_folder_is_followed_before_it_is_judged(
        self, fight: Player, sheets: Sheets, foreign: Path
    ) -> None:
        link = fight.here / "link.toml"
        link.symlink_to(foreign)
        text = fight.journal.read_text("utf-8")
        fight.journal.write_text(text.replace(json.dumps(str(foreign)), json.dumps(str(link))), "utf-8")
        assert "--characters" in fight("end").err
        assert foreign.read_text("utf-8") == JACK

    def test_a_link_out_of_a_folder_of_sheets_is_not_written_through(
        self, crisis: Player, sheets: Sheets, tmp_path_factory: pytest.TempPathFactory
    ) -> None:
        """Only where the player names the folder that it leads to."""
        path = tmp_path_factory.mktemp("elsewhere") / "her.toml"
        path.write_text(ADA, "utf-8")
        (sheets.folder / "ada.toml").unlink()
        (sheets.folder / "ada.toml").symlink_to(path)
        crisis.ok("init ada --vs drone --open")
        crisis.ok("set ada health 9")
        said = f"characters/ada.toml is a link to {path}, outside"
        assert said in crisis("end").err and path.read_text("utf-8") == ADA
        crisis.ok("undo")
        hinted = f"--characters {path.parent}"
        assert hinted in crisis("save").err
        crisis.ok(f"end {hinted}")
        assert "health = 9" in path.read_text("utf-8")
        crisis.ok(f"undo {hinted}")
        assert path.read_text("utf-8") == ADA

    def test_a_sheet_below_the_journals_folder_is_written(self, crisis: Player, sheets: Sheets) -> None:
        (crisis.here / "deep").mkdir()
        (sheets.folder / "jack.toml").rename(crisis.here / "deep/jack.toml")
        crisis.ok("init deep/jack.toml --vs drone --open")
        crisis.ok("set jack health 9")
        crisis.ok("end")
        assert "health = 9" in (crisis.here / "deep/jack.toml").read_text("utf-8")


def test_a_save_cut_short_before_it_is_said_is_no_edit_by_hand(fight: Player, sheets: Sheets) -> None:
    """What the program itself has written into a sheet does not stand against what the fight says later."""
    fight.ok("set jack health 9")
    fight.ok("save")
    *lines, saved = fight.journal.read_text("utf-8").splitlines(keepends=True)
    assert "saved" in json.loads(saved)
    fight.journal.write_text("".join(lines), "utf-8")
    fight.ok("set jack health 5")
    fight.ok("end")
    assert sheets.state("jack") == {"health": 5}


def test_an_undo_of_an_end_cut_short_in_its_first_line_can_be_done_again(
    fight: Player, sheets: Sheets
) -> None:
    fight.ok("set jack health 9")
    fight.ok("end")
    archive = (fight.here / JOURNAL_OF_NOW).read_bytes()
    (fight.here / JOURNAL_OF_NOW).unlink()
    fight.journal.write_bytes(archive + b'{"finished":"","en')
    assert "interrupted" in fight("status").err
    assert (fight.here / JOURNAL_OF_NOW).read_bytes() == archive
    fight.ok("undo")
    assert sheets.text("jack") == JACK


def test_the_end_sums_up_the_fight(crisis: Player, sheets: Sheets) -> None:
    crisis.ok("init ada --vs drone --open --dice 6,6,6,1,1,1")
    crisis.ok("attack drone --range 5 --dice 6,6,6,6")
    effects = crisis.ok("log 2 --json").record["effects"]
    lost = {one["what"]: one["was"] - one["now"] for one in effects if one["who"] == "Drone"}
    crisis.ok("set drone health 0")
    shown = crisis("end")
    dealt = next(line for line in shown.lines if "harm dealt" in line)
    assert all(f"{by} " in dealt for what, by in lost.items() if what in ("endurance", "health"))
    assert "  harm taken: none" in shown.lines and "used up: Ada 1 pistol round\n" in shown.out
    assert "The players win after 1 round." in shown.lines
    assert shown.err == f"  journal: {JOURNAL_OF_NOW}\n"
    assert "journal:" not in shown.out


def test_at_a_terminal_the_end_says_how_lucky_the_sides_were_and_what_decided_it(crisis: Player) -> None:
    crisis.ok("init ada --vs drone --open --dice 6,6,6,1,1,1")
    for _ in range(6):
        crisis.ok("attack drone --range 5 --dice 6,6,6,6 --force")
    crisis.ok("set drone health 0")
    plain = crisis("end")
    assert "Luck" not in plain.out and "Turning points" not in plain.out, "for scripts it is as it was"
    crisis.ok("undo")
    shown = crisis("end", answers=())
    assert re.search(r"the players +hits .*lucky", shown.out) and "Turning points" in shown.out
    assert "Ada fires the pistol at Drone" in shown.out and "to hit, hit" in shown.out
    assert (
        shown.out.index("Turning points") < shown.out.index("harm dealt") < shown.out.index("The players win")
    )
    assert f"crisis log --recap {JOURNAL_OF_NOW}" in " ".join(shown.out.split())


def test_a_fallen_hero_is_mentioned_when_the_next_fight_begins(fight: Player, sheets: Sheets) -> None:
    fight.ok("set jack health 0")
    fight.ok("end")
    shown = fight("init jack ada --vs drone --open --file both.jsonl")
    assert "Jack is dead on the sheet" in shown.err and "character reset jack" in shown.err
    refused = fight.refused(3, "init jack --vs drone --open")
    assert (
        "nobody of the players can fight: Jack is dead\nhint: to start afresh: crisis character"
        in refused.err
    )
    assert "character reset" not in fight("--file other.jsonl init ada --vs drone --open").err


def test_a_wound_that_lasts_until_the_end_decides_the_crisis(crisis: Player) -> None:
    """STEP-32: a great wound is over with the crisis, and yet it has decided it."""
    crisis.ok("init vera --vs raider --open --dice 7,3")
    struck = crisis.ok("attack raider --range 1 --mod-damage 10 --dice 5,4")
    assert "Raider is out of action." in struck.out
    ended = crisis.ok("end --json --no-save").record
    assert ended["decided"] and ended["winner"] == "players"
    assert ended["standing"] == {"players": ["Vera"], "opponents": []}
    crisis.ok("undo")
    assert "The players win after 1 round." in crisis.ok("end --no-save").lines


def test_quiet_prints_the_bare_verdict(fight: Player) -> None:
    """As `play --auto --quiet` does."""
    assert fight.ok("end --quiet").out == "none 1\n"
    fight.ok("undo")
    fight.ok("set drone health 0")
    assert fight.ok("end --quiet").out == "players 1\n"
    fight.ok("undo")
    assert fight.ok("end --quiet --json").record["winner"] == "players"


def test_a_crisis_that_another_program_has_ended_meanwhile_is_said_to_be_so(
    fight: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    def append(*about: Any) -> Any:
        patch.undo()
        fight.ok("end --yes --no-save")
        raise FileError("another program was quicker", code="moved")

    context = context_of(fight.environment(is_interactive=False))
    session, intent = context.desk.open_session(), Intent("end", "", (), {"save": False})
    with monkeypatch.context() as patch, pytest.raises(Refused) as error:
        patch.setattr(perform, "perform_once", append)
        perform.perform_and_record(context.desk, session, intent, Dice())
    assert error.value.code == "no_crisis" and "crisis undo" in error.value.hint
