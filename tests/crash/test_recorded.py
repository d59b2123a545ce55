"""What is in the journal and cannot be shown is recorded all the same, and the player is warned."""

from __future__ import annotations

import errno
import io
import json
import os
import re
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import JOURNAL_OF_NOW, Player, Program, Sheets, slow_but

from crisis_cli.cli import run

RECORDING = {
    "next": "entry 3",
    "attack drone": "entry 3",
    "act drop-prone": "entry 3",
    "check melee --difficulty 3": "entry 3",
    "set jack health 3": "entry 3",
    "leave drone": "entry 3",
    "join ada": "entry 3",
    "note hello": "entry 3",
    "auto": "entry 3",
    "auto jack on": "entry 3",
    "undo": "the undo",
    "rewind 1": "the rewind",
    "end": "entry 3",
}


class Failing(io.StringIO):
    """An output that takes nothing."""

    def __init__(self, number: int):
        super().__init__()
        self.number = number

    def write(self, text: str) -> int:
        raise OSError(self.number, os.strerror(self.number))


def shown(player: Player, number: int, words: str) -> tuple[int, str]:
    """Status and stderr of a command whose output fails."""
    err = io.StringIO()
    environment = player.environment(out=Failing(number), err=err, is_interactive=False)
    return run(shlex.split(words), environment), err.getvalue()


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO], ids=["full", "gone"])
@pytest.mark.parametrize("words", RECORDING)
def test_what_is_recorded_and_cannot_be_shown_is_reported(fight: Player, words: str, number: int) -> None:
    fight.ok("act move")
    before = fight.journal.read_bytes()
    status, err = shown(fight, number, words + " --json")
    report = json.loads(err.splitlines()[-1])["error"]
    assert (status, report["code"]) == (4, "recorded")
    assert report["message"].startswith(f"{RECORDING[words]} is recorded, but could not be shown: ")
    journal = fight.journal if words != "end" else fight.here / JOURNAL_OF_NOW
    assert journal.read_bytes().startswith(before) and len(journal.read_bytes()) > len(before)
    assert ("--file " + JOURNAL_OF_NOW in report["hint"]) == (words == "end")
    fight.ok(f"log --file {journal.name}")


def test_redo_save_and_the_opening_are_reported_too(fight: Player, sheets: Sheets) -> None:
    fight.ok("set jack health 9")
    assert "the save is recorded" in shown(fight, errno.EIO, "save")[1]
    assert sheets.state("jack") == {"health": 9}
    fight.ok("undo")
    assert "the redo is recorded" in shown(fight, errno.EIO, "redo")[1]
    opened = shown(fight, errno.EIO, "--file other.jsonl init jack --vs drone --open")
    assert opened[0] == 4 and "entry 1 is recorded" in opened[1]
    assert (
        "entry 1 is recorded" in shown(fight, errno.EIO, "--file third.jsonl play jack --vs drone --auto")[1]
    )
    one_off = shown(fight, errno.EIO, "--file none.jsonl attack jack drone --dice 6,6,6 --save")
    assert one_off[0] == 4 and "the result is recorded" in one_off[1]


@pytest.mark.parametrize("words", ["status", "log", "odds attack drone", "next --dry-run", "roll 3d6"])
def test_where_nothing_was_recorded_nothing_of_the_kind_is_reported(fight: Player, words: str) -> None:
    before = fight.files()
    status, said = shown(fight, errno.ENOSPC, words)
    assert status == 4 and "nothing can be written: No space left" in said and "recorded" not in said
    assert fight.files() == before


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no full device here")
@pytest.mark.parametrize("words", ["next", "undo", "roll 3d6", "log", "odds 3d6", "--help"])
def test_the_real_program_on_a_full_device(program: Program, fight: Player, words: str) -> None:
    fight.ok("act move")
    with open("/dev/full", "w") as full:
        done = program(*words.split(), stdout=full)
    assert done.returncode == 4 and done.stderr.startswith("error: "), done
    assert ("recorded" in done.stderr) == (words in ("next", "undo"))
    assert done.stderr.count("error:") == 1 and "Traceback" not in done.stderr


def test_a_failing_stderr_leaves_the_status(program: Program, fight: Player) -> None:
    if not os.path.exists("/dev/full"):
        pytest.skip("no full device here")
    with open("/dev/full", "w") as full:
        assert program("attack", "nobody", stdout=full, stderr=full).returncode == 4
        assert program("next", stdout=full, stderr=full).returncode == 4
        assert program("--file", "none.jsonl", "next", stdout=full, stderr=full).returncode == 3


def test_a_closed_pipe_is_quiet(program: Program, fight: Player) -> None:
    for words in ("next", "undo", "log", "status", "next --json"):
        reading, writing = os.pipe()
        os.close(reading)
        try:
            done = program(*words.split(), stdout=writing)
        finally:
            os.close(writing)
        assert (done.returncode, done.stderr) == (0, ""), words


@pytest.mark.skipif(sys.platform == "win32", reason="no pipes of this kind here")
@pytest.mark.parametrize("options", slow_but(["", "--json", "--save", "--quiet"], "--save"))
def test_a_fight_whose_reader_has_gone_goes_on_to_its_end(
    program: Program, crisis: Player, sheets: Sheets, options: str
) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        words = f"play jack --vs drone --auto --seed 7 {options}".split()
        done = program(*words, stdout=writing)
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (0, "")
    assert not crisis.journal.exists()
    (journal,) = crisis.here.glob("crisis-*.jsonl")
    last = crisis.ok(f"log --json --file {journal.name}").records[-1]
    assert last["action"] == "end"
    assert bool(sheets.state("drone")) == (options == "--save")


def test_a_fight_that_cannot_be_shown_goes_on_to_its_end_and_says_so(crisis: Player, sheets: Sheets) -> None:
    status, err = shown(crisis, errno.ENOSPC, "play jack --vs drone --auto --seed 7")
    assert status == 4 and "went on to its end" in err and JOURNAL_OF_NOW in err
    assert not crisis.journal.exists()
    assert crisis.ok(f"verify {JOURNAL_OF_NOW}").status == 0


@pytest.mark.parametrize("save", slow_but(["", "--save"], "--save"))
def test_a_fight_without_a_journal_writes_none(crisis: Player, sheets: Sheets, save: str) -> None:
    crisis.ok("init ada --vs drone --open")
    before = crisis.files()
    words = f"play jack --vs drone --auto --seed 7 {save} --file"
    there = crisis.ok(f"{words} x.jsonl").out
    for path in crisis.here.glob("x-*.jsonl"):
        path.unlink()
    for stem in ("jack", "drone"):
        sheets.write(stem, before[f"characters/{stem}.toml"])
    told = crisis.ok(f"{words} crisis.jsonl --no-journal").out
    # What to do now with a journal is another thing without one.
    assert told.partition("Now you")[0].strip() == re.split("Now you|What now", there)[0].strip()
    changed = {name for name, content in crisis.files().items() if before.get(name) != content}
    assert changed == ({"characters/jack.toml", "characters/drone.toml"} if save else set())


def test_no_journal_is_for_new_fights_that_play_themselves(fight: Player) -> None:
    fight.refused(2, "play --auto --no-journal")
    fight.refused(2, "play jack --vs drone --no-journal --file x.jsonl", answers=())


def test_an_end_that_cannot_be_finished_says_what_is_done(
    crisis: Player, sheets: Sheets, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first sheet is written, the second finds no room: reading goes on, and the end is finished later."""
    from crisis_cli.errors import FileError
    from crisis_cli.sheets import save_sheets

    crisis.ok("init jack ada --vs drone --open --seed 7")
    crisis.ok("set jack health 9")
    crisis.ok("set ada health 8")
    replace = save_sheets.replace

    def little_room(path: object, text: str, shown: str) -> None:
        if "ada" in shown:
            raise FileError(f"{shown} cannot be written: No space left on device", code="cannot_write")
        replace(path, text, shown)  # type: ignore[arg-type]

    with monkeypatch.context() as patched:
        patched.setattr(save_sheets, "replace", little_room)
        report = crisis("end --json")
        assert report.status == 4 and report.out == ""
        assert report.error["message"].startswith("entry 4 is recorded and ends the crisis, but ")
        assert report.error["message"].endswith("No space left on device; sheets written so far: Jack")
        assert report.error["written"] == ["Jack"] and report.error["code"] == "cannot_write"
        for words in ("status", "log", "explain 2", "map", "replay", "verify"):
            read = crisis(words)
            assert read.status == 0 and read.out, (words, read)
    assert crisis.journal.exists()
    assert "is finished now" in crisis("status").err
    assert (sheets.state("jack"), sheets.state("ada")) == ({"health": 9}, {"health": 8})
    assert not crisis.journal.exists()


class Disk:
    """A disk that has room for so many more files and lines, and then for none."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch):
        self.monkeypatch = monkeypatch
        self.left = 10**6
        self.synced = os.fsync
        monkeypatch.setattr(os, "fsync", self.sync)

    def sync(self, descriptor: int) -> None:
        self.left -= 1
        if self.left < 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        self.synced(descriptor)


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Disk:
    return Disk(monkeypatch)


@pytest.fixture
def hurt(tmp_path: Path) -> Player:
    """A campaign of two hurt heroes."""
    Player(tmp_path).ok("campaign new here vera moss")
    player = Player(tmp_path / "here")
    for stem in ("vera", "moss"):
        own = Sheets(player.here / "characters")
        own.write(stem, own.text(stem) + "\n[state]\nhealth = 5\n")
    return player


@pytest.mark.parametrize("room", slow_but(range(12), *range(0, 12, 3)))
def test_a_rest_of_several_nights_says_which_are_recorded(hurt: Player, disk: Disk, room: int) -> None:
    """Wherever the disk is full, the journal says as many nights as the error; the hint rests for the others."""
    before = hurt.files()
    disk.left = room
    shown = hurt("rest --care hospital --mod 30 --days 3 --json")
    disk.left = 10**6
    # A night is a line, a sheet for each of the two, and the line that they are written.
    recorded = (room + 3) // 4
    assert shown.status == 4, shown
    error = shown.error
    if not recorded:
        assert "nothing was changed" in error["hint"] and hurt.files() == before
        return
    verb = "is" if recorded == 1 else "are"
    assert error["message"].startswith(f"{recorded} of 3 nights {verb} recorded, but ")
    assert error["message"].count(" recorded") == 1, error["message"]
    assert "nothing was changed" not in error["hint"] and error["recorded"] is True
    assert hurt("campaign --json").record["day"] == 1 + recorded
    left = f"crisis rest --days {3 - recorded}"
    if recorded < 3:
        assert error["hint"].endswith(left)
        hurt.ok(left.removeprefix("crisis ") + " --care hospital --mod 30")
    assert hurt("campaign --json").record["day"] == 4
    assert hurt.ok("campaign check").out == "all right\n"


def test_a_rest_that_is_stopped_says_which_nights_are_recorded(
    hurt: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    from crisis_cli.sheets import story_file

    nights, write = [], story_file.write_sheets

    def one_night(*args: Any) -> Any:
        if nights:
            raise KeyboardInterrupt
        nights.append(1)
        return write(*args)

    monkeypatch.setattr(story_file, "write_sheets", one_night)
    shown = hurt("rest --days 3 --care hospital --mod 30 --json")
    assert shown.status == 130 and "entry 1 is recorded" in json.loads(shown.err)["error"]["message"]
    assert "nothing was changed" not in shown.err


@pytest.mark.parametrize(
    ("words", "room", "said"),
    [
        ("save", 2, "moss.toml cannot be written: No space left on device; sheets written so far: Vera"),
        ("save", 3, "the save is recorded, but crisis.jsonl cannot be written"),
        ("end", 2, "is recorded and ends the crisis, but characters/moss.toml cannot be written: "),
        ("end", 3, "is recorded and ends the crisis, but crisis.jsonl cannot be written: "),
        ("end; undo", 2, "the end of the crisis is not undone: characters/moss.toml cannot be written: "),
        (
            "end; undo; redo",
            1,
            "is recorded and ends the crisis, but characters/vera.toml cannot be written: ",
        ),
    ],
)
def test_what_is_written_in_several_steps_says_what_stands(
    hurt: Player, disk: Disk, words: str, room: int, said: str
) -> None:
    hurt.ok("init vera moss --vs raider --open")
    for who in ("vera", "moss"):
        hurt.ok(f"set {who} health 3")
    *first, last = words.split("; ")
    for line in first:
        hurt.ok(line)
    # The undo of an end in a campaign has the line of the story before it.
    disk.left = room + (last == "undo")
    shown = hurt(f"{last} --json")
    disk.left = 10**6
    assert shown.status == 4 and said in shown.error["message"], shown
    assert "nothing was changed" not in shown.error["hint"]
    if room == 2:
        assert shown.error["written"] == ["Vera"]
    # What was begun is finished by the next command, or by the same again.
    hurt("status")
    if last in ("save", "undo"):
        hurt.ok(last)
    sheets = {stem: Sheets(hurt.here / "characters").state(stem)["health"] for stem in ("vera", "moss")}
    assert set(sheets.values()) == ({5} if last == "undo" else {3})
    assert hurt("campaign check").out == "all right\n"
