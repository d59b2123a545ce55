"""Blocks of fights handed to a Dask scheduler, whose workers fight them, on other machines or on this one.

What is sent is plain data and the name of `fight_sent`: every machine has the same version of crisis installed. A
block that a worker leaves undone is done by another; what all of them leave undone is done by the caller.
"""

from __future__ import annotations

import logging
import pickle
import time
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
from .block import Block, Fighting, Merged, Terms, Work, fight_here
from .fight import FightLimits, FightStart
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
HANDED_OUT = 2
"""Blocks handed out for each thread of the workers, so that none has to wait."""
GRACE = 2.0
"""Seconds more that a call may take which has a limit of its own."""
POLL = 0.1
"""Seconds between looks at signals."""
KEPT = 2
"""How many simulations a worker remembers."""

Answer = TypeVar("Answer")
"""What the cluster is asked for."""


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


class _Remembered(NamedTuple):
    """The simulations that this worker remembers, with what it has learnt of each, and which of them are over."""

    known: dict[str, Fighting]
    over: set[str]
    lock: Lock


_here = _Remembered({}, set(), Lock())


def fight_sent(run: str, version: str, packed: bytes, block: Block) -> Counts:
    """Fight a block of a simulation, or those of its fights that are done before the simulation is over."""
    from distributed import get_worker

    if version != __version__:
        raise FileError(
            f"the worker {get_worker().address} has crisis {__version__}, and this is {version}",
            hint=f"on its machine: pip install '{EXTRA}=={version}'",
            code="other_version",
        )
    # What is remembered of fights is for one thread at a time.
    with _here.lock:
        fighting = _here.known.get(run) or _remember(run, packed)
        return fighting.block(block, lambda: run in _here.over)


def _remember(run: str, packed: bytes) -> Fighting:
    """What fights the blocks of a simulation, kept for those to come."""
    from .. import systems

    order: Order = pickle.loads(zlib.decompress(packed))
    start = FightStart(systems.load(order.system), order.scene, order.intent, order.past)

    def named(name: str) -> Doctrine:
        known = order.doctrines
        if name not in known and name.casefold() not in known:
            raise FileError(f"the doctrine {name!r} is not among those sent", code="not_found")
        return known[name] if name in known else known[name.casefold()]

    while len(_here.known) >= KEPT:
        del _here.known[next(iter(_here.known))]
    fighting = _here.known[run] = Fighting(Terms(start, order.doctrine, order.limits, order.seed, named))
    return fighting


def end_simulation(run: str) -> None:
    """Let this worker stop fighting the blocks of a simulation, and forget it."""
    _here.over.add(run)
    _here.known.pop(run, None)


# What the caller does


def run(
    fighting: Fighting,
    work: Work,
    doctrines: Mapping[str, Doctrine],
    address: str,
    warn: Callable[[str], None],
) -> Counts:
    """Fight all blocks on a cluster, or until they are enough or a signal has come; gives the counts.

    What is left when no worker is there any more is fought here, after a warning.
    """
    terms = fighting.terms
    start = terms.start
    order = Order(
        start.system.name,
        start.scene,
        start.intent,
        start.past,
        terms.doctrine,
        terms.limits,
        terms.seed,
        doctrines,
    )
    merged = Merged(work)
    with suppress(_Stopped), connected(address, work) as client:
        if not _HandingOut(client, order, merged).all() and not merged.is_done:
            warn(f"no worker of {address} is left: the other fights are fought here")
    fight_here(fighting, merged)
    return merged.all()


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
    begun = time.monotonic()
    while time.monotonic() - begun < seconds:
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
    """The blocks of one simulation, handed to the workers of a cluster."""

    def __init__(self, client: Client, order: Order, merged: Merged):
        from uuid import uuid4

        self.client, self.merged, self.work = client, merged, merged.work
        self.run = f"crisis-{uuid4().hex}"
        self.packed = zlib.compress(pickle.dumps(order))
        self.over: SimpleQueue[Future] = SimpleQueue()
        """Blocks that are over."""
        self.under_way: dict[Future, Block] = {}
        self.threads = 0
        """How many threads the workers have."""
        self.looked = self.seen = time.monotonic()
        """When workers were last looked for, and last there."""

    def all(self) -> bool:
        """Hand out all blocks and take their counts; gives whether there were workers to the end.

        Blocks that no worker is left for stay undone, and those over which workers died.
        """
        blocks = iter(self.merged.missing)
        try:
            while not self.merged.is_done:
                if not self._has_workers():
                    return False
                while len(self.under_way) < HANDED_OUT * self.threads and (block := next(blocks, None)):
                    self._hand_out(block)
                if not self.under_way:
                    break
                self._take()
            return True
        finally:
            self._end()

    def _has_workers(self) -> bool:
        """Whether workers are there, or were a moment ago: those that die may be started again."""
        now = time.monotonic()
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

    def _hand_out(self, block: Block) -> None:
        """Give a block to the workers."""
        future = self.client.submit(
            fight_sent, self.run, __version__, self.packed, block, key=f"{self.run}-{block[0]}"
        )
        self.under_way[future] = block
        future.add_done_callback(self.over.put)

    def _take(self) -> None:
        """Take the next block that is over, if there is any in the next moment; one over which workers died stays."""
        from distributed import CancelledError, KilledWorker

        try:
            future = self.over.get(timeout=POLL)
        except Empty:
            return
        number, _ = self.under_way.pop(future)
        try:
            counts = future.result(timeout=LATE)
        except (KilledWorker, CancelledError, OSError, TimeoutError):
            # That block is among those which are fought here in the end.
            return
        except CrisisError:
            raise
        except (ImportError, AttributeError, RuntimeError, pickle.PickleError) as wrong:
            raise FileError(
                f"a machine of the cluster does not have this version of crisis: {_first_line(wrong)}",
                hint=f"on every machine, that of the scheduler too: pip install '{EXTRA}=={__version__}'",
                code="other_version",
            ) from wrong
        self.merged.take(number, counts)

    def _end(self) -> None:
        """Let all workers end what they are at; where a signal has come, take what they have fought by then."""

        def end() -> None:
            with suppress(Exception):
                self.client.run(end_simulation, self.run, on_error="ignore")

        ending = Thread(target=end, daemon=True)
        ending.start()
        ending.join(LATE)
        begun = time.monotonic()
        while self.work.stop.signal and self.under_way and time.monotonic() - begun < LATE:
            self._take()
        cancelling = Thread(target=partial(_cancel, self.client, [*self.under_way]), daemon=True)
        cancelling.start()
        cancelling.join(LATE)
