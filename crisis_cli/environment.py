"""Everything outside the program that it looks at: folders, streams, the clock, the player; tests hand in another."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import IO, NamedTuple

from .errors import FileTrouble
from .render.style import width
from .signals import Signals


class Environment(NamedTuple):
    """Everything outside the program that it looks at."""

    here: Path
    env: Mapping[str, str]
    out: IO[str]
    err: IO[str]
    ask: Callable[..., str]
    """One line from the player, given the question and at the prompt the answers there are; EOFError for none."""
    interactive: bool
    """Whether there is a player at a terminal to ask."""
    terminal: bool
    """Whether what is printed goes to a terminal."""
    width: int
    clock: Callable[[], str]
    """Now, as `2026-11-20T19:07:02Z`."""
    fresh_seed: Callable[[], int]
    reading: Iterable[str] | None = None
    """What is piped in; None at a terminal."""
    prompt: bool = False
    """Whether commands are typed at the prompt of an open crisis."""
    signals: Signals = Signals()
    """What stops the run from outside."""


def real_environment() -> Environment:
    """The world as it is; FileTrouble where it has no folder to be in."""
    import time

    try:
        here = Path.cwd()
    except FileNotFoundError as trouble:
        raise FileTrouble(
            "the folder you are in is gone", hint="cd to another, and try again", code="not_found"
        ) from trouble
    return Environment(
        here,
        os.environ,
        sys.stdout,
        sys.stderr,
        input,
        sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty(),
        sys.stdout.isatty(),
        width(os.environ, sys.stdout.isatty()),
        lambda: time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        lambda: int.from_bytes(os.urandom(4), "big") >> 1,
        None if sys.stdin is None or sys.stdin.isatty() else sys.stdin,
    )
