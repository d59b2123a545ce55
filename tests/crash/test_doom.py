"""Every verb killed at a system call: nothing acknowledged is lost, no sheet is half written, nothing stays behind."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from conftest import ADA, NOW, PROGRAM, SHEETS, Player, Sheets, program_env

pytestmark = pytest.mark.slow

if os.name == "nt":
    pytest.skip("needs fork and SIGKILL", allow_module_level=True)

WOUNDS = ("set jack health 9", "set ada health 8", "set ada endurance 3", "set drone endurance 7")


class Death(NamedTuple):
    """What came of a command line that was to be killed."""

    status: int
    """Negative where it was killed."""
    calls: int
    out: str
    err: str
    beside: int = -1
    """The status of the command line that was carried out in the middle of it; -1 without one."""
    said_beside: str = ""
    """Its errors."""


class Doom:
    """Runs command lines that die at a given system call."""

    def __init__(self, aside: Path):
        self.out, self.err = aside / "out", aside / "err"
        env = program_env(aside)
        self.running = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("doomed.py"))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=env,
        )

    def __call__(
        self, here: Path, words: list[str], at: int = 0, half: bool = False, beside: list[str] | None = None
    ) -> Death:
        """Run a command line in a folder; it does not survive that call, which if it writes is `half` done. With
        another line `beside`, that one is carried out at that call, and nobody dies."""
        assert self.running.stdin and self.running.stdout
        asked: dict[str, object] = {
            "words": words,
            "here": str(here),
            "out": str(self.out),
            "err": str(self.err),
        }
        asked |= {"at": at, "half": half, "now": NOW, "beside": beside}
        self.running.stdin.write(json.dumps(asked) + "\n")
        self.running.stdin.flush()
        report = json.loads(self.running.stdout.readline())
        err = self.err.read_text("utf-8")
        assert "Traceback" not in err, err
        other = self.err.with_name(self.err.name + ".beside")
        said_beside = other.read_text("utf-8") if other.exists() else ""
        assert "Traceback" not in said_beside, said_beside
        out = self.out.read_text("utf-8", "replace") if self.out.exists() else ""
        self.out.unlink(missing_ok=True)
        return Death(report["status"], report["calls"], out, err, report["beside"], said_beside)


@pytest.fixture(scope="module")
def doom(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Doom]:
    """What kills."""
    found = Doom(tmp_path_factory.mktemp("doom"))
    yield found
    found.running.communicate()


class State(NamedTuple):
    """How things stand in a folder, as far as a player can see."""

    log: str
    """Of the open crisis; empty where none is open."""
    redone: int
    """Entries that can be redone."""
    archives: tuple[tuple[str, str], ...]
    sheets: tuple[tuple[str, bytes], ...]


def sheets_of(here: Path) -> tuple[tuple[str, bytes], ...]:
    """Every sheet, with its bytes."""
    return tuple((path.name, path.read_bytes()) for path in sorted((here / "characters").glob("*.toml")))


def state(here: Path) -> State:
    """How things stand, once the next command has put right what was cut short; every journal verifies."""
    player = Player(here)
    player("status")
    log, redone = "", 0
    if player.journal.exists():
        log = player("log --json").out
        assert log and player("verify").status == 0
        from crisis_cli.context import context_of

        journal = context_of(player.environment()).desk.journals.active()
        assert journal
        redone = len(journal.crisis.taken_back)
    archives = []
    for path in sorted(here.glob("crisis-*.jsonl")):
        archives.append((path.name, player.ok("replay", path.name, "--json").out))
        assert player("verify", path.name).status == 0
    return State(log, redone, tuple(archives), sheets_of(here))


def left_behind(here: Path) -> list[str]:
    """Drafts and locks that lie about."""
    return [path.name for path in here.rglob(".*") if path.is_file()]


def killed(
    doom: Doom, here: Path, words: list[str], at: int, half: bool, before: State, after: State
) -> Death:
    """Kill a command line, and see that the folder is as it was before, or as it is after."""
    death = doom(here, words, at, half)
    assert death.status == -9, (words, at, death)
    was, now = dict(before.sheets), dict(after.sheets)
    for name, data in sheets_of(here):
        assert data in (was.get(name), now.get(name)), f"{name} is half written: {words} at {at}"
    found = state(here)
    one_by_one = "save" in words or "--save" in words
    if one_by_one:
        # Sheets that one command writes beside each other are each whole; all of them are when it says so.
        assert found[:3] in (before[:3], after[:3]), (words, at)
    else:
        assert found in (before, after), (words, at)
    if death.out:
        assert found == after, (words, at, death.out)
    return death


def copied(here: Path, there: Path) -> Path:
    """A folder like another; links and times as well."""
    if there.exists():
        shutil.rmtree(there)
    shutil.copytree(here, there)
    # A journal says where the sheets of its fighters are.
    for path in there.glob("crisis*.jsonl"):
        os.utime(path, ns=(path.stat().st_atime_ns, (here / path.name).stat().st_mtime_ns))
    return there


ENDINGS = ("end", "end --no-save", "end; undo", "end; undo 2", "end; undo; redo")
"""Command lines, the last of which is killed."""


def ended(doom: Doom, tmp_path: Path, lines: list[str], most: int | None = None) -> int:
    """Kill the last of some lines at each of its calls, or at so many of them; how often."""
    *first, last = lines
    here = tmp_path / "here"
    here.mkdir()
    player, sheets = Player(here), Sheets(here / "characters")
    for stem, text in SHEETS.items():
        sheets.write(stem, text)
    sheets.write("ada", b"\xef\xbb\xbf" + ADA.replace("\n", "\r\n").encode() + b"# no line end")
    player.ok("init jack ada --vs drone --open --seed 7")
    for line in (*WOUNDS, *first):
        player.ok(line)
    kept = tmp_path / "kept"
    here.rename(kept)
    before = state(copied(kept, here))
    done = doom(copied(kept, here), last.split())
    after = state(here)
    assert done.status == 0 and before != after and done.calls > 8
    # Two undos that are written together reach the disk together, but where the power fails: then one is done.
    halves = (False,) if last == "undo 2" else (False, True)
    deaths = [(at, half) for at in range(1, done.calls + 1) for half in halves]
    if most:
        deaths = random.Random(7).sample(deaths, most)
    for at, half in deaths:
        killed(doom, copied(kept, here), last.split(), at, half, before, after)
        # Whatever became of it, what is done next puts it right, and nothing lies about.
        if not player.journal.exists():
            player.ok("undo")
        for line in ("set jack health 4", "set ada health 4", "end"):
            assert player(line).status == 0, (lines, at, line)
        assert left_behind(here) == [], (lines, at)
    return len(deaths)


@pytest.mark.parametrize("lines", ENDINGS)
def test_end_and_undo_of_end_survive_a_kill(tmp_path: Path, doom: Doom, lines: str) -> None:
    ended(doom, tmp_path, lines.split("; "), 8)


@pytest.mark.long
def test_end_and_undo_of_end_survive_a_kill_at_every_call(tmp_path: Path, doom: Doom) -> None:
    """And whole or half of what is written there."""
    kills = 0
    for lines in ENDINGS:
        (tmp_path / lines).mkdir()
        kills += ended(doom, tmp_path / lines, lines.split("; "))
    assert kills >= 200


def verbs(player: Player, chance: random.Random) -> list[str]:
    """What somebody may do next, however things stand."""
    if not player.journal.exists():
        return chance.choice(
            [
                ["init", "jack", "ada", "--vs", "drone", "--open", "--json"],
                ["init", "jack", "--vs", "drone:2", "--open", "--json"],
                ["undo", "--json"],
                ["undo", "2", "--json"],
                ["attack", "jack", "drone", "--save", "--json"],
                ["heal", "jack", "--save", "--json"],
                ["character", "reset", "jack"],
                ["character", "new", f"New{chance.randrange(10**9)}", "--system", "3d6"],
                ["character", "copy", "ada", f"copy{chance.randrange(10**9)}"],
            ]
        )
    scene = player("status --json").record
    turn, names = scene["actor"], [one["name"] for one in scene["fighters"]]
    other = next(name for name in names if name != turn)
    return chance.choice(
        [
            ["attack", other, "--json"],
            ["attack", other, "--force", "--json"],
            ["throw", other, "--force", "--json"],
            ["heal", turn, "--force", "--json"],
            ["check", turn, "melee", "--difficulty", "9", "--json"],
            ["act", "drop-prone", "--json"],
            ["act", "move", "--json"],
            ["next", "--json"],
            ["set", chance.choice(names), "health", str(chance.randint(5, 20)), "--json"],
            ["set", "jack", "condition:drunk", chance.choice(["on", "off"]), "--json"],
            ["note", "the lights go out", "--json"],
            ["join", "drone:2", "--json"],
            ["leave", other, "--json"],
            ["auto", turn, "on", "--json"],
            ["save", "--json"],
            ["undo", "--json"],
            ["undo", "--fresh", "--json"],
            ["redo", "--json"],
            ["rewind", str(chance.randint(1, 8)), "--json"],
            ["status"],
            ["log"],
            ["end", "--json"],
            ["end", "--no-save", "--json"],
        ]
    )


def walk(doom: Doom, tmp_path: Path, seed: int, kills: int) -> None:
    """A player who does whatever comes to mind, and is killed in the middle again and again."""
    chance = random.Random(seed)
    here, kept = tmp_path / "here", tmp_path / "kept"
    here.mkdir()
    for stem, text in SHEETS.items():
        Sheets(here / "characters").write(stem, text)
    player, done = Player(here), 0
    before = state(here)
    while done < kills:
        words = verbs(player, chance)
        copied(here, kept)
        whole = doom(here, words)
        if whole.status != 0:
            copied(kept, here)
            continue
        after = state(here)
        copied(kept, here)
        # Lines that are written together reach the disk together, but where the power fails.
        half = words[0] not in ("rewind", "undo") and chance.random() < 0.3
        # Files are worked on at the end of what a command does.
        at = chance.randint(1 if chance.random() < 0.3 else max(1, whole.calls - 15), whole.calls)
        killed(doom, here, words, at, half, before, after)
        done += 1
        # Half of the time it is done again, as a player would.
        again = doom(here, words) if chance.random() < 0.5 else None
        before = state(here)
        if again and again.status == 0 and words[0] == "save":
            assert before.sheets == after.sheets, "what a save was killed at, the next one makes up for"
    if not player.journal.exists():
        player.ok("init jack --vs drone --open")
    Sheets(here / "characters").write("jack", SHEETS["jack"])
    player("set jack health 11")
    player("end")
    player.ok("init jack --vs drone --open")
    assert left_behind(here) == []


@pytest.mark.parametrize("seed", range(2))
def test_a_player_killed_again_and_again_loses_nothing(tmp_path: Path, doom: Doom, seed: int) -> None:
    walk(doom, tmp_path, seed, 20)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(100, 125))
def test_a_thousand_kills_lose_nothing(tmp_path: Path, doom: Doom, seed: int) -> None:
    walk(doom, tmp_path, seed, 40)


@pytest.mark.parametrize(("seed", "kills"), [(2, 6), pytest.param(1, 50, marks=pytest.mark.long)])
def test_a_fight_that_plays_itself_is_killed(tmp_path: Path, doom: Doom, seed: int, kills: int) -> None:
    """Every action that was shown is in the journal, and the crisis goes on or has ended."""
    chance = random.Random(seed)
    for stem, text in SHEETS.items():
        Sheets(tmp_path / "characters").write(stem, text)
    words = ["play", "jack", "--vs", "drone", "--auto", "--seed", str(seed), "--save", "--json"]
    whole = doom(tmp_path, words)
    assert whole.status == 0 and whole.calls > 50
    ended = sheets_of(tmp_path)
    for _ in range(kills):
        shutil.rmtree(tmp_path / "characters")
        for path in tmp_path.glob("crisis*"):
            path.unlink()
        for stem, text in SHEETS.items():
            Sheets(tmp_path / "characters").write(stem, text)
        death = doom(tmp_path, words, chance.randint(1, whole.calls), chance.random() < 0.5)
        assert death.status == -9
        shown = [line for line in death.out.splitlines(keepends=True) if line.endswith("\n")]
        found = state(tmp_path)
        log = (found.log or "".join(log for _, log in found.archives)).splitlines(keepends=True)
        assert log[: len(shown)] == shown
        if found.log:
            again = doom(tmp_path, ["play", "--auto", "--save", "--json"])
            if again.status:
                # Killed between the action that decided it and its end: there is nothing left to play.
                assert again.status == 3 and '"decided"' in again.err
                assert doom(tmp_path, ["end", "--json"]).status == 0
            assert sheets_of(tmp_path) == ended
        for path in tmp_path.rglob(".*"):
            assert path.suffix == ".new", "a draft stays until the next one is written there; no lock does"


@pytest.mark.long
def test_the_real_program_killed_at_any_moment_of_an_end_or_its_undoing(tmp_path: Path, doom: Doom) -> None:
    """SIGKILL from outside, by the clock: two hundred times."""
    chance = random.Random(20_261_120)
    kept, here = tmp_path / "kept", tmp_path / "here"
    kept.mkdir()
    for stem, text in SHEETS.items():
        Sheets(kept / "characters").write(stem, text)
    kept.rename(here)
    player = Player(here)
    player.ok("init jack ada --vs drone --open --seed 7")
    for line in WOUNDS:
        player.ok(line)
    here.rename(kept)
    for number in range(200):
        words = ["end"] if number % 2 else ["undo"]
        copied(kept, here)
        if words == ["undo"]:
            player.ok("end")
        before = state(here)
        middle = tmp_path / "middle"
        copied(here, middle)
        assert doom(here, words).status == 0
        after = state(here)
        copied(middle, here)
        with subprocess.Popen(
            [*PROGRAM, *words],
            cwd=here,
            env=program_env(here),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        ) as running:
            assert running.stdout
            try:
                running.wait(chance.uniform(0.1, 0.6))
            except subprocess.TimeoutExpired:
                running.kill()
            shown = running.stdout.read()
        found = state(here)
        without_time = lambda one: one._replace(archives=tuple(name for name, _ in one.archives))  # noqa: E731
        assert without_time(found) in (without_time(before), without_time(after))
        if shown:
            assert without_time(found) == without_time(after)
