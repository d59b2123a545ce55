"""How long many fights take beside one that is played: to compare, not to judge.

CRISIS_ROUNDS=3 pytest tests/benchmarks/test_simulation_speed.py -s
"""

from __future__ import annotations

import gc
import os
import statistics
import subprocess
import sys
import time
from _random import Random as Dice
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest
from object_fights import Fight as ObjectFight
from simulations import DUELS, opening

from crisis_cli.dice.distribution import OddsTable, least_harm
from crisis_cli.dice.generator import generator
from crisis_cli.fast_path import GC_THRESHOLD
from crisis_cli.simulation.drawn import DrawnFights
from crisis_cli.simulation.fight import FightLimits, FightStart
from crisis_cli.simulation.fighting import MOST_TOGETHER, REMEMBERED, SEPARATE
from crisis_cli.simulation.memo import Memo
from crisis_cli.simulation.one_by_one import OneByOne
from crisis_cli.simulation.tally import Counts

pytestmark = [pytest.mark.timing, pytest.mark.slow]

FIGHTS, SHARED_FIGHTS, EXACT_FIGHTS = 10_000, 40_000, 100_000
ROUNDS = int(os.environ.get("CRISIS_ROUNDS", "0"))
"""With 0 nothing but a small part of it is run."""
WARM = {1: (131_072, 131_072, 200), 4: (131_072, 2_000, 8)}
"""By the size of a side, how many fights are drawn to learn their steps, how many are then timed at a time, and how
many are fought where nothing is timed."""
SIGMA = 3.0


class Taken(NamedTuple):
    """What a whole process has taken, those included that it has started."""

    wait: float
    """Seconds until it was over."""
    work: float
    """Seconds of processors."""
    memory: int
    """MB, the most at a time."""


def taken(words: str, folder: Path) -> Taken:
    """What a command takes."""
    begun = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "crisis_cli", *words.split()],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert not process.returncode
    return Taken(time.perf_counter() - begun, used.ru_utime + used.ru_stime, used.ru_maxrss // 1024)


@pytest.mark.parametrize("system", DUELS)
def test_ten_thousand_fights_beside_one_that_is_played(system: str, tmp_path: Path) -> None:
    """As one waits for both, simulating by all processors; and by one alone."""
    hero, foe = DUELS[system]
    fights = FIGHTS if ROUNDS else 2
    sides = f"{hero} --vs {foe} --apart 0" + ("" if ROUNDS else " --rounds 1")
    many = taken(f"simulate {sides} -n {fights} --seed 1 --quiet", tmp_path)
    alone = taken(f"simulate {sides} -n {fights} --seed 1 --quiet --jobs 1", tmp_path)
    played = statistics.median(
        taken(f"play {sides} --auto --no-journal --quiet --seed {seed}", tmp_path).wait
        for seed in ((1, 2, 3) if ROUNDS else (1,))
    )
    assert many.wait > 0 and played > 0
    print(
        f"\n{system}: {fights:,} fights {many.wait:.2f} s; one played {played:.2f} s: {many.wait / played:.1f}x; "
        f"with --jobs 1 {alone.wait:.2f} s, {alone.memory} MB: {alone.wait / played:.1f}x"
    )


def test_two_jobs_beside_any_two_processes(tmp_path: Path) -> None:
    """What two processes gain in one simulation, beside what two simulations gain that have nothing in common."""
    fights = SHARED_FIGHTS if ROUNDS else 2

    def seconds(fights: int, *jobs: int) -> float:
        line = f"simulate jack --vs drone --apart 0 -n {fights} --seed 1 --quiet" + (
            "" if ROUNDS else " --rounds 1"
        )
        begun = time.perf_counter()
        started = [
            subprocess.Popen(
                [sys.executable, "-m", "crisis_cli", *line.split(), "--jobs", str(many)],
                cwd=tmp_path,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            for many in jobs
        ]
        assert [one.wait() for one in started] == [0] * len(jobs)
        return time.perf_counter() - begun

    gains = []
    # A single timing of a second says little here, where four of them make one number.
    for _ in range(max(1, 3 * ROUNDS)):
        pair = 2 * seconds(fights // 2, 1) / seconds(fights // 2, 1, 1)
        gains.append((seconds(fights, 1) / seconds(fights, 2), pair))
    ours, pair = (statistics.median(column) for column in zip(*gains, strict=True))
    print(f"\ntwo jobs: {ours:.2f}x one; any two processes: {pair:.2f}x; {ours / pair:.2f} of that")


def as_drawn(memo: Memo, dice: Dice, learning: int, fights: int) -> Callable[[], tuple[float, int]]:
    """What gives the processor seconds of fights that are drawn, and how many of them the players win; first their
    steps are learnt."""
    together = DrawnFights(memo, FightLimits()) if memo.size <= MOST_TOGETHER else None
    separate = OneByOne(memo, FightLimits())
    block = SEPARATE if together is None else REMEMBERED

    def draw(fights: int) -> tuple[float, int]:
        begun = time.process_time()
        counts = Counts()
        for done in range(0, fights, block):
            many = min(block, fights - done)
            if together is not None:
                together.fight([*memo.opened(many, dice)], dice)
                together.count(counts)
            else:
                separate.fight(memo.lined_up(many, dice), dice)
                separate.count(counts)
        return time.process_time() - begun, counts.get(("wins", "players"), 0)

    draw(learning)
    return lambda: draw(fights)


def as_objects(opened: FightStart, random: Random, fights: int) -> tuple[float, int]:
    """The same of fights between plain objects."""
    sides: dict[str, list[Mapping[str, Any]]] = {}
    for one in opened.scene.fighters.values():
        sides.setdefault(one.side, []).append(one.sheet)
    begun = time.process_time()
    won = sum(ObjectFight(sides, random).play() == "players" for _ in range(fights))
    return time.process_time() - begun, won


@pytest.fixture
def garbage_as_in_the_program() -> Iterator[None]:
    """Garbage is collected as seldom as in the program."""
    before = gc.get_threshold()
    gc.set_threshold(GC_THRESHOLD)
    yield
    gc.set_threshold(*before)


@pytest.mark.parametrize("size", WARM)
@pytest.mark.usefixtures("garbage_as_in_the_program")
def test_warm_fights_beside_a_loop_over_objects(size: int) -> None:
    """Both play by the same rules, so the players win as many."""
    opened, (learning, fights, few) = opening("3d6", *DUELS["3d6"], size), WARM[size]
    if not ROUNDS:
        learning, fights = 0, few
    drawn = as_drawn(Memo(opened, OddsTable(least_harm)), generator(7, 0), learning, fights)
    random, won, times = Random(5), [0, 0], []
    for _ in range(max(1, ROUNDS)):
        (ours, first), (theirs, second) = drawn(), as_objects(opened, random, fights)
        won = [won[0] + first, won[1] + second]
        times.append((theirs / ours, fights / ours))
    many = fights * max(1, ROUNDS)
    p = sum(won) / (2 * many)
    assert abs(won[0] - won[1]) / many < SIGMA * (2 * max(p * (1 - p), 1 / many) / many) ** 0.5, won
    ratio, speed = (statistics.median(column) for column in zip(*times, strict=True))
    print(f"\n{size} against {size}: {speed:,.0f} fights/s, {ratio:.2f}x those of a loop over objects")


@pytest.mark.parametrize("system", ["d100", "d6pool", "3d6"] if ROUNDS else ["d100"])
def test_an_exact_duel_beside_fights_of_the_same(system: str, tmp_path: Path) -> None:
    hero, foe = DUELS[system]
    fights = EXACT_FIGHTS if ROUNDS else EXACT_FIGHTS // 1_000
    exact = taken(f"odds duel {hero} {foe} --quiet", tmp_path)
    many = taken(f"simulate {hero} --vs {foe} --apart 0 -n {fights} --seed 1 --jobs 1 --quiet", tmp_path)
    assert exact.work > 0 and many.work > 0
    print(
        f"\n{system}: exact {exact.work:.2f} s, {exact.memory} MB; {fights:,} fights {many.work:.2f} s: "
        f"{exact.work / many.work:.2f}x"
    )
