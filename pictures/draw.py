"""Draw the pictures of the README: run crisis in a real pseudo-terminal, and write its screens as SVG.

    python pictures/draw.py            write pictures/NAME-light.svg and pictures/NAME-dark.svg
    python pictures/draw.py --check    compare them with the files; exit status 1 if one differs

It needs the test dependencies and a system with pseudo-terminals.
"""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Iterator
from html import escape
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

import pyte
from pyte.screens import Char

HERE = Path(__file__).parent
COLUMNS = 80
PATIENCE = 30.0
"""Seconds to wait for an expected text."""
QUIET = 0.4
"""Seconds without output after which a screen is complete."""
ENTER, TAB = "\r", "\t"


class Step(NamedTuple):
    """Keys to type, and a text that the screen shows once the program has answered."""

    keys: str
    shows: str


class Picture(NamedTuple):
    """One picture: a command, and what is typed once it runs."""

    name: str
    title: str
    """What the picture shows, for those who cannot see it."""
    command: str
    opens: str
    """A text that the screen shows once the command is ready."""
    steps: tuple[Step, ...] = ()
    rows: int = 24


PICTURES = (
    Picture(
        "prompt",
        "The prompt: the fighters with their pools as bars, and the targets of an attack with their chances",
        "crisis play jack ada --vs drone:2 --seed 7",
        "Ada ›",
        (Step("attack ", "attack"), Step(TAB, "harm")),
        16,
    ),
    Picture(
        "fight",
        "A fight: two attacks with their dice, and what the opponents do in return",
        "crisis play jack --vs drone --seed 18 --apart 2",
        "Jack ›",
        (
            Step("attack drone" + ENTER, "(2 AP left)"),
            Step("attack drone" + ENTER, "(0 AP left)"),
            Step("next" + ENTER, "Round 2"),
        ),
        24,
    ),
    Picture(
        "odds",
        "Exact odds of one attack: the chance to hit, and the distribution of the harm as bars",
        "crisis odds attack jack drone",
        "total of the roll",
        rows=40,
    ),
)


class Theme(NamedTuple):
    """The colours of a terminal."""

    background: str
    text: str
    named: dict[str, str]


THEMES = {
    "light": Theme(
        "#ffffff",
        "#24292f",
        {
            "black": "#24292f",
            "red": "#cf222e",
            "green": "#116329",
            "brown": "#7d4e00",
            "blue": "#0550ae",
            "magenta": "#8250df",
            "cyan": "#1b7c83",
            "white": "#6e7781",
        },
    ),
    "dark": Theme(
        "#0d1117",
        "#e6edf3",
        {
            "black": "#484f58",
            "red": "#ff7b72",
            "green": "#3fb950",
            "brown": "#d29922",
            "blue": "#58a6ff",
            "magenta": "#bc8cff",
            "cyan": "#39c5cf",
            "white": "#b1bac4",
        },
    ),
}


class Terminal:
    """A program in a pseudo-terminal, and what its screen shows."""

    def __init__(self, command: str, rows: int, folder: Path):
        self.screen = pyte.Screen(COLUMNS, rows)
        self.stream = pyte.ByteStream(self.screen)
        self.end, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, COLUMNS, 0, 0))
        path = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", "")))
        self.process = subprocess.Popen(
            command.split(),
            cwd=folder,
            env={"PATH": path, "HOME": str(folder), "TERM": "xterm-256color", "LANG": "C.UTF-8"},
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
        )
        os.close(theirs)

    def type(self, keys: str) -> None:
        """Type keys."""
        os.write(self.end, keys.encode())

    def wait(self, text: str) -> None:
        """Read until the screen shows a text and nothing more comes; TimeoutError if it never does."""
        until = time.monotonic() + PATIENCE
        while self._read() or text not in "\n".join(self.screen.display):
            if time.monotonic() > until:
                raise TimeoutError(f"no {text!r} on the screen:\n" + "\n".join(self.screen.display))

    def _read(self) -> bool:
        """Read what comes before a pause; whether anything came."""
        if not select.select([self.end], [], [], QUIET)[0]:
            return False
        try:
            output = os.read(self.end, 65536)
        except OSError:  # The program has ended.
            return False
        if b"\x1b[6n" in output:
            self.type(f"\x1b[{self.screen.cursor.y + 1};{self.screen.cursor.x + 1}R")
        self.stream.feed(output)
        return bool(output)

    def close(self) -> None:
        """End the program."""
        self.process.kill()
        self.process.wait()
        os.close(self.end)


Row = list[Char]


def photograph(picture: Picture) -> list[Row]:
    """The rows of the screen after all steps of a picture, without empty ones at the end."""
    with tempfile.TemporaryDirectory() as folder:
        terminal = Terminal(picture.command, picture.rows, Path(folder))
        try:
            terminal.wait(picture.opens)
            for step in picture.steps:
                terminal.type(step.keys)
                terminal.wait(step.shows)
        finally:
            terminal.close()
    rows = [[terminal.screen.buffer[row][column] for column in range(COLUMNS)] for row in range(picture.rows)]
    while rows and all(char.data == " " and not char.reverse for char in rows[-1]):
        rows.pop()
    return rows


WIDE, HIGH, EDGE = 8.4, 18, 14
"""The size of a character, and the margin, in pixels."""


def drawn(picture: Picture, rows: list[Row], theme: Theme) -> str:
    """A screen as SVG, its text as text."""
    width, height = COLUMNS * WIDE + 2 * EDGE, (len(rows) + 1) * HIGH + 2 * EDGE
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" role="img">',
        f"<title>{escape(picture.title)}</title>",
        f'<rect width="100%" height="100%" rx="8" fill="{theme.background}" stroke="{theme.named["white"]}"/>',
        f'<g font-family="ui-monospace, Menlo, Consolas, DejaVu Sans Mono, monospace" font-size="14" '
        f'fill="{theme.text}">',
        f'<text x="{EDGE}" y="{EDGE + HIGH * 0.75:g}">$ {escape(picture.command)}</text>',
    ]
    for number, row in enumerate(rows, start=1):
        lines += words(row, EDGE + number * HIGH, theme)
    return "\n".join([*lines, "</g>", "</svg>", ""])


def words(row: Row, top: float, theme: Theme) -> Iterator[str]:
    """The words of a row, each in its place and colour."""
    column = 0
    for (foreground, background, bold, reverse), chars in groupby(row, key=_look):
        text = "".join(char.data for char in chars)
        ink, paper = _colour(foreground, theme, theme.text), _colour(background, theme, theme.background)
        if reverse:
            ink, paper = paper, ink
        if paper != theme.background:
            left, width = EDGE + column * WIDE, len(text) * WIDE
            yield f'<rect x="{left:g}" y="{top:g}" width="{width:g}" height="{HIGH}" fill="{paper}"/>'
        look = f' fill="{ink}"' * (ink != theme.text) + ' font-weight="bold"' * bold
        # Word by word, so that columns stay in line whatever font there is.
        for word in re.finditer(r"\S+", text):
            left, width = EDGE + (column + word.start()) * WIDE, len(word[0]) * WIDE
            yield (
                f'<text x="{left:g}" y="{top + HIGH * 0.75:g}" textLength="{width:g}" '
                f'lengthAdjust="spacingAndGlyphs"{look}>{escape(word[0])}</text>'
            )
        column += len(text)


def _look(char: Char) -> tuple[str, str, bool, bool]:
    return char.fg, char.bg, char.bold, char.reverse


def _colour(name: str, theme: Theme, default: str) -> str:
    if name == "default":
        return default
    return theme.named.get(name.removeprefix("bright"), f"#{name}")


def pictures() -> Iterator[tuple[Path, str]]:
    """Every picture in every theme: its file, and what the file should hold."""
    for picture in PICTURES:
        rows = photograph(picture)
        for name, theme in THEMES.items():
            yield HERE / f"{picture.name}-{name}.svg", drawn(picture, rows, theme)


def main(arguments: list[str]) -> int:
    """Write the pictures, or with `--check` compare them; the exit status."""
    status = 0
    for path, svg in pictures():
        if "--check" not in arguments:
            path.write_text(svg, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != svg:
            print(f"{path.name} differs from the program; draw it again: python pictures/draw.py")
            status = 1
    return status


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
