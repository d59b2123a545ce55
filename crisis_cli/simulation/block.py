"""Blocks of fights, shared out among processes: the same seed gives the same counts, however many they are.

A block has a generator of its own, by the seed and its number, and nothing that other blocks have learnt changes what
it comes to. The first blocks are fought here; processes that share the others begin with all that is known by then.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from ..dice.distribution import OddsTable, least_harm
from ..dice.generator import generator
from ..signals import STOPPING, Stop
from ..values import NamedTuple
from .fight import Course, DoctrineCourse, Doctrines, EngineCourse, FightLimits, FightStart, play_fight
from .laws import DrawTable
from .steps import RememberedCourse
from .tally import FIGHTS, Counts, add

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

PLAIN, OWN = "plain", "own"
"""How fighters decide: by the plain policy, or each by the doctrine of its sheet."""
LEAST, MOST, PARTS = 4, 256, 32
"""Fights in a block: a part of all, but so many at least and at most."""
MOST_REMEMBERED = 8
"""Most fighters of fights that are remembered step by step: among more hardly any step is met twice."""
WORTH_SHARING = 0.5
"""Seconds that must be left for other processes to be worth starting."""
WAIT = 0.2
"""Seconds between two looks at whether a signal has come."""

Tick = Callable[[int], None]
"""Called with how many fights are done."""
Block = tuple[int, int]
"""The number of a block, and how many fights it has."""


class Terms(NamedTuple):
    """What decides how fights go: a block of the same number and size fought on the same terms has the same counts."""

    start: FightStart
    doctrine: str
    """`plain`; by anything else every fighter decides by the doctrine that it has in the scene."""
    limits: FightLimits
    seed: int
    doctrines: Doctrines
    """Gives the doctrine of a name."""


class Fighting:
    """Fights blocks on the same terms, and remembers what it learns of their steps."""

    def __init__(self, terms: Terms):
        self.terms = terms
        self._plain: RememberedCourse | EngineCourse | None = None
        if terms.doctrine == PLAIN:
            start = terms.start
            self._plain = RememberedCourse(start) if is_remembered(start) else EngineCourse(start)
        self._odds_table = OddsTable(least_harm)

    def block(
        self, block: Block, over: Callable[[], bool] = lambda: False, tick: Tick = lambda done: None
    ) -> Counts:
        """What the fights of a block come to, or those that are done before it is `over`."""
        number, fights = block
        terms, counts = self.terms, Counts()
        counts[FIGHTS] = 0
        random = generator(terms.seed, number).random
        # What doctrines remember must not depend on who has fought which block.
        course: Course = self._plain or DoctrineCourse(terms.start, terms.doctrines, self._odds_table)
        table: DrawTable = course.new_table(random)
        for done in range(1, fights + 1):
            fight = play_fight(course, table, terms.limits, over)
            if fight is None:
                break
            add(counts, fight)
            tick(done)
        return counts


def is_remembered(start: FightStart) -> bool:
    """Whether fights are remembered step by step: not where fighters or terrain may come and go."""
    return start.scene.encounter is None and len(start.scene.fighters) <= MOST_REMEMBERED


class Work(NamedTuple):
    """What is to be fought, and what is called meanwhile."""

    fights: int
    """Most fights."""
    stop: Stop
    jobs: int = 1
    enough: Callable[[Counts], bool] = lambda counts: False
    """Whether the counts of the first blocks are enough."""
    progress: Tick = lambda done: None
    """Called with the number of fights done so far."""

    @property
    def blocks(self) -> list[Block]:
        """All blocks."""
        size = max(LEAST, min(MOST, self.fights // PARTS))
        return [
            (number, min(size, self.fights - begun))
            for number, begun in enumerate(range(0, self.fights, size))
        ]


class Merged:
    """The counts of blocks in the order of their numbers, whatever the order in which they are done."""

    def __init__(self, work: Work):
        self.work = work
        self.counts = Counts()
        self.left = work.blocks
        """The blocks that are not counted yet."""
        self.waiting: dict[int, Counts] = {}
        """Of these the counts of those that are done, by number."""
        self.has_enough = False

    @property
    def is_done(self) -> bool:
        """Whether nothing more is to be fought."""
        return not self.left or self.has_enough or bool(self.work.stop.signal)

    @property
    def missing(self) -> list[Block]:
        """The blocks that are not done."""
        return [block for block in self.left if block[0] not in self.waiting]

    def take(self, number: int, counts: Counts) -> None:
        """Add a block once all blocks before it are there, until they are enough."""
        self.waiting[number] = counts
        while self.left and not self.has_enough and self.left[0][0] in self.waiting:
            if self.work.stop.signal:
                return
            add(self.counts, self.waiting.pop(self.left.pop(0)[0]))
            self.has_enough = self.work.enough(self.counts)
        self.tick(0)

    def tick(self, done: int) -> None:
        """Say how many fights are done, so many of blocks under way included."""
        waiting = sum(counts[FIGHTS] for counts in self.waiting.values())
        self.work.progress(self.counts.get(FIGHTS, 0) + waiting + done)

    def all(self) -> Counts:
        """The counts; where a signal has come those of all fights that are over."""
        if self.work.stop.signal:
            for counts in self.waiting.values():
                add(self.counts, counts)
            self.waiting.clear()
        return self.counts


def run(fighting: Fighting, work: Work) -> Counts:
    """Fight all blocks, or until they are enough or a signal has come; gives the counts of what was fought."""
    merged = Merged(work)
    fight_here(fighting, merged)
    return merged.all()


def fight_here(fighting: Fighting, merged: Merged) -> None:
    """Fight the blocks that are left, with other processes where enough is left for them to do."""
    work, begun, jobs = merged.work, time.monotonic(), merged.work.jobs if hasattr(os, "fork") else 1
    fought = 0
    while not merged.is_done:
        missing = merged.missing
        to_come = (time.monotonic() - begun) * len(missing) / fought if fought else 0.0
        if jobs > 1 and len(missing) > 1 and to_come > WORTH_SHARING:
            jobs = 1
            _share(fighting, merged)
        else:
            number = missing[0][0]
            merged.take(number, fighting.block(missing[0], lambda: bool(work.stop.signal), merged.tick))
            fought += 1


def _share(fighting: Fighting, merged: Merged) -> None:
    """Let processes fight the blocks that are left; what is undone where one was killed is fought here later."""
    import gc
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool
    from ctypes import c_bool
    from multiprocessing import get_context

    fork = get_context("fork")
    over = fork.RawValue(c_bool, False)

    def stop() -> None:
        over.value = True

    gc.freeze()
    _SHARED.append((fighting, lambda: bool(over.value)))
    try:
        with ProcessPoolExecutor(min(merged.work.jobs, len(merged.missing)), fork, _begin) as pool:
            try:
                _collect(pool, merged, stop)
            except BrokenProcessPool:
                pass
            finally:
                stop()
                pool.shutdown(cancel_futures=True)
    finally:
        _SHARED.pop()
        gc.unfreeze()


_SHARED: list[tuple[Fighting, Callable[[], bool]]] = []
"""What a process fights blocks with, and whether it is over; it begins with a copy of what its caller has."""


def _begin() -> None:
    """Begin a process, which its caller ends: by word, or by SIGTERM where another was killed."""
    import signal

    for number in STOPPING:
        signal.signal(number, signal.SIG_DFL if number == signal.SIGTERM else signal.SIG_IGN)


def _fight(block: Block) -> Counts:
    """Fight a block in a process of its own."""
    fighting, over = _SHARED[-1]
    return fighting.block(block, over)


def _collect(pool: ProcessPoolExecutor, merged: Merged, stop: Callable[[], None]) -> None:
    """Hand out the blocks that are left, two for each process, and take their counts."""
    from concurrent.futures import FIRST_COMPLETED, wait

    blocks: Iterator[Block] = iter(merged.missing)
    under_way: dict[Future[Counts], int] = {}
    while not merged.is_done:
        for block in blocks:
            under_way[pool.submit(_fight, block)] = block[0]
            if len(under_way) >= 2 * merged.work.jobs:
                break
        for future in wait(under_way, WAIT, FIRST_COMPLETED).done:
            merged.take(under_way.pop(future), future.result())
    if merged.work.stop.signal:
        stop()
        for future, number in under_way.items():
            if not future.cancel():
                merged.take(number, future.result())
