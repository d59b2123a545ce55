"""The line that the player types at: the field above it, the keys below, history and completion."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from prompt_toolkit import PromptSession
from prompt_toolkit.auto_suggest import AutoSuggestFromHistory
from prompt_toolkit.completion import Completer, WordCompleter
from prompt_toolkit.enums import EditingMode
from prompt_toolkit.formatted_text import ANSI, StyleAndTextTuples
from prompt_toolkit.history import FileHistory, History
from prompt_toolkit.layout import HSplit, Layout
from prompt_toolkit.output.color_depth import ColorDepth
from prompt_toolkit.shortcuts import CompleteStyle
from prompt_toolkit.styles import Style

from .field_panel import Above
from .keys import bindings

try:
    import termios
except ImportError:  # on Windows
    termios = None  # type: ignore[assignment]

Field = Callable[[int, int], list[str]]
"""The lines above the prompt for so many columns and rows."""
STYLE = Style.from_dict({"bottom-toolbar": "reverse", "bottom-toolbar.key": "bold"})
FILE = "history"
"""In the player's data folder."""
MENU = 6
"""Rows kept free for the completions."""
LOW = 18
"""Rows of a terminal below which half as many must do."""
BELOW = 3
"""Rows of the prompt, the keys, and one between."""
FEWEST = 4
"""Rows of the field on the smallest of terminals."""


class Prompt:
    """Where the player types."""

    def __init__(
        self,
        env: Mapping[str, str],
        color: bool,
        field: Field,
        below: Callable[[], StyleAndTextTuples],
        completer: Completer,
        drawn: Callable[[], None],
        data: Callable[[], Path],
    ):
        self.field = field
        self.left = ""
        """What was on the line when a key did something else."""
        self.session: PromptSession[str] = PromptSession(
            history=Evenings(data),
            # Without colour nothing would tell what was typed from what might be.
            auto_suggest=AutoSuggestFromHistory() if color else None,
            completer=completer,
            complete_while_typing=True,
            bottom_toolbar=below,
            key_bindings=bindings(self._instead),
            style=STYLE,
            include_default_pygments_style=False,
            editing_mode=EditingMode.VI if env.get("CRISIS_KEYS") == "vi" else EditingMode.EMACS,
            color_depth=None if color else ColorDepth.DEPTH_1_BIT,
            reserve_space_for_menu=MENU,
            enable_suspend=True,
            erase_when_done=True,
        )
        self.session.app.after_render += lambda app: drawn()
        self.dumb = is_dumb(env)
        if not self.dumb:
            self._put_field_above()

    def _put_field_above(self) -> None:
        app = self.session.app
        line = app.layout.current_window
        app.layout = Layout(HSplit([Above(self._fitted), app.layout.container]), focused_element=line)

    def _fitted(self) -> list[str]:
        """The field as it fits the terminal now."""
        size = self.session.app.output.get_size()
        menu = self.session.reserve_space_for_menu = MENU if size.rows >= LOW else MENU // 2
        return self.field(size.columns, max(FEWEST, size.rows - menu - BELOW))

    def _instead(self, event: Any, line: str) -> None:
        """Do something else, and keep what has been typed."""
        if not event.app.is_done:
            self.left = event.current_buffer.text
            event.app.exit(result=line)

    @property
    def columns(self) -> int:
        """How wide the terminal is now."""
        return self.session.app.output.get_size().columns

    @property
    def is_vi(self) -> bool:
        """Whether keys edit as in vi."""
        return self.session.app.editing_mode == EditingMode.VI

    def stir(self) -> None:
        """Draw again what may have changed; from any thread."""
        app = self.session.app
        loop = app.loop
        # The application may end meanwhile, and its loop with it: what is drawn again is asked for in the loop.
        if loop is not None:
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(app.invalidate)

    def read(self, mark: str) -> str:
        """A line from the player; EOFError where they leave, KeyboardInterrupt where they give it up."""
        default, self.left = self.left, ""
        return self.session.prompt(ANSI(mark), default=default)

    def ask(self, question: str, answers: Iterable[str] = ()) -> str:
        """The answer to a question in the middle of something; Tab completes the answers there are."""
        from prompt_toolkit import prompt

        return prompt(
            ANSI(question),
            completer=WordCompleter([*answers], sentence=True),
            complete_while_typing=False,
            complete_style=CompleteStyle.READLINE_LIKE,
        )

    @contextmanager
    def unechoed(self) -> Iterator[None]:
        """Keys that are typed meanwhile are kept for the next line, and shown only there."""
        if termios is None or not sys.stdin.isatty():
            yield
            return
        keyboard = sys.stdin.fileno()
        before = termios.tcgetattr(keyboard)
        flags = [*before]
        flags[3] &= ~termios.ECHO
        termios.tcsetattr(keyboard, termios.TCSANOW, flags)
        try:
            yield
        finally:
            termios.tcsetattr(keyboard, termios.TCSANOW, before)


def is_dumb(env: Mapping[str, str]) -> bool:
    """Whether the terminal takes nothing but plain lines."""
    return env.get("TERM", "") in ("dumb", "unknown")


class Evenings(History):
    """What was typed on this evening and on others; on this one only where nothing can be read or written."""

    def __init__(self, data: Callable[[], Path]):
        super().__init__()
        self.data = data

    def load_history_strings(self) -> Iterable[str]:
        """The lines of other evenings, the last first; looked for in a thread, after the first prompt."""
        with suppress(OSError):
            return FileHistory(str(self.data() / FILE)).load_history_strings()
        return ()

    def store_string(self, string: str) -> None:
        """One more line."""
        with suppress(OSError):
            self.data().mkdir(parents=True, exist_ok=True)
            FileHistory(str(self.data() / FILE)).store_string(string)
