"""How long many fights take beside one that is played: to compare, not to judge.

CRISIS_ROUNDS=3 pytest tests/benchmarks/test_simulation_speed.py -s
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path

import pytest
from simulations import DUELS

pytestmark = [pytest.mark.timing, pytest.mark.slow]

FIGHTS, EXACT_FIGHTS = 10_000, 100_000
ROUNDS = int(os.environ.get("CRISIS_ROUNDS", "0"))
"""With 0 nothing but a thousandth of it is run."""


def taken(words: str, folder: Path) -> tuple[float, int]:
    """The processor seconds and the memory in MB of a whole process, children included."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begun = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "crisis_cli", *words.split()], cwd=folder, check=True, capture_output=True
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert time.perf_counter() > begun
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return used, after.ru_maxrss // 1024


@pytest.mark.parametrize("system", DUELS)
def test_ten_thousand_fights_beside_one_that_is_played(system: str, tmp_path: Path) -> None:
    hero, foe = DUELS[system]
    fights = FIGHTS if ROUNDS else FIGHTS // 1_000
    sides = f"{hero} --vs {foe} --apart 0"
    many, memory = taken(f"simulate {sides} -n {fights} --seed 1 --jobs 1 --quiet", tmp_path)
    played = statistics.median(
        taken(f"play {sides} --auto --no-journal --quiet --seed {seed}", tmp_path)[0] for seed in (1, 2, 3)
    )
    assert many > 0 and played > 0
    print(
        f"\n{system}: {fights:,} fights {many:.2f} s, {memory} MB; one played {played:.2f} s: {many / played:.1f}x"
    )


@pytest.mark.parametrize("system", ["d100", "d6pool"] if ROUNDS else ["d100"])
def test_an_exact_duel_beside_fights_of_the_same(system: str, tmp_path: Path) -> None:
    hero, foe = DUELS[system]
    fights = EXACT_FIGHTS if ROUNDS else EXACT_FIGHTS // 1_000
    exact, memory = taken(f"odds duel {hero} {foe} --quiet", tmp_path)
    many, _ = taken(f"simulate {hero} --vs {foe} --apart 0 -n {fights} --seed 1 --jobs 1 --quiet", tmp_path)
    assert exact > 0 and many > 0
    print(
        f"\n{system}: exact {exact:.2f} s, {memory} MB; {fights:,} fights {many:.2f} s: {exact / many:.2f}x"
    )
