"""Blocks of fights shared among processes: the same counts however many there are, and if one is killed."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from simulations import FightWords, opened

from crisis_cli.ai.doctrine_store import DoctrineStore
from crisis_cli.signals import Stop
from crisis_cli.simulation import block
from crisis_cli.simulation.block import FIGHTS, PLAIN, Fighting, Merged, Terms, Work, run
from crisis_cli.simulation.fight import FightLimits
from crisis_cli.simulation.tally import Counts

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs processes that are forked")
START = opened(FightWords("d100", "bruno", "marshal"))


def fighting() -> Fighting:
    return Fighting(Terms(START, PLAIN, FightLimits(), 3, DoctrineStore().named))


def fought(jobs: int, fights: int = 300, progress: Callable[[int], None] = lambda done: None) -> Counts:
    return run(fighting(), Work(fights, Stop(), jobs, progress=progress))


@pytest.mark.parametrize("fights", [1, 3, 4, 5, 31, 129, 20_000])
def test_blocks_have_all_fights(fights: int) -> None:
    blocks = Work(fights, Stop()).blocks
    assert [number for number, _ in blocks] == [*range(len(blocks))]
    assert sum(size for _, size in blocks) == fights and max(size for _, size in blocks) <= 256


@needs_fork
def test_processes_count_what_one_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(block, "WORTH_SHARING", 0.0)
    shown: list[int] = []
    alone = fought(1)
    assert alone[FIGHTS] == 300
    assert fought(2, progress=shown.append) == fought(3) == alone
    assert shown == sorted(shown) and shown[-1] == 300


@needs_fork
def test_what_a_killed_process_leaves_is_fought_by_its_caller(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(block, "WORTH_SHARING", 0.0)
    caller, real = os.getpid(), Fighting.block

    def killed(self: Fighting, one: block.Block, *more: Any) -> Counts:
        if one[0] == 9 and os.getpid() != caller:
            os.kill(os.getpid(), signal.SIGKILL)
        return real(self, one, *more)

    monkeypatch.setattr(Fighting, "block", killed)
    assert fought(2) == fought(1)


@needs_fork
def test_a_signal_leaves_the_fights_that_are_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(block, "WORTH_SHARING", 0.0)
    for jobs in (1, 2):
        work = Work(1_000_000, Stop(), jobs)

        def ask(stop: Stop = work.stop) -> None:
            stop.signal = signal.SIGINT

        threading.Timer(0.4, ask).start()
        begun = time.monotonic()
        counts = run(fighting(), work)
        assert time.monotonic() - begun < 5
        assert 0 < counts[FIGHTS] < 1_000_000
        assert sum(count for key, count in counts.items() if key[0] == "wins") == counts[FIGHTS]


def test_blocks_count_in_their_order_until_they_are_enough() -> None:
    merged = Merged(Work(16, Stop(), enough=lambda counts: counts[FIGHTS] >= 8))
    merged.take(1, {FIGHTS: 4, ("wins", "players"): 1})
    assert not merged.counts and not merged.is_done
    merged.take(3, {FIGHTS: 4, ("wins", "players"): 4})
    merged.take(0, {FIGHTS: 4, ("wins", "players"): 2})
    assert merged.is_done and merged.all() == {FIGHTS: 8, ("wins", "players"): 3}
