"""Random fights of every system, for the tests of stories."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import JOURNAL_OF_NOW, Player

from crisis_cli.engine.journal import Crisis
from crisis_cli.engine.system import System
from crisis_cli.sheets import journal_file
from crisis_cli.systems import load

SIDES = {
    "3d6": ("jack ada", "warden drone:2"),
    "step": ("vera moss", "raider:2 brute"),
    "d100": ("marshal ines bruno", "looter:4"),
    "2d20": ("cass doc", "ghoul:2 robot mutant"),
    "d6pool": ("hagen tilda", "bandit:2 revenant"),
}
"""Who fights whom."""


def fought(folder: Path, system: str, seed: int, rounds: int = 12) -> tuple[Player, str]:
    """A player in a folder with the journal of a fight, and the name of that journal."""
    player = Player(folder)
    ours, theirs = SIDES[system]
    player.ok(f"play {ours} --vs {theirs} --auto --seed {seed} --rounds {rounds}")
    return player, JOURNAL_OF_NOW


def read(folder: Path, name: str = JOURNAL_OF_NOW) -> tuple[Crisis, System]:
    """The crisis that a journal holds, and its system."""
    crisis = journal_file.read(folder / name, name).crisis
    return crisis, load(crisis.scene.system)


def seeds(few: int, many: int) -> list[object]:
    """Seeds for a test: a few in the suite, the rest under the mark `long`."""
    return [
        *range(1, few + 1),
        *(pytest.param(seed, marks=pytest.mark.long) for seed in range(few + 1, many + 1)),
    ]
