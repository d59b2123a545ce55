"""What the screen of a real terminal shows at the moment when the player is asked: every hit taken since."""

from __future__ import annotations

import fcntl
import os
import re
import select
import signal
import struct
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import PROGRAM, Player, program_env

pty = pytest.importorskip("pty", reason="no pseudo-terminals here")
pyte = pytest.importorskip("pyte")
import termios  # noqa: E402 (only where there are pseudo-terminals)

from crisis_cli.systems import load  # noqa: E402 (after the skips)

pytestmark = pytest.mark.slow

FIGHTS = {
    "3d6": ("jack ada", "drone", 3, "set drone-1 health 4"),
    "step": ("vera moss", "raider", 3, "set raider-1 health 4"),
    "d100": ("ines bruno", "looter", 3, "set looter-1 health 3"),
    "2d20": ("cass doc", "mutant", 3, "set mutant-1 hp 2"),
    "d6pool": ("hagen tilda", "bandit", 3, "set bandit-1 wounds 4"),
}
"""A fight in each system: the fighters, their foes, and what makes it a little shorter."""
SEEDS = {"d100": 3}
"""Seeds of fights in which somebody is hit, where the usual one has no such fight."""
PATIENCE = 30.0
QUIET, LONG_QUIET = 0.05, 0.25
"""Seconds without output after which a line that ends in a prompt is one that waits; and after which keys have been
answered by the same line again."""
ASKED = re.compile(r"(?P<who>.+?) [›>]|(?P<question>.+\?(?: \[.+\])?)")
MOST_QUESTIONS = 40
"""A fight that is longer is looked at so far."""
ENOUGH = 2
"""Fighters hit after which the suite looks no further; with -m long it does."""


class Terminal:
    """The program in a terminal of 24 rows and 80 columns, whose screen can be read."""

    def __init__(self, here: Path, words: str, term: str):
        self.screen = pyte.Screen(80, 24)
        self.stream = pyte.ByteStream(self.screen)
        mine, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.mine = mine
        self.screen.write_process_input = lambda said: os.write(mine, said.encode())
        self.running = subprocess.Popen(
            [*PROGRAM, *words.split()],
            cwd=here,
            env={**program_env(here), "TERM": term},
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )
        os.close(theirs)

    def read(self, seconds: float) -> bool:
        """Read what comes within some time; whether anything did."""
        if not select.select([self.mine], [], [], seconds)[0]:
            return False
        try:
            more = os.read(self.mine, 65536)
        except OSError:
            return False
        self.stream.feed(more)
        return bool(more)

    def type(self, keys: str) -> None:
        """Press keys, and wait until the line with the prompt has changed, or has been written again."""
        before, answered = self.line, False
        os.write(self.mine, keys.encode())
        until = time.monotonic() + PATIENCE
        while self.line == before and time.monotonic() < until:
            if self.read(LONG_QUIET):
                answered = True
            elif answered:
                return

    @property
    def line(self) -> str:
        """The line with the cursor."""
        return str(self.screen.display[self.screen.cursor.y]).rstrip()

    @property
    def text(self) -> str:
        """All that the screen shows as one line, its signs those of a terminal with all of them."""
        shown = " ".join(" ".join(self.screen.display).split())
        return shown.replace("->", "→").replace(" -", " −")

    def wait(self) -> tuple[str, str]:
        """Wait until the player is asked; whose turn it is, or the question."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            if self.read(QUIET):
                continue
            asked = ASKED.fullmatch(self.line)
            if asked:
                return asked["who"] or "", asked["question"] or ""
        raise AssertionError("there is no question:\n" + "\n".join(self.screen.display))

    def close(self) -> None:
        """End the program."""
        if self.running.poll() is None:
            os.killpg(self.running.pid, signal.SIGKILL)
        self.running.wait(PATIENCE)
        os.close(self.mine)


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Callable[[str, str], Terminal]]:
    """What starts the program in a terminal of its own."""
    started: list[Terminal] = []

    def begin(words: str, term: str) -> Terminal:
        started.append(Terminal(tmp_path, words, term))
        return started[-1]

    yield begin
    for one in started:
        one.close()


def hits(
    entries: list[dict[str, Any]], own: list[str], system: str
) -> dict[tuple[str, str], list[tuple[int, int]]]:
    """What one's own fighters lost in these entries: `(fighter, label of the pool)` → each `(was, now)`."""
    pools, found = load(system).pools, {}
    for effect in (effect for entry in entries for effect in entry["effects"]):
        kind, _, sort = effect["what"].partition(":")
        pool = pools.get(kind)
        if effect["who"] not in own or pool is None or pool.spent or pool.gear:
            continue
        if (effect["now"] > effect["was"]) == pool.counts_up:
            label = f"{sort} {pool.label}" if sort else pool.label
            found.setdefault((effect["who"], label), []).append((effect["was"], effect["now"]))
    return found


def is_shown(who: str, label: str, taken: list[tuple[int, int]], text: str) -> bool:
    """Whether the sum of the hits stands behind the fighter's name, or each hit by itself."""
    by = sum(now - was for was, now in taken)
    sign = "−" if by < 0 else "[+]"
    summed = re.search(rf"{re.escape(who)}[^;]* {sign}{abs(by)} {re.escape(label)}", text)
    return bool(summed) or all(f"{label} {was} → {now}" in text for was, now in taken)


@pytest.mark.parametrize("enough", [ENOUGH, pytest.param(1_000, marks=pytest.mark.long)])
@pytest.mark.parametrize(
    ("system", "term"),
    [
        *((system, "xterm-256color") for system in FIGHTS),
        *(
            pytest.param(system, "dumb", marks=() if system == "3d6" else pytest.mark.long)
            for system in FIGHTS
        ),
    ],
)
def test_every_hit_taken_is_on_the_screen_when_the_player_is_asked(
    system: str, term: str, enough: int, terminal: Callable[[str, str], Terminal], crisis: Player
) -> None:
    ours, foe, count, shorter = FIGHTS[system]
    table = terminal(f"play {ours} --vs {foe}:{count} --seed {SEEDS.get(system, 11)}", term)
    lines, seen, taken = [shorter], 1, 0
    for _ in range(MOST_QUESTIONS):
        who, question = table.wait()
        entries = crisis.ok("log --json").records if crisis.journal.exists() else []
        status = crisis.ok("status --json").record if entries else None
        if status:
            own = [one["name"] for one in status["fighters"] if one["side"] == "players"]
            for (name, label), each in hits(entries[seen:], own, system).items():
                screen = "\n".join(table.screen.display)
                assert is_shown(name, label, each, table.text), (name, label, each, screen)
                taken += 1
            seen = len(entries)
        if who == "crisis" or taken >= enough:
            break
        if question:
            table.type("\r")
            continue
        if not lines:
            assert status is not None
            foes = [name for side, names in status["standing"].items() if side != "players" for name in names]
            lines = [f"attack {foes[0].lower().replace(' ', '-')}", "next"]
        table.type(lines.pop(0) + "\r")
    assert taken, "nobody was hit, so nothing was tried"


PLACE = """\
name = "The yard"
system = "3d6"
open = "It is dark. A dog barks."
won = "Quiet again."
map = '''
A..#....
A......B
A..#....
'''

[legend]
"#" = { name = "fence", stops = ["move", "sight"] }
A = { place = "gate" }
B = { place = "shed" }

[party]
sheets = ["jack"]
at = "gate"

[[fighter]]
sheet = "drone"
at = "shed"

[[event]]
round = 2
text = "Boots on the gravel."
add = [{ sheet = "drone", name = "Runner", at = "shed" }]

[[event]]
after = 3
text = "The lamps go out."
wins = "players"
"""
"""An encounter in which something happens in every round."""


@pytest.mark.parametrize("term", ["xterm-256color", "dumb"])
def test_what_happens_in_an_encounter_is_on_the_screen_when_the_player_is_asked(
    term: str, terminal: Callable[[str, str], Terminal], crisis: Player
) -> None:
    (crisis.here / "encounters").mkdir()
    (crisis.here / "encounters/yard.toml").write_text(PLACE, encoding="utf-8")
    table = terminal("play yard --seed 4", term)
    texts = {0: "It is dark. A dog barks."}
    seen, asked = 0, 0
    for _ in range(MOST_QUESTIONS):
        _, question = table.wait()
        entries = crisis.ok("log --json").records if crisis.journal.exists() else []
        now = {one["number"]: one["text"] for one in entries if one["action"] == "event"}
        texts |= now
        for number, words in texts.items():
            if number >= seen:
                assert words in table.text, "\n".join(table.screen.display)
                asked += 1
        seen = len(entries) + 1
        if entries and crisis.ok("status --json").record["decided"]:
            break
        table.type("\r" if question else "next\r")
    assert asked == 3, texts
    assert table.text.count("The players win.") == 1 and "Runner" in table.text
    table.type("map\r")
    table.wait()
    assert "fence: stops moves and sight" in table.text and "shed: 7,1" in table.text
    table.type("clear\r")
    table.wait()
    assert "fence" not in table.text or term == "dumb"
    table.type("end\r")
    while "or Enter to leave" not in table.text:
        assert table.read(PATIENCE), table.text
    table.type("\r")
    while table.read(PATIENCE):  # until it has ended
        pass
    assert "The players win after 3 rounds. Quiet again." in table.text
