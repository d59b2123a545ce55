"""What the program uses of the outside world: folders, streams, the clock, the player."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import IO

from .configuration.files import said
from .configuration.settings import Configuration, settings_of
from .errors import FileError
from .render.style import Ink, rows, width
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
    settings: Configuration | None = None
    """The settings of the player and the folder; None until they are read."""
    wants_json: bool = False
    """Whether the command line has --json."""

    @property
    def is_typed(self) -> bool:
        """Whether a player types the command, and no script or program gives it."""
        return self.is_interactive and not self.in_script

    @property
    def from_shell(self) -> bool:
        """Whether a shell has split the command into words, and would read brackets and stars in its own way."""
        return not (self.at_prompt or self.in_script)

    def configured(self, key: str) -> str:
        """The value of a key in the settings of the folder, or else of the player; empty for none."""
        return self.settings.configured(key) if self.settings else ""

    def shown_as(self, key: str) -> str:
        """The value of a key that matters to people alone: empty where a program may read stdout."""
        return self.configured(key) if self.is_terminal and not self.wants_json else ""

    def ink(self, out: IO[str], terminal: bool, color: bool | None = None) -> Ink:
        """The ink for a stream of this environment, in the look that the player has set."""
        theme, is_ascii = self.shown_as("theme"), self.shown_as("ascii") == "true"
        return Ink.fitting(self.env, out, terminal, color, theme, is_ascii)


def with_settings(environment: Environment, wants_json: bool = False) -> Environment:
    """The environment with the settings of the player and the folder, read once a run."""
    if environment.settings is not None:
        return environment
    settings = settings_of(environment.env, environment.cwd)
    environment = environment._replace(
        settings=settings, env=settings.with_defaults(environment.is_terminal), wants_json=wants_json
    )
    columns = "" if said(environment.env, "COLUMNS") else environment.shown_as("width")
    return environment._replace(width=int(columns)) if columns else environment


def real_environment(needs_folder: bool = True) -> Environment:
    """The environment of this process; FileError if its working directory no longer exists, where it is needed."""
    import time

    try:
        cwd = os.getcwd()
    except FileNotFoundError as error:
        cwd = os.environ.get("PWD", os.sep)
        if needs_folder:
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
