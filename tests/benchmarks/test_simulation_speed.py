"""What many fights take beside another installation of crisis: to compare, not to judge.

CRISIS_ROUNDS=3 CRISIS_BESIDE=/path/to/other/bin/python pytest tests/benchmarks/test_simulation_speed.py -s
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
from conftest import program_env

pytestmark = [pytest.mark.timing, pytest.mark.slow]

LINES = (
    "simulate cass doc --vs mutant:2 -n 100",
    "simulate vera moss --vs raider:2 -n 100",
    "simulate vera --vs raider -n 1000",
    "simulate jack ada --vs drone:3 -n 2000",
    "simulate jack ada --vs drone:3 -n 6000",
    "simulate hagen --vs revenant -n 1000",
    "simulate bruno --vs marshal -n 1000",
    "simulate jack --vs drone --apart 0 -n 10000",
    "odds duel bruno marshal",
    "odds duel jack drone",
    "odds duel tilda bandit",
    "play drone:20 --vs drone:20 --auto --no-journal --seed 1",
)
ROUNDS = int(os.environ.get("CRISIS_ROUNDS", "0"))
"""With 0 nothing but a small part of it is run."""
BESIDE = os.environ.get("CRISIS_BESIDE", "")
"""The Python of another installation; empty: nothing is compared."""


class Taken(NamedTuple):
    """What a whole command has taken."""

    seconds: float
    """Of the processor."""
    megabytes: int
    """The most at a time."""


def taken(python: str, words: list[str], folder: Path) -> Taken:
    """What a command takes with the crisis of some Python."""
    with subprocess.Popen(
        [python, "-m", "crisis_cli", *words],
        cwd=folder,
        env=program_env(folder) | ({} if python == sys.executable else {"PYTHONPATH": ""}),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, words
    return Taken(used.ru_utime + used.ru_stime, used.ru_maxrss // 1024)


def test_simulated_fights_beside_another_installation(tmp_path: Path) -> None:
    for line in LINES if ROUNDS else ("simulate bruno --vs marshal -n 20",):
        words = [*line.split(), *(["--jobs", "1", "--seed", "1"] if line.startswith("simulate") else [])]
        runs = [[taken(python, words, tmp_path) for python in (sys.executable, BESIDE) if python]]
        runs += [
            [taken(python, words, tmp_path) for python in (sys.executable, BESIDE) if python]
            for _ in range(ROUNDS - 1)
        ]
        here, *other = [[run[at] for run in runs] for at in range(len(runs[0]))]
        seconds = statistics.median(one.seconds for one in here)
        said = f"{line:56} {seconds:6.2f} s {max(one.megabytes for one in here):4} MB"
        if other:
            beside = statistics.median(one.seconds for one in other[0])
            said += f"   beside {beside:6.2f} s: {beside / seconds:5.2f} times as fast"
        print(said)
        assert seconds > 0
