"""How a run is stopped from outside: Ctrl-C, a closed terminal, a request to terminate."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

STOPPING = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))


class Stop:
    """Whether the run has been asked to stop, and by which signal."""

    def __init__(self) -> None:
        self.signal = 0
        """The number of the first signal that came; 0 while none has."""

    @property
    def status(self) -> int:
        """The exit status of a run that this signal ended."""
        return 128 + self.signal


class Signals:
    """The signals of this process."""

    def __init__(self) -> None:
        self._waits = False

    def raise_on_ctrl_c(self) -> None:
        """From here on Ctrl-C raises KeyboardInterrupt; before, it ends the process without a traceback."""
        if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:
            signal.signal(signal.SIGINT, signal.default_int_handler)

    @contextmanager
    def held(self) -> Iterator[Stop]:
        """Signals that stop a run are only noted inside; signals that are ignored stay so."""
        stop = Stop()

        def note(number: int, frame: FrameType | None) -> None:
            stop.signal = stop.signal or number
            if self._waits:
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
    def answered(self) -> Iterator[None]:
        """Inside, someone is waited for: signals that are held raise KeyboardInterrupt as well."""
        before, self._waits = self._waits, True
        try:
            yield
        finally:
            self._waits = before
