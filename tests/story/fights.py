"""Random fights of every system, for the tests of stories."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import JOURNAL_OF_NOW, Player, slow_but

from crisis_cli.engine.journal import Crisis
from crisis_cli.engine.system import System
from crisis_cli.sheets import journal_file
from crisis_cli.systems import load

SIDES = {
    "3d6": ("jack ada", "drone:2"),
    "step": ("vera moss", "raider:2"),
    "d100": ("marshal ines", "looter:2"),
    "2d20": ("cass doc", "ghoul:2"),
    "d6pool": ("hagen tilda", "bandit:2"),
}
"""The fighters of both sides, by system."""
EVERY = slow_but(SIDES, "3d6")
"""All systems; those whose opponents think longer are left out of the fast lane."""


def fought(folder: Path, system: str, seed: int, rounds: int = 6) -> tuple[Player, str]:
    """A player in a folder with the journal of a fight, and the name of that journal; each fight is fought once."""
    player, key = Player(folder), (system, seed, rounds)
    if key not in JOURNALS:
        ours, theirs = SIDES[system]
        player.ok(f"play {ours} --vs {theirs} --auto --seed {seed} --rounds {rounds}")
        JOURNALS[key] = (folder / JOURNAL_OF_NOW).read_bytes()
    (folder / JOURNAL_OF_NOW).write_bytes(JOURNALS[key])
    return player, JOURNAL_OF_NOW


JOURNALS: dict[tuple[str, int, int], bytes] = {}
"""The journals of the fights so far."""


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
