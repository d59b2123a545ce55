"""Function keys of the prompt that run a command at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from prompt_toolkit.application import get_app
from prompt_toolkit.enums import EditingMode
from prompt_toolkit.filters import Condition
from prompt_toolkit.key_binding import KeyBindings

KEYS = {
    "f1": "help",
    "f2": "odds",
    "f3": "map",
    "f5": "undo --mine",
    "f6": "redo",
    "f7": "log",
    "f8": "next",
    "f9": "auto",
}
"""Function keys, each with the line it runs."""
LABELS = {"f5": "back"}
"""What the toolbar calls keys whose line is more than a word."""
EDITING = "f4"
"""The key that switches between emacs and vi editing."""
LEAVE = "f10"


def bindings(run_line: Callable[[Any, str], None]) -> KeyBindings:
    """The key bindings; `instead` does a line in place of the one that is typed."""
    keys = KeyBindings()
    for key, line in KEYS.items():

        def run_key(event: Any, line: str = line) -> None:
            run_line(event, line)

        keys.add(key)(run_key)

    @keys.add(EDITING)
    def _(event: Any) -> None:
        app = event.app
        app.editing_mode = EditingMode.EMACS if app.editing_mode == EditingMode.VI else EditingMode.VI

    @keys.add(LEAVE)
    def _(event: Any) -> None:
        if not event.app.is_done:
            event.app.exit(exception=EOFError)

    @keys.add("tab", filter=Condition(_has_one_completion))
    def _(event: Any) -> None:
        # The only one is taken for good: Tab again does not take it back.
        buffer = event.current_buffer
        buffer.apply_completion(buffer.complete_state.completions[0])

    return keys


def with_answers(
    keys: KeyBindings, answers: Mapping[str, str], answer: Callable[[Any, str], None]
) -> KeyBindings:
    """The key bindings with keys that give an answer at once on an empty line; `answer` gives it."""
    for key, word in answers.items():

        def give(event: Any, word: str = word) -> None:
            answer(event, word)

        keys.add(key, filter=Condition(_is_empty))(give)
    return keys


def _is_empty() -> bool:
    return not get_app().current_buffer.text


def _has_one_completion() -> bool:
    state = get_app().current_buffer.complete_state
    return state is not None and len(state.completions) == 1
