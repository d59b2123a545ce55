"""How long the prompt of a fight of ten takes, beside a bare session of prompt_toolkit: to compare, not to judge.

CRISIS_ROUNDS=15 pytest tests/benchmarks/test_prompt_speed.py -s
"""

from __future__ import annotations

import os
import select
import struct
import subprocess
import sys
import time
from pathlib import Path
from statistics import median

import pytest
from beside import PARTIES, ROUNDS, report
from conftest import Player, program_env

pty = pytest.importorskip("pty", reason="no pseudo-terminals here")
import fcntl  # noqa: E402 (only where there are pseudo-terminals)
import termios  # noqa: E402

pytestmark = [pytest.mark.timing, pytest.mark.slow]

BARE = """
from prompt_toolkit import PromptSession
session = PromptSession()
while True:
    try:
        session.prompt("\\u203a ")
    except EOFError:
        break
"""
GAME = "import sys; sys.argv[1:] = ['play']; from crisis_cli.fast_path import main; main()"
MARK = "›".encode()
KEYS = b"atodd\x7f\x7f\x7f\x7f\x7f"
ENTERS = 4
QUIET, STILL = 0.06, 0.5
"""Seconds without a byte after which a redraw is over; and a beginning."""
WHERE, HERE = b"\x1b[6n", b"\x1b[1;1R"
"""What a terminal is asked, and answers."""


class Sat:
    """A program at a terminal, with a watch beside it."""

    def __init__(self, code: str, here: Path, env: dict[str, str]):
        self.mine, theirs = pty.openpty()
        fcntl.ioctl(self.mine, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.begun = time.perf_counter()
        self.running = subprocess.Popen(
            [sys.executable, "-c", code], stdin=theirs, stdout=theirs, stderr=theirs, cwd=here, env=env
        )
        os.close(theirs)

    def read(self, patience: float) -> bytes:
        """What is printed next; nothing where nothing is for so many seconds."""
        if not select.select([self.mine], [], [], patience)[0]:
            return b""
        try:
            more = os.read(self.mine, 65536)
        except OSError:
            return b""
        if WHERE in more:
            os.write(self.mine, HERE)
        return more

    def first(self) -> float:
        """Seconds until the first prompt."""
        seen = b""
        while MARK not in seen:
            more = self.read(20)
            assert more, seen
            seen += more
        shown = time.perf_counter() - self.begun
        while self.read(STILL):
            pass
        return shown

    def after(self, key: bytes) -> float:
        """Seconds until all that a key changes is drawn."""
        begun = last = time.perf_counter()
        os.write(self.mine, key)
        while self.read(QUIET):
            last = time.perf_counter()
        return last - begun

    def end(self) -> int:
        """Leave; the exit status."""
        os.write(self.mine, b"\x04")
        while self.running.poll() is None:
            self.read(0.1)
        os.close(self.mine)
        return self.running.returncode


def test_prompt(crisis: Player, tmp_path: Path) -> None:
    heroes, foes = PARTIES["3d6"]
    crisis.ok(f"init --open --seed 3 {heroes} --vs {foes}")
    env = program_env(tmp_path) | {"TERM": "xterm-256color", "CRISIS_DATA": str(tmp_path / "data")}
    codes = {"prompt_toolkit": BARE, "crisis play": GAME}
    found: dict[tuple[str, str], list[float]] = {}
    for _ in range(ROUNDS):
        for name, code in codes.items():
            table = Sat(code, tmp_path, env)
            found.setdefault(("first prompt", name), []).append(table.first())
            keys = [table.after(KEYS[at : at + 1]) for at in range(len(KEYS))]
            found.setdefault(("a key", name), []).append(median(keys))
            enters = [table.after(b"\r") for _ in range(ENTERS)]
            found.setdefault(("Enter", name), []).append(median(enters))
            assert table.end() == 0
    for what in ("first prompt", "a key", "Enter"):
        report({f"{what}: {name}": median(found[what, name]) for name in codes})
