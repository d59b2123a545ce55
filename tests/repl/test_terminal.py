"""Whole fights in a real pseudo-terminal, with nothing but the keyboard, and what the screens look like."""

from __future__ import annotations

import fcntl
import os
import re
import select
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from conftest import PROGRAM, Player, program_env

pty = pytest.importorskip("pty", reason="no pseudo-terminals here")
import termios  # noqa: E402 (only where there are pseudo-terminals)

pytestmark = pytest.mark.slow

FIGHTS = {
    "3d6": ("jack", "drone", "set drone health 3"),
    "step": ("vera", "raider", "set raider health 3"),
    "d100": ("ines", "looter", "set looter health 3"),
    "2d20": ("cass", "mutant", "set mutant hp 2"),
    "d6pool": ("hagen", "bandit", "set bandit wounds 9"),
}
"""A fight in each system, and what shortens it."""
PATIENCE = 120.0
ORDER = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b[()][0-9A-B]|\x1b[=>]|\x1b\][^\x07]*\x07|\r")
"""Orders to the terminal."""
F2, F8, F5 = "\x1bOQ", "\x1b[19~", "\x1b[15~"


class Keyboard:
    """The real program in a terminal of some size, and someone typing at it."""

    def __init__(self, here: Path, words: str, columns: int, env: dict[str, str]):
        mine, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        self.mine = mine
        self.running = subprocess.Popen(
            [*PROGRAM, *words.split()],
            cwd=here,
            env={**program_env(here), "TERM": "xterm-256color", **env},
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
            preexec_fn=_seated,
        )
        os.close(theirs)
        self.raw = ""
        self.at = 0
        """How much of it has been looked at."""

    def read(self, seconds: float) -> bool:
        """Read what comes within some time; whether anything did."""
        if not select.select([self.mine], [], [], seconds)[0]:
            return False
        try:
            more = os.read(self.mine, 65536).decode("utf-8", "replace")
        except OSError:
            return False
        if "\x1b[6n" in more:
            os.write(self.mine, b"\x1b[1;1R")
        self.raw += more
        return bool(more)

    def wait(self, *words: str) -> str:
        """Read until one of the words is shown and no more comes, and say which, the first ones first."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            if any(word in self.shown for word in words):
                self.settle()
                found = next(word for word in words if word in self.shown)
                self.at = len(self.raw)
                return found
            self.read(0.2)
        raise AssertionError(f"none of {words} in {self.shown!r}")

    @property
    def shown(self) -> str:
        """What has come since it was last looked at, without the orders to the terminal."""
        return ORDER.sub("", self.raw[self.at :])

    def settle(self) -> None:
        """Read until nothing comes any more."""
        while self.read(0.15):
            pass

    def type(self, keys: str) -> None:
        """Press keys."""
        os.write(self.mine, keys.encode())

    def end(self) -> int:
        """The exit status, all read."""
        until = time.monotonic() + PATIENCE
        while self.running.poll() is None and time.monotonic() < until:
            self.read(0.1)
        self.settle()
        os.close(self.mine)
        return self.running.wait(1)


def _seated() -> None:
    """The terminal is the one that controls the program, whose keys it obeys."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


@pytest.fixture
def seated(tmp_path: Path) -> Iterator[Callable[..., Keyboard]]:
    """What starts the program in a terminal of its own."""
    started: list[Keyboard] = []

    def begin(words: str, columns: int = 80, **env: str) -> Keyboard:
        started.append(Keyboard(tmp_path, words, columns, env))
        return started[-1]

    yield begin
    for one in started:
        if one.running.poll() is None:
            one.running.kill()
            one.running.wait(PATIENCE)


@pytest.mark.parametrize("system", tuple(FIGHTS))
def test_a_fight_is_played_from_the_first_prompt_to_the_end(
    system: str, seated: Callable[..., Keyboard], crisis: Player
) -> None:
    hero, foe, shorter = FIGHTS[system]
    table = seated(f"play {hero} --vs {foe} --seed 3 --apart 0", 80 if system != "d6pool" else 120)
    mark, asked = f"{hero.title()} ›", f"{hero.title()}: "
    table.wait(mark)
    table.type(shorter + "\r")
    for _ in range(60):
        over = table.wait("win", "error:", "responds?", mark, asked)
        if over == "win":
            break
        table.type({mark: f"attack {foe}\r", asked: "1\r", "responds?": "\r"}.get(over, F8))
    else:
        raise AssertionError("sixty lines, and no end")
    table.type("end --yes\r")
    assert table.end() == 0
    ended = next(iter(crisis.here.glob("crisis-*.jsonl")))
    assert crisis.ok("verify", ended.name, "--json").record["verified"] is True


@pytest.mark.parametrize("columns", [80, 120])
def test_the_screen_holds_the_field_the_line_and_the_keys(
    columns: int, seated: Callable[..., Keyboard]
) -> None:
    table = seated("play jack ada --vs drone:3 --seed 5", columns)
    table.wait("F8 next")
    shown = ORDER.sub("", table.raw)
    assert all(name in shown for name in ("Jack", "Ada", "Drone 1", "Drone 2", "Drone 3"))
    assert "Endurance" in shown and "AP ●" in shown and "F1 help" in shown
    table.type("attack dr")
    table.wait("harm")
    table.type("\x03\x04")
    assert table.end() == 0


@pytest.mark.parametrize("env", [{"NO_COLOR": "1"}, {"TERM": "dumb"}], ids=["no-color", "dumb"])
def test_it_plays_without_colour_and_on_a_dumb_terminal(
    env: dict[str, str], seated: Callable[..., Keyboard], crisis: Player
) -> None:
    table = seated("play jack --vs drone --seed 7", **env)
    table.wait("Jack ›")
    table.type("drop-prone\r")
    table.wait("AP left")
    # Keys that are typed while a dumb terminal shows no prompt are lost.
    until = time.monotonic() + PATIENCE
    while "TERM" in env and ORDER.sub("", table.raw).count("Jack ›") < 2 and time.monotonic() < until:
        table.read(0.2)
    table.type("\x04")
    assert table.end() == 0
    assert not re.search(r"\x1b\[[0-9;]*3[1-7]m", table.raw), "no colour"
    assert [one["action"] for one in crisis.ok("log --json").records] == ["init", "drop-prone"]


@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGHUP, signal.SIGTERM], ids=lambda one: one.name)
def test_killing_the_terminal_loses_nothing(
    sent: signal.Signals, seated: Callable[..., Keyboard], crisis: Player
) -> None:
    table = seated("play jack --vs drone --seed 7")
    table.wait("›")
    table.type("drop-prone\r")
    table.wait("to the ground")
    os.kill(table.running.pid, sent)
    table.end()
    assert crisis.fighter(crisis.ok("status --json").record["actor"])["conditions"]
    again = seated("play")
    again.wait("›")
    again.type("\x04")
    assert again.end() == 0


@pytest.mark.skipif(sys.platform == "win32", reason="no job control here")
def test_ctrl_c_in_a_question_changes_nothing(seated: Callable[..., Keyboard], crisis: Player) -> None:
    table = seated("play jack --vs drone --seed 7 --real-dice")
    table.wait("throw")
    table.type("\x03")
    assert table.end() == 130
    assert not crisis.journal.exists()


def test_f5_undoes_in_the_terminal(seated: Callable[..., Keyboard], crisis: Player) -> None:
    table = seated("play jack --vs drone --seed 7")
    table.wait("›")
    table.type("drop-prone\r")
    table.wait("to the ground")
    table.type(F5)
    table.wait("undone")
    table.type("\x04")
    assert table.end() == 0
    assert [one["action"] for one in crisis.ok("log --json").records] == ["init"]


def test_a_crisis_goes_on_where_it_was_left(seated: Callable[..., Keyboard], crisis: Player) -> None:
    crisis.ok("init jack --vs drone --open --seed 3")
    before = crisis.ok("log --json").out
    table = seated("play")
    table.wait("Jack ›")
    table.type("note here again\r")
    table.wait("here again")
    table.type("nonsense\r")
    table.wait("error:")
    table.type("\x04")
    assert table.end() == 0
    assert crisis.ok("log --json").out.startswith(before)
    assert "here again" in crisis.ok("log").out


def test_f2_again_and_again_is_answered_each_time(seated: Callable[..., Keyboard]) -> None:
    """Keys that come while a line is done, while chances are worked out and while the screen is drawn."""
    table = seated("play jack ada --vs drone:3 --seed 5")
    table.wait("›")
    for turn in range(12):
        table.type(F2 * (1 + turn % 3) + ("attack dr" if turn % 4 == 0 else "\x15"))
        table.read(0.02)
    table.settle()
    table.type("\x15note still here\r")
    table.wait("still here")
    table.type("\x15\x04")
    assert table.end() == 0
    shown = ORDER.sub("", table.raw)
    assert "Traceback" not in shown and "Unhandled" not in shown and "Press ENTER" not in shown


@pytest.mark.parametrize("option", ["--real-dice", "--mine"])
def test_the_dice_of_the_player_are_asked_for_when_a_crisis_is_resumed_by_play_alone(
    seated: Callable[..., Keyboard], crisis: Player, option: str
) -> None:
    crisis.ok("init jack --vs drone --open --seed 3 --dice 6,6,6,1,1,1")
    table = seated(f"play {option}")
    table.wait("Jack ›")
    table.type("\x04")
    assert table.end() == 0
    table = seated("play")
    table.wait("Jack ›")
    table.type("attack drone\r")
    table.wait("13 or more on the dice hits")
    table.type("6 4 3\r")
    table.wait("= 16 against")
    table.type("\x04")
    assert table.end() == 0
    assert crisis.ok("log --json").records[-1]["rolls"][0]["faces"] == [6, 4, 3]


def test_ctrl_c_between_two_lines_leaves_the_prompt_open(
    seated: Callable[..., Keyboard], crisis: Player
) -> None:
    table = seated("play jack --vs drone --seed 7")
    table.wait("›")
    for line in ("hide", "undo", "drop-prone", "undo"):
        table.type(f"{line}\r")
        table.read(0.05)
        os.kill(table.running.pid, signal.SIGINT)
        table.read(0.3)
    table.settle()
    table.type("note still here\r")
    table.wait("still here")
    assert "Traceback" not in table.raw and "never awaited" not in table.raw
    table.type("\x04")
    assert table.end() == 0


def test_plain_words_and_single_keys_in_the_terminal(seated: Callable[..., Keyboard], crisis: Player) -> None:
    table = seated("play jack --vs drone --seed 7")
    table.wait("Jack ›")
    table.type("Drop prone, please!\r")
    table.wait("= drop-prone")
    table.type("help attack\r")
    table.wait("[more]")
    table.type(" ")
    table.wait("more lines: [more]")
    table.type("b\r")
    table.wait("Usage: attack")
    # A letter begins a line; the question is no line to be read by itself.
    table.type("best\r")
    table.wait("Enter runs it: ")
    table.settle()
    table.type("stand-up quickly\r")
    table.wait("stand-up? [y]")
    table.type("n\r")
    table.wait("F8 next")
    table.type("q\r")
    assert table.end() == 0
    assert "to go on: crisis play" in table.shown
    assert [one["action"] for one in crisis.ok("log --json").records] == ["init", "drop-prone"]
