"""Fights in blocks, each with a generator of its own, shared out among processes.

A block is fought with random numbers by the seed and its own number, so that the same seed gives the same counts
however many processes share the work. Its size depends on nothing but its number: the first blocks have three times as
many fights as all before them, so that there soon is an answer. Later ones have a quarter as many, up to a most: the
more fights go on together, the more of them meet, and yet a signal, or a process that has nothing left to do, loses
little.

A block may have parts whose fights have little in common. A process then fights the same part of one block after
another, and is told what the others have learnt, so that hardly anything is worked out twice.
"""

from __future__ import annotations

import marshal
import os
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import cache
from typing import IO, Any, Protocol

from ..signals import Stop
from ..values import NamedTuple
from .tally import Counts, add

FIGHTS = ("fights",)
"""The count of the fights themselves."""
GROWING = 8_192
"""Up to so many fights a block has three times as many as all before it."""
WARM_UP, WORTH_SHARING = 2_000, 0.5
"""Fights that one process fights before it shares blocks without parts, so that all know what it has learnt; how many
seconds must be left for that."""
SLOW, QUICK = 2.0, 0.03
"""Seconds after which blocks without parts, and those with parts, are shared however few fights have been fought."""

Tick = Callable[[int], None]
"""Called with how many fights are done."""
FightPart = Callable[[int, int, int, Tick], "Counts | None"]
"""`fight_part(number, fights, part, tick)` fights one part of a block of so many fights; None where it was stopped and
what was fought does not stand for the whole."""


class Lessons(Protocol):
    """What a process that fights has learnt, and others can make use of."""

    def told(self) -> bytes:
        """What has been learnt since it was last asked; nothing the first time, from which on it is noted."""

    def learn(self, told: bytes) -> None:
        """Learn what another process has told."""


class Work(NamedTuple):
    """What is to be fought, and what is called meanwhile."""

    fights: int
    """Most fights."""
    most: int
    """Most fights in a block."""
    fight_part: FightPart
    stop: Stop
    clock: Callable[[], float]
    parts: int = 1
    """How many parts each block has."""
    jobs: int = 1
    enough: Callable[[Counts], bool] = lambda counts: False
    """Whether the counts of the first blocks are enough."""
    progress: Callable[[int], None] = lambda done: None
    """Called with the number of fights done so far."""
    lessons: Lessons | None = None
    """What the processes that share the work tell each other; None where they have nothing to say."""

    @property
    def blocks(self) -> int:
        """How many blocks there are."""
        return len(_ends(self.fights, self.most))

    def before(self, number: int) -> int:
        """How many fights the blocks before one have."""
        return _ends(self.fights, self.most)[number - 1] if number else 0

    def size(self, number: int) -> int:
        """How many fights a block has."""
        return self.before(number + 1) - self.before(number)


@cache
def _ends(fights: int, most: int) -> tuple[int, ...]:
    """How many fights all blocks up to each have together."""
    found, before = [], 0
    while before < fights:
        before = min(fights, before + min(most, max(1, min(3 * before, GROWING), before // 4)))
        found.append(before)
    return tuple(found)


def fight_block(fight_part: FightPart, parts: int, number: int, fights: int, tick: Tick) -> Counts:
    """Fight all parts of a block; nothing of it counts where one of them was stopped."""
    counts: Counts = {FIGHTS: 0}

    def ticking(done: int) -> None:
        tick(counts[FIGHTS] + done)

    for part in range(parts):
        found = fight_part(number, fights, part, ticking)
        if found is None:
            return {FIGHTS: 0}
        add(counts, found)
    return counts


class Merged:
    """The counts of blocks in the order of their numbers, whatever the order in which their parts are done."""

    def __init__(self, work: Work):
        self.work = work
        self.counts: Counts = {}
        self.next = 0
        """The first block that is not counted yet."""
        self.waiting: dict[int, dict[int, Counts]] = {}
        """Of the others the parts that are done."""
        self.done = False

    def take(self, number: int, part: int, counts: Counts) -> None:
        """Add a part of a block, once it is whole and all blocks before it are there, until they are enough."""
        if number >= self.next:
            self.waiting.setdefault(number, {})[part] = counts
        self._go_on()

    def take_block(self, number: int, counts: Counts) -> None:
        """Add a whole block, once all blocks before it are there, until they are enough."""
        if number >= self.next:
            self.waiting[number] = {part: {} if part else counts for part in range(self.work.parts)}
        self._go_on()

    def _go_on(self) -> None:
        while not self.done and not self.missing(self.next):
            self._add(self.waiting.pop(self.next))
            self.next += 1
            self.done = self.next >= self.work.blocks or self.work.enough(self.counts)

    def missing(self, number: int) -> list[int]:
        """The parts of a block that are not there yet."""
        there = self.waiting.get(number, {})
        return [part for part in range(self.work.parts) if part not in there]

    def cut_short(self) -> Counts:
        """The counts with all whole blocks, though others before them are not."""
        for number in [one for one in self.waiting if not self.missing(one)]:
            self._add(self.waiting.pop(number))
        return self.counts

    def _add(self, parts: Mapping[int, Counts]) -> None:
        for counts in parts.values():
            add(self.counts, counts)

    @property
    def fights(self) -> int:
        """The fights done so far."""
        waiting = sum(one.get(FIGHTS, 0) for parts in self.waiting.values() for one in parts.values())
        return self.counts.get(FIGHTS, 0) + waiting


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
        warm = (work.parts == 1 and done >= WARM_UP) or now - begun > (SLOW if work.parts == 1 else QUICK)
        if share and warm and left > WORTH_SHARING and (work.blocks - merged.next) * work.parts > 1:
            _share(work, merged)
            continue
        last = now
        _fight_next(work, merged)
    return merged.cut_short() if work.stop.signal else merged.counts


class _Worker(NamedTuple):
    pid: int
    pipe: IO[bytes]
    """From which its counts are read."""
    orders: IO[bytes]
    """Into which the parts of blocks are written that it is to fight next, with what the others have told."""


class _Left:
    """The parts of blocks that are left to fight, and which process fights which part."""

    def __init__(self, merged: Merged):
        self.blocks: dict[int, list[int]] = {part: [] for part in range(merged.work.parts)}
        """The blocks left of each part, the last first."""
        for number in reversed(range(merged.next, merged.work.blocks)):
            for part in merged.missing(number):
                self.blocks[part].append(number)
        self.owners: dict[int, int] = {}

    def next_for(self, pid: int) -> tuple[int, int] | None:
        """The block and the part that a process fights next: of its own parts, else of one that no process has, else of
        that with the most blocks left; None where none is left."""
        left = [part for part, blocks in self.blocks.items() if blocks]
        own = [part for part in left if self.owners.get(part) == pid]
        free = [part for part in left if part not in self.owners]
        if own or free:
            part = min(own or free, key=lambda one: self.blocks[one][-1])
        elif left:
            part = max(left, key=lambda one: len(self.blocks[one]))
        else:
            return None
        self.owners.setdefault(part, pid)
        return self.blocks[part].pop(), part


def _share(work: Work, merged: Merged) -> None:
    """Let processes fight the blocks that are left; what one that dies leaves undone is fought by the caller later."""
    import gc

    jobs = min(work.jobs, (work.blocks - merged.next) * work.parts)
    gc.collect()
    gc.freeze()
    workers: list[_Worker] = []
    try:
        for _ in range(jobs):
            workers.append(_begin(work, workers))
        _collect(work, merged, workers)
    finally:
        for worker in workers:
            with suppress(ProcessLookupError):
                os.kill(worker.pid, 9)
            os.waitpid(worker.pid, 0)
            worker.pipe.close()
            with suppress(BrokenPipeError):
                worker.orders.close()
        gc.unfreeze()
    # What a process that died has left out.
    while not merged.done and not work.stop.signal:
        _fight_next(work, merged)


def _fight_next(work: Work, merged: Merged) -> None:
    """Fight what is missing of the first block that is not there yet."""
    number = merged.next

    def tick(done: int) -> None:
        work.progress(merged.fights + done)

    for part in merged.missing(number):
        counts = work.fight_part(number, work.size(number), part, tick)
        if counts is None:
            break
        merged.take(number, part, counts)
        if work.stop.signal:
            break


def _begin(work: Work, others: Iterable[_Worker]) -> _Worker:
    """Start a process that fights the parts of blocks that it is sent, and writes their counts into a pipe."""
    read, write = os.pipe()
    orders, ordered = os.pipe()
    pid = os.fork()
    if pid:
        os.close(write)
        os.close(orders)
        # Unbuffered: a message that is read with another would not be seen to be there, and one that could not be
        # written would be written again on closing.
        return _Worker(pid, os.fdopen(read, "rb", 0), os.fdopen(ordered, "wb", 0))
    status = 1
    try:
        os.close(read)
        os.close(ordered)
        for other in others:
            # Else those would not see that the caller has gone.
            os.close(other.orders.fileno())
        with os.fdopen(write, "wb") as pipe, os.fdopen(orders, "rb", 0) as lines:
            lessons = work.lessons
            if lessons is not None:
                lessons.told()
            while (order := _received(lines)) is not None:
                number, part, *news = order
                for told in news:
                    if lessons is not None:
                        lessons.learn(told)
                counts = work.fight_part(number, work.size(number), part, _ticking(work, pipe))
                if counts is not None:
                    _send(pipe, (number, part, counts, lessons.told() if lessons is not None else b""))
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
            _send(pipe, (-1, 0, {FIGHTS: done}, b""))

    return tick


def _send(pipe: IO[bytes], message: tuple[Any, ...]) -> None:
    data = marshal.dumps(message)
    pipe.write(len(data).to_bytes(4, "big") + data)
    pipe.flush()


def _collect(work: Work, merged: Merged, workers: list[_Worker]) -> None:
    """Take what the processes have counted, until all is there, or is enough, or they have stopped."""
    import selectors

    under_way = dict.fromkeys((worker.pid for worker in workers), 0)
    stopping = False
    left = _Left(merged)
    unread: dict[int, list[bytes]] = {worker.pid: [] for worker in workers}
    """For each process what the others have told since its last order."""
    with selectors.DefaultSelector() as selector:
        for worker in workers:
            selector.register(worker.pipe, selectors.EVENT_READ, worker)
            _order(worker, left, [])
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
                number, part, counts, told = message
                if number < 0:
                    under_way[worker.pid] = counts[FIGHTS]
                else:
                    under_way[worker.pid] = 0
                    merged.take(number, part, counts)
                    for pid in unread:
                        if told and pid != worker.pid:
                            unread[pid].append(told)
                    _order(worker, left, unread[worker.pid])
                    unread[worker.pid].clear()
                work.progress(merged.fights + sum(under_way.values()))


def _order(worker: _Worker, left: _Left, news: list[bytes]) -> None:
    """Let a process learn what others have told and fight on, or end where nothing is left for it."""
    unit = left.next_for(worker.pid)
    # One that has died is noticed where its counts are read.
    with suppress(BrokenPipeError):
        if unit is None:
            worker.orders.close()
        else:
            _send(worker.orders, (*unit, *news))


def _received(pipe: IO[bytes]) -> tuple[Any, ...] | None:
    """The next message of a process; None where it has ended."""
    data = _bytes(pipe, int.from_bytes(_bytes(pipe, 4), "big"))
    message: tuple[Any, ...] | None = marshal.loads(data) if data else None
    return message


def _bytes(pipe: IO[bytes], many: int) -> bytes:
    """So many bytes from a pipe; none where it ends before."""
    data = b""
    while len(data) < many:
        more = pipe.read(many - len(data))
        if not more:
            return b""
        data += more
    return data
