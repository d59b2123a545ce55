"""Signals that stop a run: Ctrl-C, a closed terminal, a request to terminate."""

from __future__ import annotations

# The plain module below `signal`, which makes an enum of every number as it is imported.
import _signal as signal  # type: ignore[import-not-found]
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

STOPPING = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))


class Stop:
    """A request to stop the run: which signal came first, if any."""

    def __init__(self) -> None:
        self.signal = 0
        """The number of the first signal; 0 while none has come."""

    @property
    def status(self) -> int:
        """The exit status of a run ended by this signal: 128 and its number."""
        return 128 + self.signal


class Signals:
    """The stop signals of this process: let them raise, or note them for later."""

    def __init__(self) -> None:
        self._is_waiting = False

    def raise_on_ctrl_c(self) -> None:
        """Let Ctrl-C raise KeyboardInterrupt from now on; before, it ends the process without a traceback."""
        if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:
            signal.signal(signal.SIGINT, signal.default_int_handler)

    @contextmanager
    def ctrl_c_ignored(self) -> Iterator[None]:
        """A block in which Ctrl-C as a signal does nothing; a prompt reads it as a key, except as it starts or ends."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = signal.signal(signal.SIGINT, lambda number, frame: None)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)

    @contextmanager
    def deferred(self) -> Iterator[Stop]:
        """A block in which stop signals are only noted, in the Stop it gives; ignored signals stay ignored."""
        stop = Stop()

        def note(number: int, frame: FrameType | None) -> None:
            stop.signal = stop.signal or number
            if self._is_waiting:
                raise KeyboardInterrupt

        main = threading.current_thread() is threading.main_thread()
        before = {sign: signal.getsignal(sign) for sign in STOPPING} if main else {}
        before = {sign: how for sign, how in before.items() if how is not signal.SIG_IGN}
        for sign in before:
            signal.signal(sign, note)
        try:
            yield stop
        finally:
            for sign, how in before.items():
                signal.signal(sign, how)

    @contextmanager
    def interruptible(self) -> Iterator[None]:
        """A block that waits for the player: deferred signals raise KeyboardInterrupt inside it as well."""
        before, self._is_waiting = self._is_waiting, True
        try:
            yield
        finally:
            self._is_waiting = before
