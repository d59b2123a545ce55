"""Journals torn, broken, tampered with, locked: shown clearly, and nothing else lost."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import PROGRAM, STATUSES, Player, Program, program_env

READING = ("status", "log", "replay", "verify", "explain", "map", "odds check melee --difficulty 9")
WRITING = (
    "next",
    "attack drone",
    "undo",
    "set jack health 9",
    "note x",
    "rewind 1",
    "auto",
    "auto jack on",
    "save",
    "end",
)


@pytest.fixture
def fought(fight: Player) -> Player:
    """A crisis with a handful of entries, undone and redone ones among them."""
    for words in (
        "attack drone --dice 6,4,3 --why 'Zoë 龍'",
        "next",
        "attack jack",
        "undo",
        "redo",
        "set jack health 20",
    ):
        fight.ok(words)
    return fight


class TestTornLastLine:
    """A power cut in the middle of a write."""

    def test_every_cut_is_survived(self, fought: Player) -> None:
        """At whatever byte: a warning, the torn bytes kept aside, and nothing else lost."""
        whole = fought.journal.read_bytes()
        before_last = whole[: whole.rstrip(b"\n").rfind(b"\n") + 1]
        torn_file = fought.here / "crisis.jsonl.torn"
        fought.journal.write_bytes(before_last)
        log = fought.ok("log --json").out
        for cut in range(len(before_last) + 1, len(whole) - 1):
            torn = whole[len(before_last) : cut]
            fought.journal.write_bytes(whole[:cut])
            shown = fought("log --json")
            assert (shown.status, shown.out) == (0, log), cut
            assert "warning" in shown.err and "crisis.jsonl" in shown.err
            assert fought.journal.read_bytes() == whole[:cut], "readers write nothing"
            assert not torn_file.exists()
            if cut % 7 and cut < len(whole) - 4:
                continue
            shown = fought("set jack health 11")
            assert shown.status == 0 and "warning" in shown.err
            assert torn_file.read_bytes() == torn
            assert fought.journal.read_bytes().startswith(before_last)
            assert fought.ok("log --json").out.startswith(log)
            assert fought.ok("verify").status == 0
            torn_file.unlink()

    def test_a_second_tear_does_not_overwrite_the_first(self, fought: Player) -> None:
        kept = []
        for torn in (b'{"entry":', b'{"und'):
            with fought.journal.open("ab") as file:
                file.write(torn)
            assert fought("set jack health 1").status == 0
            kept.append(torn)
        aside = b"".join(path.read_bytes() for path in sorted(fought.here.glob("crisis.jsonl.torn*")))
        assert all(torn in aside for torn in kept)

    def test_a_torn_header_is_an_error_and_is_not_overwritten(self, fought: Player) -> None:
        whole = fought.journal.read_bytes()
        for cut in (1, 50, whole.index(b"\n") - 1):
            fought.journal.write_bytes(whole[:cut])
            for words in (*READING, *WRITING, "init jack --open", ""):
                shown = fought.refused(4, words)
                assert "crisis.jsonl: its first line was cut short" in shown.err

    @pytest.mark.parametrize("end", [b"", b" ", b"\r"])
    def test_a_line_that_lacks_its_newline_is_an_entry(self, fought: Player, end: bytes) -> None:
        log, whole = fought.ok("log --json").out, fought.journal.read_bytes()
        fought.journal.write_bytes(whole.rstrip(b"\n") + end)
        assert fought.ok("log --json").out == log
        fought.ok("set jack health 11")
        assert fought.ok("log --json").out.startswith(log)
        assert fought.journal.read_bytes().startswith(whole.rstrip(b"\n") + end + b"\n{")
        assert fought.ok("verify").status == 0
        fought.ok("undo 2")

    @pytest.mark.parametrize("blank", [b"\n", b"  ", b"\r\n\n", b"\n \n\t"])
    def test_blank_lines_at_the_end_are_ignored(self, fought: Player, blank: bytes) -> None:
        log, whole = fought.ok("log --json").out, fought.journal.read_bytes()
        fought.journal.write_bytes(whole + blank)
        assert fought.ok("log --json").out == log
        assert fought.journal.read_bytes() == whole + blank, "readers write nothing"
        fought.ok("set jack health 11")
        assert fought.journal.read_bytes().startswith(whole + b"{")
        assert not (fought.here / "crisis.jsonl.torn").exists()

    def test_the_prompt_reads_on_where_a_line_lacked_its_newline(self, fought: Player) -> None:
        """A journal known already is read on from where it ended, with or without that newline."""
        from crisis_cli.sheets import journal_file

        whole = fought.journal.read_bytes()
        at = whole.rstrip(b"\n").rfind(b"\n")
        fought.journal.write_bytes(whole[:at])
        known = journal_file.read(fought.journal, "crisis.jsonl")
        for grown in (whole[: at + 1], whole):
            fought.journal.write_bytes(grown)
            read = journal_file.read(fought.journal, "crisis.jsonl", known)
            assert read.crisis == journal_file.read(fought.journal, "crisis.jsonl").crisis

    def test_a_command_that_is_refused_leaves_the_torn_line_in_place(self, fought: Player) -> None:
        with fought.journal.open("ab") as file:
            file.write(b'{"ent')
        fought.refused(4, "attack nobody")


GARBAGE = {
    "empty": b"",
    "a line end": b"\n",
    "text": b"hello\nworld\n",
    "binary": bytes(range(256)) + b"\n",
    "zeros": b"\0" * 4096 + b"\n",
    "another format": b'{"crisis": 99, "system": "3d6"}\n',
    "a list": b"[1, 2]\n",
    "a number": b"7\n",
    "a string": b'"x"\n',
    "null": b"null\n",
    "no fighters": b'{"crisis": 1, "system": "3d6", "seed": 1, "opened": "x"}\n',
    "fighters of nothing": b'{"crisis": 1, "system": "3d6", "seed": 1, "opened": "x", "fighters": [{}]}\n',
    "fighters a number": b'{"crisis": 1, "system": "3d6", "seed": 1, "opened": "x", "fighters": 7}\n',
    "deep": b"[" * 100_000 + b"]" * 100_000 + b"\n",
    "a huge number": b'{"crisis": ' + b"9" * 5000 + b"}\n",
    "nan": b'{"crisis": NaN}\n',
    "utf-16": '{"crisis": 1}\n'.encode("utf-16"),
    "latin-1": '{"crisis": 1, "name": "Zoë"}\n'.encode("latin-1"),
    "bom": b"\xef\xbb\xbf" + b'{"crisis": 1}\n',
    "lone surrogate": b'{"crisis": 1, "system": "\\ud800"}\n',
}


@pytest.mark.parametrize("what", GARBAGE)
def test_what_is_no_journal_is_an_error_and_stays_as_it_is(crisis: Player, what: str) -> None:
    crisis.journal.write_bytes(GARBAGE[what])
    for words in (*READING, *WRITING, "", "init jack --vs drone --open", "join ada", "attack jack drone"):
        shown = crisis.refused(4, words)
        assert "crisis.jsonl" in shown.err.splitlines()[0]


FROM_NOWHERE = (
    '{"entry": 6, "intent": {"action": "set", "actor": "", "targets": [], "options": {}},'
    ' "outcome": {}, "events": [[%s, 0, 7, ""]]}'
)
TAMPERED = {
    "an entry missing": lambda lines: lines[:2] + lines[3:],
    "two entries swapped": lambda lines: [lines[0], lines[2], lines[1], *lines[3:]],
    "an entry twice": lambda lines: [*lines[:3], lines[2], *lines[3:]],
    "an undo of nothing": lambda lines: [lines[0], '{"undo": 1}', *lines[1:]],
    "a redo of nothing": lambda lines: [*lines, '{"redo": 9}'],
    "an undo of another": lambda lines: [*lines, '{"undo": 1}'],
    "the opening undone": lambda lines: [*lines[:2], '{"undo": 1}', '{"undo": 0}'],
    "a word for a number": lambda lines: [
        lines[0].replace('"endurance":50', '"endurance":"lots"'),
        *lines[1:],
    ],
    "a pool from nowhere": lambda lines: [*lines, FROM_NOWHERE % '"Jack", "mana"'],
    "somebody from nowhere": lambda lines: [*lines, FROM_NOWHERE % '"Zed", "health"'],
    "a value that was not so": lambda lines: [lines[0].replace('"health":25', '"health":24'), *lines[1:]],
    "a system from nowhere": lambda lines: [lines[0].replace('"3d6"', '"9d9"'), *lines[1:]],
    "a seed of words": lambda lines: [lines[0].replace('"seed":7', '"seed":"x"'), *lines[1:]],
    "no seed": lambda lines: [lines[0].replace('"seed":7', '"sead":7'), *lines[1:]],
    "a blank line": lambda lines: [*lines[:2], "", *lines[2:]],
    "half a line in the middle": lambda lines: [*lines[:2], lines[2][: len(lines[2]) // 2], *lines[3:]],
    "an extra key of a fighter": lambda lines: [
        lines[0].replace('"gone":false', '"gone":false,"x":1'),
        *lines[1:],
    ],
}


@pytest.mark.parametrize("how", TAMPERED)
def test_a_tampered_journal_is_reported_with_its_line(fought: Player, how: str) -> None:
    lines = fought.journal.read_text("utf-8").splitlines()
    fought.journal.write_text("\n".join(TAMPERED[how](lines)) + "\n", "utf-8")
    for words in (*READING, *WRITING):
        shown = fought(words)
        assert shown.status in (4, 1) if words == "verify" else shown.status == 4, (words, shown)
        if shown.status == 4:
            assert "line" in shown.err or "system" in shown.err or "seed" in shown.err, shown.err


def test_a_sheet_in_the_header_that_breaks_the_schema_is_no_traceback(fought: Player) -> None:
    head, rest = fought.journal.read_text("utf-8").split("\n", 1)
    record = json.loads(head)
    record["fighters"][0]["sheet"] = {}
    fought.journal.write_text(json.dumps(record) + "\n" + rest, "utf-8")
    for words in (
        *READING,
        "next",
        "attack drone",
        "check melee --difficulty 3",
        "heal",
        "odds attack drone",
        "end",
    ):
        assert fought(words).status in STATUSES


def test_the_opened_time_of_a_foreign_journal_is_no_path(fought: Player) -> None:
    text = fought.journal.read_text("utf-8").replace("2026-11-20T19:07:02Z", "../../../x")
    fought.journal.write_text(text, "utf-8")
    fought("end")
    assert not list(fought.here.parent.glob("x*.jsonl"))
    assert [name for name in fought.files() if name.startswith("crisis-") and "/" not in name]


class TestLocked:
    """Another program holds the journal."""

    def test_it_is_reported_and_nothing_changes(
        self, fought: Player, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from crisis_cli.sheets import files

        monkeypatch.setattr(files, "LOCK_TIMEOUT", 0.1)
        holder = (
            "import sys; from pathlib import Path; from crisis_cli.sheets.files import locked\n"
            "with locked(Path(sys.argv[1]), ''): print('held', flush=True); sys.stdin.read()"
        )
        with subprocess.Popen(
            [sys.executable, "-c", holder, str(fought.journal)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as other:
            assert other.stdout and other.stdout.readline() == "held\n"
            for words in (
                "next",
                "undo",
                "set jack health 3",
                "note x",
                "rewind 1",
                "auto",
                "auto jack on",
                "end",
            ):
                assert fought.refused(4, words + " --json").error["code"] == "locked"
            for words in READING:
                fought.ok(words)
            other.communicate("")
        fought.ok("next")

    def test_a_lock_left_by_the_dead_locks_nobody_out(self, fought: Player) -> None:
        (fought.here / ".crisis.jsonl.lock").write_text("left over", "utf-8")
        fought.ok("next")
        assert not list(fought.here.glob(".*"))

    def test_a_fighter_who_waited_for_a_lock_that_was_put_away_takes_another(
        self, fought: Player, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Two may have the same lock file open; the one who is let in after it was removed is not alone there."""
        from crisis_cli.sheets import files

        try_lock, removed = files._try_lock, []

        def late(held: int) -> bool:
            if not removed:
                removed.append(held)
                (fought.here / ".crisis.jsonl.lock").unlink()
            return try_lock(held)

        monkeypatch.setattr(files, "_try_lock", late)
        with files.locked(fought.journal, ""):
            assert (fought.here / ".crisis.jsonl.lock").exists()
        assert removed and not list(fought.here.glob(".*"))

    def test_no_lock_is_held_while_a_person_thinks(self, fought: Player) -> None:
        """Another command runs while the player looks for the dice: then this one is not recorded on top of it."""

        def answer(prompt: str) -> str:
            fought.ok("set jack health 5")
            return "1 1 1"

        shown = fought("check jack melee --difficulty 3 --real-dice", answers=answer)
        assert shown.status in (0, 4)
        assert fought.fighter("Jack")["pools"]["health"] == 5
        assert fought.ok("verify").status == 0


@pytest.mark.slow
def test_many_writers_at_once_leave_a_journal_that_holds_every_success(fight: Player) -> None:
    """Parallel processes: each that said it was done is in the journal, the rest said why not."""
    env = program_env(fight.here)
    lines = [("set", "jack", "health", str(number), "--json") for number in range(1, 9)]
    lines += [("check", "jack", "melee", "--difficulty", "9", "--json")] * 4
    running = [
        subprocess.Popen(
            [*PROGRAM, *words],
            cwd=fight.here,
            env=env,
            text=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for words in lines
    ]
    numbers = []
    for one in running:
        out, err = one.communicate(timeout=60)
        assert one.returncode in (0, 4), err
        assert "Traceback" not in err
        if one.returncode == 0:
            numbers.append(json.loads(out)["number"])
    assert len(numbers) == len(set(numbers)) >= 2
    assert fight.ok("verify --json").record["entries"] == 1 + len(numbers)
    assert sorted(numbers) == list(range(2, 2 + len(numbers)))


def test_two_openers_at_once_open_one_crisis(crisis: Player, sheets: object) -> None:
    env = program_env(crisis.here)
    running = [
        subprocess.Popen(
            [*PROGRAM, "init", "jack", "--vs", "drone", "--open", "--seed", str(seed)],
            cwd=crisis.here,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for seed in range(4)
    ]
    for one in running:
        one.communicate(timeout=60)
    assert sorted(one.returncode == 0 for one in running) == [False, False, False, True]
    assert all(one.returncode in (0, 3, 4) for one in running)
    assert crisis.ok("verify --json").record["entries"] == 1


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_journal_that_is_no_file_is_refused_and_not_waited_for(program: Program, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.jsonl")
    for name in ("pipe.jsonl", "/dev/zero", "/dev/full", "."):
        try:
            done = program("--file", name, "status", timeout=120, preexec_fn=_little_memory)
        except subprocess.TimeoutExpired:
            pytest.fail(f"{name} is read for ever")
        assert done.returncode == 4 and "Traceback" not in done.stderr, (name, done)


def _little_memory() -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (600_000_000, 600_000_000))


def test_a_crisis_that_is_ended_while_a_person_thinks_is_reported(fought: Player) -> None:
    def answer(prompt: str) -> str:
        fought.ok("end --no-save")
        return "1 1 1"

    shown = fought("check jack melee --difficulty 3 --real-dice --json", answers=answer)
    told = json.loads(shown.err.splitlines()[-1])
    assert (shown.status, told["error"]["code"]) == (4, "removed")
    assert not fought.journal.exists(), "nothing comes back to life"


def test_what_can_be_done_with_a_broken_journal_is_reported(fought: Player) -> None:
    """The hint is a way on: the lines it tells of make a crisis that goes on."""
    whole = fought.journal.read_bytes().splitlines(keepends=True)
    fought.journal.write_bytes(b"".join([*whole[:3], b"{}\n", *whole[3:]]))
    assert "the 3 lines before it are whole" in fought("status").err
    (fought.here / "kept.jsonl").write_bytes(b"".join(whole[:3]))
    fought.ok("--file kept.jsonl next")
    fought.journal.write_bytes(b"{}\n" + b"".join(whole))
    assert "move it away" in fought("status").err


@pytest.mark.parametrize("words", ["log", "log --explain", "log --json", "replay", "explain 1", "log 1"])
def test_an_entry_that_cannot_be_shown_is_reported_by_its_number(crisis: Player, words: str) -> None:
    """What an outcome holds is the system's own: another hand may have put anything there."""
    crisis.ok("init ines --vs looter --open --seed 5")
    lines = [json.loads(line) for line in crisis.journal.read_text("utf-8").splitlines()]
    lines[1]["outcome"]["teams"] = 7
    crisis.journal.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    shown = crisis(words)
    if words != "explain 1" or shown.status:
        assert shown.status == 4 and "entry 1, init" in shown.err and "crisis verify" in shown.err
    assert crisis("verify").status == 1
    crisis.ok("next")


@pytest.mark.parametrize("line", ["init jack --vs drone --open", "play jack --vs drone --auto"])
def test_a_folder_that_is_missing_is_not_made(crisis: Player, sheets: object, line: str) -> None:
    error = crisis.refused(4, f"--file no/such/fight.jsonl {line} --seed 1 --json").error
    assert error["code"] == "cannot_write" and "there is no folder no/such" in error["message"]
    assert "make the folder first" in error["hint"] and not (crisis.here / "no").exists()


def test_a_key_that_is_missing_is_named(crisis: Player) -> None:
    """Whatever key is taken from a roll: no message names an exception of Python."""
    crisis.ok("init cass --vs ghoul --open --seed 3")
    crisis.ok("attack ghoul --by cass --force --seed 1")
    whole = [json.loads(line) for line in crisis.journal.read_text("utf-8").splitlines()]
    roll, named = whole[2]["rolls"][0], set()
    for part in ("reckoning", "about"):
        for key in roll[part]:
            lines = json.loads(json.dumps(whole))
            del lines[2]["rolls"][0][part][key]
            crisis.journal.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
            for words in ("log", "log --explain", "log --json", "verify", "replay"):
                shown = crisis(words)
                assert "Error" not in shown.err + shown.out, shown
                if f"entry 2, attack, cannot be shown: it has no {key!r}" in shown.err:
                    named.add(key)
    assert "target" in named
