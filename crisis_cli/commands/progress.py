"""Work that takes a while: a line on stderr that tells how far it is, and signals that break it off."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from ..context import Context
from ..errors import Cancelled
from ..render.simulation import Done, Progress


@contextmanager
def progress_line(context: Context, line: Callable[[Done, float], str]) -> Iterator[Progress[Done]]:
    """A block with a line about its work, which is wiped off at its end; none off a terminal with --json."""
    environment, is_silent = context.environment, context.output.wants_json
    progress = Progress(environment.err, environment.width, line, time.monotonic, is_silent)
    try:
        yield progress
    finally:
        progress.clear()


@contextmanager
def broken_off(context: Context, said: str, hint: str = "") -> Iterator[None]:
    """A block that a signal breaks off at once: Cancelled, with its exit status. Nothing may be lost by that."""
    signals = context.environment.signals
    with signals.deferred() as stop:
        try:
            with signals.interruptible():
                yield
        except KeyboardInterrupt:
            raise Cancelled(said, hint=hint, status=stop.status) from None
