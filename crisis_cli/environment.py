"""What the program uses of the outside world: folders, streams, the clock, the player."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import IO

from .errors import FileError
from .render.style import rows, width
from .signals import Signals
from .values import NamedTuple


class Environment(NamedTuple):
    """What the program uses of the outside world."""

    cwd: str
    env: Mapping[str, str]
    out: IO[str]
    err: IO[str]
    ask: Callable[..., str]
    """Asks the player a question and returns one line; at the prompt of a game it also takes the possible answers, and
    the keys that give one at once.

    EOFError at the end of input.
    """
    is_interactive: bool
    """Whether a player is there to ask: stdin and stderr are a terminal."""
    is_terminal: bool
    """Whether stdout is a terminal."""
    width: int
    clock: Callable[[], str]
    """Gives the time now, as `2026-11-20T19:07:02Z`."""
    fresh_seed: Callable[[], int]
    stdin: Iterable[str] | None = None
    """The lines piped in; None if stdin is a terminal."""
    at_prompt: bool = False
    """Whether the command was typed at the prompt of a game."""
    signals: Signals = Signals()
    """The signals that stop the run."""
    height: int = 0
    """How many lines the terminal shows above the prompt of a game; 0 for no limit."""
    rows: int = 0
    """How many lines the terminal has; 0 where there is none, or it does not say."""
    in_script: bool = False
    """Whether the command is a line of a script."""

    @property
    def is_typed(self) -> bool:
        """Whether a player types the command, and no script or program gives it."""
        return self.is_interactive and not self.in_script

    @property
    def from_shell(self) -> bool:
        """Whether a shell has split the command into words, and would read brackets and stars in its own way."""
        return not (self.at_prompt or self.in_script)


def real_environment() -> Environment:
    """The environment of this process; FileError if its working directory no longer exists."""
    import time

    try:
        cwd = os.getcwd()
    except FileNotFoundError as error:
        raise FileError(
            "the folder you are in is gone", hint="cd to another, and try again", code="not_found"
        ) from error
    return Environment(
        cwd,
        os.environ,
        sys.stdout,
        sys.stderr,
        _ask_at_terminal,
        sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty(),
        sys.stdout.isatty(),
        width(os.environ, sys.stdout.isatty()),
        lambda: time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        lambda: int.from_bytes(os.urandom(4), "big") >> 1,
        None if sys.stdin is None or sys.stdin.isatty() else sys.stdin,
        rows=rows(sys.stdout.isatty()),
    )


def _ask_at_terminal(question: str) -> str:
    """The line typed as an answer, edited with the arrow keys where the platform has readline."""
    with suppress(ImportError):
        import readline  # noqa: F401 (once imported, it edits what `input` reads)
    return input(question)
