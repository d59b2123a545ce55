"""The prompt: an input line with the field above, the toolbar below, history and completion."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

from prompt_toolkit import PromptSession
from prompt_toolkit.auto_suggest import AutoSuggest, ThreadedAutoSuggest
from prompt_toolkit.completion import Completer, WordCompleter
from prompt_toolkit.enums import EditingMode
from prompt_toolkit.formatted_text import ANSI, StyleAndTextTuples
from prompt_toolkit.history import FileHistory, History, InMemoryHistory
from prompt_toolkit.layout import HSplit, Layout
from prompt_toolkit.output.color_depth import ColorDepth
from prompt_toolkit.shortcuts import CompleteStyle
from prompt_toolkit.styles import Style

from ..render.style import LEAST_COLUMNS
from .field_panel import FieldPanel
from .keys import bindings, with_answers

try:
    import termios
except ImportError:  # on Windows
    termios = None  # type: ignore[assignment]

Field = Callable[[int, int], list[str]]
"""Gives the lines above the prompt for so many columns and rows."""
STYLE = Style.from_dict({"bottom-toolbar": "reverse", "bottom-toolbar.key": "bold"})
FILE = "history"
LARGEST_HISTORY = 10_000_000
"""Most bytes of a history that is read."""
"""The history file in the player's data folder."""
MENU_ROWS = 6
"""Rows of the completion menu while it is open."""
LOW_TERMINAL = 18
"""In a terminal with fewer rows the menu has half as many."""
TOOLBAR_ROWS = 3
"""Rows of the prompt, the toolbar, and one between."""
NO_KEYS: Mapping[str, str] = {}
MIN_FIELD_ROWS = 4
"""Rows of the field on the smallest terminal."""


class Prompt:
    """The prompt at which the player types."""

    def __init__(
        self,
        env: Mapping[str, str],
        color: bool,
        field: Field,
        toolbar: Callable[[], StyleAndTextTuples],
        completer: Completer,
        suggester: AutoSuggest,
        after_render: Callable[[], None],
        data: Callable[[], str],
    ):
        self.field = field
        self.answers = InMemoryHistory()
        """Answers to earlier questions, for the arrow keys."""
        self.pending_text = ""
        """The text on the line when a function key ran another."""
        self.session: PromptSession[str] = PromptSession(
            history=PersistentHistory(data),
            # Without colour, suggestions could not be distinguished from typed text.
            auto_suggest=ThreadedAutoSuggest(suggester) if color else None,
            completer=completer,
            complete_while_typing=True,
            bottom_toolbar=toolbar,
            key_bindings=bindings(self._run_key),
            style=STYLE,
            include_default_pygments_style=False,
            editing_mode=EditingMode.VI if env.get("CRISIS_KEYS") == "vi" else EditingMode.EMACS,
            color_depth=None if color else ColorDepth.DEPTH_1_BIT,
            reserve_space_for_menu=0,
            enable_suspend=True,
            erase_when_done=True,
        )
        self.session.app.after_render += lambda app: after_render()
        self.is_dumb = is_dumb(env)
        if not self.is_dumb:
            self._put_field_above()

    def _put_field_above(self) -> None:
        app = self.session.app
        line = app.layout.current_window
        app.layout = Layout(
            HSplit([FieldPanel(self._field_lines), app.layout.container]), focused_element=line
        )

    def _field_lines(self) -> list[str]:
        """The lines of the field that fit the terminal now; rows are reserved for the menu only while it is open."""
        size = self.session.app.output.get_size()
        is_open = self.session.default_buffer.complete_state is not None
        self.session.reserve_space_for_menu = _menu_rows(size.rows) if is_open else 0
        return self.field(self.columns, self._field_height(size.rows))

    def _field_height(self, rows: int) -> int:
        """The rows that the field may take in a terminal of so many."""
        return max(MIN_FIELD_ROWS, rows - _menu_rows(rows) - TOOLBAR_ROWS)

    def _run_key(self, event: Any, line: str) -> None:
        """Run a line for a function key, and keep what has been typed."""
        if not event.app.is_done:
            self.pending_text = event.current_buffer.text
            event.app.exit(result=line)

    @property
    def columns(self) -> int:
        """The width of the terminal now, or the least that texts are laid out for."""
        return max(LEAST_COLUMNS, self.session.app.output.get_size().columns)

    @property
    def rows(self) -> int:
        """The height of the terminal now."""
        return self.session.app.output.get_size().rows

    @property
    def rows_above(self) -> int:
        """How many lines the terminal shows above the field, the line and the toolbar."""
        size = self.session.app.output.get_size()
        field = len(self.field(self.columns, self._field_height(size.rows)))
        return max(MIN_FIELD_ROWS, size.rows - field - (1 if self.is_dumb else TOOLBAR_ROWS - 1))

    @property
    def is_vi(self) -> bool:
        """Whether vi editing is on."""
        return self.session.app.editing_mode == EditingMode.VI

    def clear(self) -> None:
        """Clear the screen, where it is no plain printer."""
        if not self.is_dumb:
            # Not `renderer.clear`: where a terminal reports its cursor, that needs a line that is being typed.
            self.session.app.output.erase_screen()
            self.session.app.output.cursor_goto(0, 0)
            self.session.app.output.flush()

    def redraw(self) -> None:
        """Redraw the screen; may be called from any thread."""
        app = self.session.app
        loop = app.loop
        # The application may end meanwhile, and its event loop with it.
        if loop is not None:
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(app.invalidate)

    def read(self, mark: str) -> str:
        """Read a line; EOFError for Ctrl-D, KeyboardInterrupt for Ctrl-C."""
        default, self.pending_text = self.pending_text, ""
        # Ctrl-C comes as a key; a signal that comes as the application ends would find nothing to stop.
        return self.session.prompt(ANSI(mark), default=default, handle_sigint=False)

    def ask(self, question: str, answers: Iterable[str] = (), keys: Mapping[str, str] = NO_KEYS) -> str:
        """Ask a question in the middle of a command; Tab completes the answers, a function key types its line, and on
        an empty line one of `keys` gives its answer at once."""
        from prompt_toolkit import prompt

        return prompt(
            ANSI(question),
            key_bindings=with_answers(bindings(_type_line), keys, _type_line),
            history=self.answers,
            completer=WordCompleter([*answers], sentence=True),
            complete_while_typing=False,
            complete_style=CompleteStyle.READLINE_LIKE,
        )

    @contextmanager
    def unechoed(self) -> Iterator[None]:
        """A block without echo: keys typed meanwhile appear only in the next line."""
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


def _type_line(event: Any, line: str) -> None:
    """Answer with the line of a function key."""
    if not event.app.is_done:
        event.app.exit(result=line)


def _menu_rows(rows: int) -> int:
    """The rows of the menu in a terminal of so many."""
    return MENU_ROWS if rows >= LOW_TERMINAL else MENU_ROWS // 2


def is_dumb(env: Mapping[str, str]) -> bool:
    """Whether the terminal can only print plain lines."""
    return env.get("TERM", "") in ("dumb", "unknown")


class PersistentHistory(History):
    """History kept in a file; in memory only if the file cannot be read or written."""

    def __init__(self, data: Callable[[], str]):
        super().__init__()
        self.data = data

    def load_history_strings(self) -> Iterable[str]:
        """The lines of earlier sessions, the last first; called in a thread after the first prompt."""
        with suppress(OSError):
            path = os.path.join(self.data(), FILE)
            # A named pipe would make it wait, and a device never end.
            if os.path.isfile(path) and os.path.getsize(path) <= LARGEST_HISTORY:
                return FileHistory(path).load_history_strings()
        return ()

    def store_string(self, string: str) -> None:
        """Append a line to the history file."""
        with suppress(OSError):
            path = os.path.join(self.data(), FILE)
            os.makedirs(self.data(), exist_ok=True)
            if os.path.isfile(path) or not os.path.lexists(path):
                FileHistory(path).store_string(string)
