"""Fights in blocks, each with a generator of its own, shared out among processes.

A block is fought with random numbers by the seed and its own number, so that the same seed gives the same counts
however many processes share the work. Its size depends on nothing but its number: each has as many fights as all
before it, up to a most, so that there soon is an answer, and later many fights go on together.
"""

from __future__ import annotations

import marshal
import os
from collections.abc import Callable
from contextlib import suppress
from typing import IO

from ..signals import Stop
from ..values import NamedTuple
from .tally import Counts, add

FIGHTS = ("fights",)
"""The count of the fights themselves."""
WARM_UP, WORTH_SHARING = 2_000, 0.5
"""Fights that one process fights before it shares the work, so that all of them know what it has learnt; and how many
seconds must be left for that."""
SLOW = 2.0
"""Seconds after which the work is shared however few fights have been fought."""

FightBlock = Callable[[int, int, Callable[[int], None]], Counts]
"""`fight_block(number, fights, tick)` fights a block, and calls `tick` with how many fights are done."""


class Work(NamedTuple):
    """What is to be fought, and what is called meanwhile."""

    fights: int
    """Most fights."""
    most: int
    """Most fights in a block: a power of two."""
    fight_block: FightBlock
    stop: Stop
    clock: Callable[[], float]
    jobs: int = 1
    enough: Callable[[Counts], bool] = lambda counts: False
    """Whether the counts of the first blocks are enough."""
    progress: Callable[[int], None] = lambda done: None
    """Called with the number of fights done so far."""

    @property
    def blocks(self) -> int:
        """How many blocks there are."""
        doubling = min(self.fights - 1, self.most - 1).bit_length() + 1
        return doubling + -(-max(0, self.fights - self.most) // self.most)

    def before(self, number: int) -> int:
        """How many fights the blocks before one have."""
        doubled = min(number, self.most.bit_length())
        return min(self.fights, (1 << doubled >> 1) + (number - doubled) * self.most)

    def size(self, number: int) -> int:
        """How many fights a block has."""
        return self.before(number + 1) - self.before(number)


class Merged:
    """The counts of blocks in the order of their numbers, whatever the order in which they are done."""

    def __init__(self, work: Work):
        self.work = work
        self.counts: Counts = {}
        self.next = 0
        """The first block that is not counted yet."""
        self.waiting: dict[int, Counts] = {}
        self.done = False

    def take(self, number: int, counts: Counts) -> None:
        """Add a block, once all before it are there, until they are enough."""
        if number >= self.next:
            self.waiting[number] = counts
        while self.next in self.waiting and not self.done:
            add(self.counts, self.waiting.pop(self.next))
            self.next += 1
            self.done = self.next >= self.work.blocks or self.work.enough(self.counts)

    def cut_short(self) -> Counts:
        """The counts with all blocks that are done, though others before them are not."""
        for counts in self.waiting.values():
            add(self.counts, counts)
        self.waiting.clear()
        return self.counts

    @property
    def fights(self) -> int:
        """The fights done so far."""
        return self.counts.get(FIGHTS, 0) + sum(one.get(FIGHTS, 0) for one in self.waiting.values())


def run(work: Work) -> Counts:
    """Fight all blocks, or until they are enough or a signal has come; gives the counts of what was fought."""
    return go_on(Merged(work))


def go_on(merged: Merged) -> Counts:
    """Fight the blocks that are left."""
    work = merged.work
    begun = last = work.clock()
    share = work.jobs > 1 and hasattr(os, "fork")
    while not merged.done and not work.stop.signal:
        now = work.clock()
        done = work.before(merged.next)
        left = (work.fights - done) * (now - last) / work.size(merged.next - 1) if done else 0.0
        warm = done >= WARM_UP or now - begun > SLOW
        if share and warm and left > WORTH_SHARING and work.blocks - merged.next > 1:
            _share(work, merged)
            continue
        last = now
        _fight_next(work, merged)
    return merged.cut_short() if work.stop.signal else merged.counts


class _Worker(NamedTuple):
    pid: int
    pipe: IO[bytes]


def _share(work: Work, merged: Merged) -> None:
    """Let processes fight the blocks that are left; what one that dies leaves undone is fought by the caller later."""
    import gc

    jobs = min(work.jobs, work.blocks - merged.next)
    gc.collect()
    gc.freeze()
    workers = [_begin(work, range(merged.next + at, work.blocks, jobs)) for at in range(jobs)]
    try:
        _collect(work, merged, workers)
    finally:
        for worker in workers:
            with suppress(ProcessLookupError):
                os.kill(worker.pid, 9)
            os.waitpid(worker.pid, 0)
            worker.pipe.close()
        gc.unfreeze()
    # What a process that died has left out.
    while not merged.done and not work.stop.signal:
        _fight_next(work, merged)


def _fight_next(work: Work, merged: Merged) -> None:
    """Fight the first block that is not there yet."""
    number, fought = merged.next, merged.fights
    counts = work.fight_block(number, work.size(number), lambda done: work.progress(fought + done))
    merged.take(number, counts)


def _begin(work: Work, numbers: range) -> _Worker:
    """Start a process that fights these blocks and writes their counts into a pipe."""
    read, write = os.pipe()
    pid = os.fork()
    if pid:
        os.close(write)
        return _Worker(pid, os.fdopen(read, "rb"))
    status = 1
    try:
        os.close(read)
        with os.fdopen(write, "wb") as pipe:
            for number in numbers:
                counts = work.fight_block(number, work.size(number), _ticking(work, pipe))
                _send(pipe, (number, counts))
                if work.stop.signal:
                    break
        status = 0
    finally:
        os._exit(status)


def _ticking(work: Work, pipe: IO[bytes]) -> Callable[[int], None]:
    """A function that says how far a block is, five times a second."""
    last = work.clock()

    def tick(done: int) -> None:
        nonlocal last
        now = work.clock()
        if now - last > 0.2:
            last = now
            _send(pipe, (-1, {FIGHTS: done}))

    return tick


def _send(pipe: IO[bytes], message: tuple[int, Counts]) -> None:
    data = marshal.dumps(message)
    pipe.write(len(data).to_bytes(4, "big") + data)
    pipe.flush()


def _collect(work: Work, merged: Merged, workers: list[_Worker]) -> None:
    """Take what the processes have counted, until all is there, or is enough, or they have stopped."""
    import selectors

    under_way = dict.fromkeys((worker.pid for worker in workers), 0)
    stopping = False
    with selectors.DefaultSelector() as selector:
        for worker in workers:
            selector.register(worker.pipe, selectors.EVENT_READ, worker)
        while selector.get_map() and not merged.done:
            if work.stop.signal and not stopping:
                stopping = True
                for worker in workers:
                    with suppress(ProcessLookupError):
                        os.kill(worker.pid, work.stop.signal)
            for key, _ in selector.select(0.2):
                worker = key.data
                message = _received(worker.pipe)
                if message is None:
                    selector.unregister(worker.pipe)
                    continue
                number, counts = message
                if number < 0:
                    under_way[worker.pid] = counts[FIGHTS]
                else:
                    under_way[worker.pid] = 0
                    merged.take(number, counts)
                work.progress(merged.fights + sum(under_way.values()))


def _received(pipe: IO[bytes]) -> tuple[int, Counts] | None:
    """The next message of a process; None where it has ended."""
    head = pipe.read(4)
    data = pipe.read(int.from_bytes(head, "big")) if len(head) == 4 else b""
    if not data or len(data) < int.from_bytes(head, "big"):
        return None
    message: tuple[int, Counts] = marshal.loads(data)
    return message
