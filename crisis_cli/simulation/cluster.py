"""Blocks of fights handed to a Dask scheduler, whose workers fight them, on other machines or on this one.

What is sent is plain data and the name of `fight_batch`: every machine has the same version of crisis installed. A
block that a worker leaves undone is done by another; what all of them leave undone is done by the caller.
"""

from __future__ import annotations

import logging
import pickle
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import TYPE_CHECKING, TypeVar, cast

from .. import __version__
from ..errors import CrisisError, FileError, Usage
from ..values import NamedTuple
from .blocks import FIGHTS, Merged, Tick, Work, fight_block, go_on
from .fight import FightLimits, FightStart
from .fighting import Fighting, Terms, parts_of
from .tally import Counts

if TYPE_CHECKING:
    from distributed import Client, Future

    from ..ai.doctrine import Doctrine
    from ..engine.record import Entry
    from ..engine.scene import Intent, Scene

EXTRA = "crisis-cli[cluster]"
CONNECT, LATE = 10.0, 5.0
"""Seconds to wait for the scheduler and its first worker; and for what is under way, once no more is wanted of it, or
once there are no workers."""
BATCH, MOST_BLOCKS = 1.0, 400
"""Seconds that a batch of blocks should take, and its most blocks."""
HANDED_OUT, AHEAD = 2, 10_000
"""Batches handed out for each thread of the workers, so that none has to wait; and how far beyond the first block that
is missing others are fought, because their counts are kept until it is there."""
GRACE = 2.0
"""Seconds more that a call may take which has a limit of its own."""
POLL, TICK = 0.1, 0.5
"""Seconds between looks at signals, and between two words of a worker about how far it is."""
KEPT = 2
"""How many simulations a worker remembers."""

Answer = TypeVar("Answer")
"""What the cluster is asked for."""
FightBlock = Callable[[int, int, Tick], Counts]
"""Fights the block of a number with so many fights, and says meanwhile how many are done."""
Batch = tuple[tuple[int, int], ...]
"""Blocks: the number of each, and how many fights it has."""


# What workers do


class Order(NamedTuple):
    """What a worker needs to fight blocks: plain data."""

    system: str
    scene: Scene
    intent: Intent | None
    past: tuple[Entry, ...]
    doctrine: str
    limits: FightLimits
    seed: int
    doctrines: Mapping[str, Doctrine]


class _Fought(NamedTuple):
    """The simulations that this worker remembers, with what it has learnt of each, and which of them are over."""

    known: dict[str, FightBlock]
    over: set[str]
    lock: Lock


_here = _Fought({}, set(), Lock())


def fight_batch(
    run: str, version: str, packed: bytes, batch: Batch
) -> tuple[list[tuple[int, Counts]], float]:
    """Fight blocks of a simulation, until it is over; gives the number of each with its counts, and the seconds."""
    from time import monotonic

    from distributed import get_worker

    worker = get_worker()
    if version != __version__:
        raise FileError(
            f"the worker {worker.address} has crisis {__version__}, and this is {version}",
            hint=f"on its machine: pip install '{EXTRA}=={version}'",
            code="other_version",
        )
    found: list[tuple[int, Counts]] = []
    last = monotonic()

    def tick(done: int) -> None:
        nonlocal last
        if monotonic() - last > TICK:
            last = monotonic()
            before = sum(counts[FIGHTS] for _, counts in found)
            worker.log_event(run, {"first": batch[0][0], "done": before + done})

    # What is remembered of fights is for one thread at a time.
    with _here.lock:
        begun = monotonic()
        fight = _here.known.get(run) or _remember(run, packed)
        for number, fights in batch:
            if run in _here.over:
                break
            found.append((number, fight(number, fights, tick)))
        return found, monotonic() - begun


def _remember(run: str, packed: bytes) -> FightBlock:
    """The function that fights the blocks of a simulation, kept for those to come."""
    from .. import systems

    order: Order = pickle.loads(zlib.decompress(packed))
    opening = FightStart(systems.load(order.system), order.scene, order.intent, order.past)

    def named(name: str) -> Doctrine:
        known = order.doctrines
        if name not in known and name.casefold() not in known:
            raise FileError(f"the doctrine {name!r} is not among those sent", code="not_found")
        return known[name] if name in known else known[name.casefold()]

    terms = Terms(opening, order.doctrine, order.limits, order.seed, named)
    while len(_here.known) >= KEPT:
        del _here.known[next(iter(_here.known))]
    fighting = Fighting(terms, lambda: run in _here.over)
    _here.known[run] = partial(fight_block, fighting.part, parts_of(terms))
    return _here.known[run]


def end_simulation(run: str) -> None:
    """Let this worker stop fighting the blocks of a simulation, and forget it."""
    _here.over.add(run)
    _here.known.pop(run, None)


# What the caller does


def run(
    work: Work, terms: Terms, doctrines: Mapping[str, Doctrine], address: str, warn: Callable[[str], None]
) -> Counts:
    """Fight all blocks on a cluster, or until they are enough or a signal has come; gives the counts.

    What is left when no worker is there any more is fought here, after a warning.
    """
    opening = terms.opening
    order = Order(
        opening.system.name,
        opening.scene,
        opening.intent,
        opening.past,
        terms.doctrine,
        terms.limits,
        terms.seed,
        doctrines,
    )
    merged = Merged(work)
    with suppress(_Stopped), connected(address, work) as client:
        _HandingOut(client, order, merged).all()
    if not merged.done and not work.stop.signal:
        warn(f"no worker of {address} is left: the other fights are fought here")
    return go_on(merged)


class _Stopped(Exception):
    """A signal has come while the cluster was asked."""


def answer(ask: Callable[[], Answer], seconds: float, work: Work) -> Answer:
    """What a call to the cluster gives. It is made in a thread, for only so is it left when a signal comes (_Stopped),
    or when whatever listens there gives no answer in so many seconds (TimeoutError)."""
    came: SimpleQueue[tuple[Answer | None, BaseException | None]] = SimpleQueue()

    def call() -> None:
        try:
            came.put((ask(), None))
        except BaseException as wrong:
            came.put((None, wrong))

    Thread(target=call, daemon=True).start()
    begun = work.clock()
    while work.clock() - begun < seconds:
        if work.stop.signal:
            raise _Stopped
        with suppress(Empty):
            value, wrong = came.get(timeout=POLL)
            if wrong is not None:
                raise wrong
            return cast(Answer, value)
    raise TimeoutError


@contextmanager
def connected(address: str, work: Work) -> Iterator[Client]:
    """A client of the scheduler at an address, quiet about what goes wrong there; FileError where it is not reached,
    or does not answer as a scheduler does."""
    try:
        from distributed import Client
    except ImportError as missing:
        raise FileError(
            f"--cluster needs the package distributed: {missing}",
            hint=f"pip install '{EXTRA}'",
            code="not_installed",
        ) from missing
    quiet, logging.root.manager.disable = logging.root.manager.disable, logging.CRITICAL
    try:
        client = _client(partial(Client, address, timeout=CONNECT, set_as_default=False), address, work)
        try:
            threads = _workers(client, work)
            if not threads:
                raise FileError(
                    f"the scheduler at {address} has no workers",
                    hint=f"start them on each machine: dask worker {address} --nthreads 1 --nworkers -1",
                    code="no_cluster",
                )
            yield client
        finally:
            ending = Thread(target=partial(_close, client), daemon=True)
            ending.start()
            ending.join(0 if work.stop.signal else LATE)
    finally:
        logging.root.manager.disable = quiet


def _client(make: Callable[[], Client], address: str, work: Work) -> Client:
    """The client of a scheduler; FileError where none is there, Usage where the address is none."""
    try:
        return answer(make, CONNECT + GRACE, work)
    except ValueError as wrong:
        raise Usage(
            f"--cluster takes HOST:PORT, not {address!r}: {wrong}",
            hint="--cluster 192.168.0.5:8786",
            code="bad_value",
        ) from wrong
    except _Stopped:
        raise
    except Exception as wrong:
        # Where something else listens, it is anything: what it says may even be read as a size of many gigabytes.
        is_silent = isinstance(wrong, TimeoutError) and not str(wrong)
        raise FileError(
            f"no scheduler is reached at {address}: {'it does not answer' if is_silent else _first_line(wrong)}",
            hint="start one there: dask scheduler",
            code="no_cluster",
        ) from wrong


def _workers(client: Client, work: Work) -> int:
    """How many workers there are, once there is one or none has come in time."""
    with suppress(TimeoutError):
        answer(partial(client.wait_for_workers, 1, timeout=CONNECT), CONNECT + GRACE, work)
        return len(answer(client.nthreads, LATE, work))
    return 0


def _cancel(client: Client, futures: list[Future]) -> None:
    with suppress(Exception):
        client.cancel(futures)


def _close(client: Client) -> None:
    with suppress(Exception):
        client.close(timeout=LATE)


def _first_line(error: BaseException) -> str:
    return str(error).partition("\n")[0] or type(error).__name__


class _HandingOut:
    """The blocks of one simulation, handed to the workers of a cluster in batches."""

    def __init__(self, client: Client, order: Order, merged: Merged):
        from uuid import uuid4

        self.client = client
        self.merged = merged
        self.work = merged.work
        self.run = f"crisis-{uuid4().hex}"
        self.packed = zlib.compress(pickle.dumps(order))
        self.news: SimpleQueue[Future | dict[str, int]] = SimpleQueue()
        """Batches that are over, and what workers say about how far others are."""
        self.under_way: dict[Future, Batch] = {}
        self.done: dict[int, int] = {}
        """Fights done of batches that are under way, by the first block."""
        self.next = merged.next
        """The first block that has not been handed out."""
        self.size = 1
        """Fights in a batch, as far as blocks allow."""
        self.ended = False
        """Whether the workers have been asked to end."""
        self.threads = 0
        self.looked = self.seen = self.work.clock()
        """When workers were last looked for, and last there."""

    def all(self) -> None:
        """Hand out all blocks and take their counts; those that no worker is left for stay undone."""
        work = self.work
        answer(partial(self.client.subscribe_topic, self.run, self._take_news), LATE, work)
        try:
            while not self.merged.done and not work.stop.signal and self._has_workers():
                self._hand_out()
                self._take()
            if work.stop.signal:
                self._end()
                begun = work.clock()
                while self.under_way and work.clock() - begun < LATE:
                    self._take()
        finally:
            self._end()
            cancelling = Thread(target=partial(_cancel, self.client, [*self.under_way]), daemon=True)
            cancelling.start()
            cancelling.join(LATE)

    def _take_news(self, event: tuple[float, dict[str, int]]) -> None:
        """Keep what a worker says about how far it is."""
        self.news.put(event[1])

    def _has_workers(self) -> bool:
        """Whether workers are there, or were a moment ago: those that die may be started again."""
        now = self.work.clock()
        if not self.threads or now - self.looked > 1:
            self.looked = now
            try:
                self.threads = sum(answer(self.client.nthreads, LATE, self.work).values())
            except (OSError, RuntimeError, _Stopped):
                # The scheduler is gone, and with it what its workers do.
                return False
        if self.threads:
            self.seen = now
        return now - self.seen < LATE

    def _hand_out(self) -> None:
        """Give every thread of the workers enough to do."""
        work = self.work
        while len(self.under_way) < HANDED_OUT * self.threads:
            last = min(work.blocks, self.merged.next + AHEAD)
            if self.next >= last:
                return
            # Smaller batches in the end, so that all workers are done at about the same time.
            wanted = min(MOST_BLOCKS, self.size // work.most)
            size = max(1, min(wanted, (last - self.next) // (HANDED_OUT * self.threads)))
            numbers = range(self.next, min(last, self.next + size))
            self.next = numbers.stop
            batch = tuple((number, work.size(number)) for number in numbers)
            future = self.client.submit(
                fight_batch, self.run, __version__, self.packed, batch, key=f"{self.run}-{numbers.start}"
            )
            self.under_way[future] = batch
            self.done[numbers.start] = 0
            future.add_done_callback(self.news.put)

    def _take(self) -> None:
        """Take the next batch that is over, or word of how far one is, if there is any in the next moment."""
        try:
            one = self.news.get(timeout=POLL)
        except Empty:
            return
        if not isinstance(one, dict):
            batch = self.under_way.pop(one, None)
            if batch is not None:
                del self.done[batch[0][0]]
                for number, counts in self._counts(one, batch):
                    self.merged.take_block(number, counts)
        elif one["first"] in self.done:
            self.done[one["first"]] = one["done"]
        self.work.progress(self.merged.fights + sum(self.done.values()))

    def _counts(self, future: Future, batch: Batch) -> list[tuple[int, Counts]]:
        """The counts of a batch that is over, fought here where workers died over it."""
        from distributed import CancelledError, KilledWorker

        try:
            found, seconds = future.result(timeout=LATE)
        except (KilledWorker, CancelledError, OSError, TimeoutError):
            return [
                (
                    number,
                    fight_block(self.work.fight_part, self.work.parts, number, fights, lambda done: None),
                )
                for number, fights in batch
                if not self.work.stop.signal
            ]
        except CrisisError:
            raise
        except (ImportError, AttributeError, RuntimeError, pickle.PickleError) as wrong:
            raise FileError(
                f"a machine of the cluster does not have this version of crisis: {_first_line(wrong)}",
                hint=f"on every machine, that of the scheduler too: pip install '{EXTRA}=={__version__}'",
                code="other_version",
            ) from wrong
        if found:
            fights = sum(counts[FIGHTS] for _, counts in found)
            self.size = round(BATCH * fights / max(seconds, 1e-6))
        return list(found)

    def _end(self) -> None:
        """Let all workers end what they are at."""
        if self.ended:
            return
        self.ended = True

        def end() -> None:
            with suppress(Exception):
                self.client.run(end_simulation, self.run, on_error="ignore")

        ending = Thread(target=end, daemon=True)
        ending.start()
        ending.join(LATE)
