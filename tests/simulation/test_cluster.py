"""Fights handed to a Dask scheduler on this machine, whose workers are killed, out of date, or not there."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from threading import Event, Thread, Timer
from typing import NamedTuple

import pytest
from conftest import PROGRAM, Player, Sheets, program_env
from simulations import DUELS, opening

from crisis_cli.ai.doctrine_store import DoctrineStore
from crisis_cli.errors import FileError
from crisis_cli.signals import Stop
from crisis_cli.simulation.block import FIGHTS, MOST, OWN, PLAIN, Fighting, Terms, Work
from crisis_cli.simulation.block import run as run_here
from crisis_cli.simulation.fight import FightLimits
from crisis_cli.simulation.tally import Counts

distributed = pytest.importorskip("distributed", reason="without crisis-cli[cluster]")

from crisis_cli.simulation import cluster  # noqa: E402

pytestmark = [pytest.mark.filterwarnings("default"), pytest.mark.slow]
LINE = "simulate bruno --vs marshal --apart 0 --seed 3 --rounds 2 --json"
MANY = 3_000
"""Fights of a duel: 33 blocks, of which none is over at once."""
PATIENCE = 60


class Dask(NamedTuple):
    """A scheduler and its workers."""

    address: str
    workers: list[subprocess.Popen[bytes]]


@pytest.fixture(scope="module")
def dask(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Dask]:
    """A scheduler with two workers of one thread each, as processes on this machine."""
    folder = tmp_path_factory.mktemp("dask")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    address = f"127.0.0.1:{port}"

    def started(*words: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "-m", "dask", *words, "--no-dashboard"],
            cwd=folder,
            env=program_env(folder),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    scheduler = started("scheduler", "--host", "127.0.0.1", "--port", port)
    workers = [started("worker", address, "--no-nanny", "--nthreads", "1") for _ in range(2)]
    try:
        with distributed.Client(address, timeout=PATIENCE, set_as_default=False) as client:
            client.wait_for_workers(2, timeout=PATIENCE)
        yield Dask(address, workers)
    finally:
        for process in (*workers, scheduler):
            process.kill()
            process.wait()


def duel(doctrine: str = PLAIN) -> Fighting:
    """What fights two rounds of a duel, which are quick to learn."""
    start = opening("d100", *DUELS["d100"])
    return Fighting(Terms(start, doctrine, FightLimits(2), 3, DoctrineStore().named))


def work(progress: Callable[[int], None] = lambda done: None, fights: int = MANY) -> Work:
    """Many fights, and what is called meanwhile."""
    return Work(fights, Stop(), progress=progress)


def no_warning(message: str) -> None:
    """Fail: there is nothing to warn of."""
    raise AssertionError(message)


def test_the_same_seed_gives_the_same_answer_as_here(crisis: Player, dask: Dask) -> None:
    for more in ("-n 300", "--until-width 0.07", "-n 9 --doctrine own"):
        here, there = (crisis(f"{LINE} {more} {how}") for how in ("--jobs 1", f"--cluster {dask.address}"))
        assert there.record == here.record and not there.err, there


def test_encounters_are_sent_as_well(crisis: Player, dask: Dask) -> None:
    line = "simulate --encounter bridge --seed 7 --rounds 1 -n 2 --json"
    assert crisis(f"{line} --cluster {dask.address}").record == crisis(f"{line} --jobs 1").record


def test_a_signal_ends_it_with_what_has_been_fought(dask: Dask) -> None:
    """Also with those fights of a block that a worker has done when the signal comes in the middle of it."""
    store = DoctrineStore()
    sent = {name: store.named(name) for name in store.names()}

    def stopped_after(seconds: float) -> Counts:
        fought = work(fights=100_000)

        def ask() -> None:
            fought.stop.signal = signal.SIGINT

        Timer(seconds, ask).start()
        return cluster.run(duel(OWN), fought, sent, dask.address, no_warning)

    # Before the first fight is over there are no counts, and the first block is over long after it.
    counts = next(counts for power in range(-3, 6) if (counts := stopped_after(2**power)).get(FIGHTS))
    assert 0 < counts[FIGHTS] < MOST
    assert sum(count for key, count in counts.items() if key[0] == "wins") == counts[FIGHTS]


def test_a_worker_with_another_version_is_named(dask: Dask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "__version__", "99.1")
    with pytest.raises(FileError, match=r"the worker tcp://.* has crisis .*, and this is 99\.1") as caught:
        cluster.run(duel(), work(), {}, dask.address, no_warning)
    assert caught.value.code == "other_version" and "cluster]==99.1" in caught.value.hint


def test_a_block_over_which_all_its_workers_died_is_fought_here(
    dask: Dask, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, fought = distributed.Future.result, work(fights=300)

    def result(future: distributed.Future, timeout: float | None = None) -> Counts:
        if future.key.endswith("-3"):
            raise distributed.KilledWorker(future.key, None, 4)
        counts: Counts = real(future, timeout)
        return counts

    def give_up() -> None:
        fought.stop.signal = signal.SIGALRM

    monkeypatch.setattr(distributed.Future, "result", result)
    guard = Timer(PATIENCE, give_up)
    guard.start()
    assert cluster.run(duel(), fought, {}, dask.address, no_warning) == run_here(duel(), work(fights=300))
    guard.cancel()


def test_what_a_worker_that_dies_leaves_undone_is_done(dask: Dask, monkeypatch: pytest.MonkeyPatch) -> None:
    """First by the other worker; when that dies too, here; and without any the next simulation is refused."""
    warnings, left = list[str](), [*dask.workers]
    expected = run_here(duel(), work())

    def kill(done: int) -> None:
        if 0 < done < MANY / 2 and left:
            left.pop().kill()

    def kill_one(done: int) -> None:
        if len(left) == 2:
            kill(done)

    assert cluster.run(duel(), work(kill_one), {}, dask.address, no_warning) == expected
    assert len(left) == 1
    monkeypatch.setattr(cluster, "LATE", 0.5)
    assert cluster.run(duel(), work(kill), {}, dask.address, warnings.append) == expected
    assert not left and warnings == [f"no worker of {dask.address} is left: the other fights are fought here"]
    monkeypatch.setattr(cluster, "CONNECT", 0.5)
    with pytest.raises(FileError, match="has no workers") as caught:
        cluster.run(duel(), work(), {}, dask.address, no_warning)
    assert caught.value.code == "no_cluster" and f"dask worker {dask.address}" in caught.value.hint


def test_a_scheduler_that_is_not_reached_is_named(
    crisis: Player, sheets: Sheets, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "CONNECT", 0.2)
    error = crisis.refused(4, f"{LINE} --cluster 127.0.0.1:1").error
    assert error["code"] == "no_cluster" and error["message"].startswith(
        "no scheduler is reached at 127.0.0.1:1"
    )
    assert crisis.refused(2, f"{LINE} --cluster nothing://like:this").error["code"] == "bad_value"
    assert crisis.refused(2, f"{LINE} --cluster 127.0.0.1:1 --jobs 2").error["code"] == "conflicting_options"


LIMIT = 2.0
"""Seconds to which the limit of the first answer is set where time matters."""


class Stranger(NamedTuple):
    """Something that listens and is no scheduler."""

    address: str
    is_called: Event


@pytest.fixture(params=["silence", "rubbish", "half a word"])
def stranger(request: pytest.FixtureRequest) -> Iterator[Stranger]:
    """What says nothing, rubbish, or too little."""
    said = {"silence": b"", "rubbish": b"HTTP/1.1 400 Bad Request\r\n\r\n" * 1000, "half a word": b"\x01"}
    stop, is_called = Event(), Event()

    def talk(connection: socket.socket) -> None:
        is_called.set()
        with connection, suppress(OSError):
            connection.sendall(said[request.param])
            stop.wait(60)

    def listen(listener: socket.socket) -> None:
        with suppress(OSError):
            while not stop.is_set():
                Thread(target=talk, args=(listener.accept()[0],), daemon=True).start()

    with socket.create_server(("127.0.0.1", 0)) as listener:
        Thread(target=listen, args=(listener,), daemon=True).start()
        yield Stranger(f"127.0.0.1:{listener.getsockname()[1]}", is_called)
        stop.set()


def test_something_else_that_listens_is_named_in_time(
    crisis: Player, sheets: Sheets, stranger: Stranger, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "CONNECT", LIMIT)
    begun = time.monotonic()
    error = crisis.refused(4, f"{LINE} --cluster {stranger.address}").error
    assert time.monotonic() - begun < LIMIT + cluster.GRACE + 5
    assert error["code"] == "no_cluster" and error["hint"] == "start one there: dask scheduler"
    assert error["message"].startswith(f"no scheduler is reached at {stranger.address}: ")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_wait_for_something_else(
    crisis: Player, sheets: Sheets, stranger: Stranger, number: signal.Signals
) -> None:
    """The real program, while it waits for the first answer."""
    with subprocess.Popen(
        [*PROGRAM, *LINE.split(), "--cluster", stranger.address],
        cwd=crisis.here,
        env=program_env(crisis.here),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as running:
        assert stranger.is_called.wait(PATIENCE)
        time.sleep(0.5)
        if running.poll() is not None:
            assert running.returncode == 4, "what it hears is refused at once"
            return
        running.send_signal(number)
        begun = time.monotonic()
        _, said = running.communicate(timeout=30)
        assert time.monotonic() - begun < 3
    assert running.returncode == 128 + number and "stopped before the first fight was over" in said


def test_a_call_that_is_never_answered_is_left() -> None:
    """Whatever the cluster is asked for in the middle of it."""
    begun = time.monotonic()
    with pytest.raises(TimeoutError):
        cluster.answer(lambda: time.sleep(30), 0.3, work())
    assert time.monotonic() - begun < 5
