"""Whole fights as the player sees them: each transcript is played again, and reads as it did.

A transcript is a text file: a line that begins with `$ ` is a command, the lines after it are what it prints;
a line that begins with `# ` tells the reader something. The sheets are those that are shipped.
To write one anew: python tests/transcripts/test_transcripts.py [NAME].
"""

from __future__ import annotations

import shlex
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[1]))

from conftest import JOURNAL_NAME, Player

from crisis_cli import systems

pytestmark = pytest.mark.slow

HERE = Path(__file__).parent
TRANSCRIPTS = sorted(HERE.glob("*.txt"))


def said(command: str, here: Path) -> str:
    """What a command prints, in a folder of its own."""
    words = shlex.split(command)
    assert words[0] == "crisis", command
    shown = Player(here)(*words[1:])
    # The name of an archived journal has the time in it.
    return shown.out + JOURNAL_NAME.sub("", shown.err)


def played(text: str, here: Path) -> Iterator[str]:
    """The lines of a transcript, with what its commands print now."""
    for line in text.splitlines():
        if line.startswith("$ "):
            yield line
            yield from said(line[2:], here).splitlines()
        elif line.startswith("# "):
            yield line


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_a_fight_played_again_reads_as_it_did(path: Path, tmp_path: Path) -> None:
    text = path.read_text("utf-8")
    assert text.startswith(("$ crisis ", "# ")), "it begins with a command, or with what it is about"
    assert list(played(text, tmp_path)) == text.splitlines()


@pytest.mark.parametrize("name", tuple(systems.SYSTEMS))
def test_every_system_has_a_whole_fight(name: str) -> None:
    """A system without a transcript, or one that is only a scene of a fight, fails here."""
    commands = [
        one.split()[2:] for one in (HERE / f"{name}.txt").read_text("utf-8").splitlines() if one[:2] == "$ "
    ]
    verbs = {words[0] for words in commands}
    assert {"init", "attack", "heal", "next", "odds", "status"} <= verbs


def written(path: Path) -> None:
    """Write a transcript anew from its own commands."""
    with tempfile.TemporaryDirectory() as here:
        lines = list(played(path.read_text("utf-8"), Path(here)))
    path.write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    for one in TRANSCRIPTS:
        if one.stem in sys.argv[1:] or len(sys.argv) == 1:
            written(one)
