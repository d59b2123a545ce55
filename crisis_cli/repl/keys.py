"""The keys that do something at once, beside those of every line editor."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from prompt_toolkit.enums import EditingMode
from prompt_toolkit.key_binding import KeyBindings

KEYS = {
    "f1": "help",
    "f2": "odds",
    "f3": "map",
    "f5": "undo",
    "f6": "redo",
    "f7": "log",
    "f8": "next",
    "f9": "auto",
}
"""Keys and the line that each stands for."""
EDITING = "f4"
"""The key that goes from one way of editing to the other."""
LEAVE = "f10"


def bindings(instead: Callable[[Any, str], None]) -> KeyBindings:
    """The key bindings; `instead` does a line in place of the one that is typed."""
    keys = KeyBindings()
    for key, line in KEYS.items():

        def does(event: Any, line: str = line) -> None:
            instead(event, line)

        keys.add(key)(does)

    @keys.add(EDITING)
    def _(event: Any) -> None:
        app = event.app
        app.editing_mode = EditingMode.EMACS if app.editing_mode == EditingMode.VI else EditingMode.VI

    @keys.add(LEAVE)
    def _(event: Any) -> None:
        if not event.app.is_done:
            event.app.exit(exception=EOFError)

    return keys
