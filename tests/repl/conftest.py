"""An evening at the prompt, its keys typed beforehand."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from conftest import Player, Sheets, Shown
from prompt_toolkit.application import create_app_session
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

ENTER, TAB, CTRL_C, CTRL_D, ESCAPE = "\r", "\t", "\x03", "\x04", "\x1b"
F1, F2, F4, F5, F8, F10 = "\x1bOP", "\x1bOQ", "\x1bOS", "\x1b[15~", "\x1b[19~", "\x1b[21~"
Evening = Callable[..., Shown]


@pytest.fixture
def evening(crisis: Player, sheets: Sheets) -> Evening:
    """`evening("attack drone\\r", …)`: play with these keys, and leave when they are used up."""

    def played(*keys: str, words: str = "play", leaves: bool = True) -> Shown:
        with create_pipe_input() as keyboard, create_app_session(keyboard, DummyOutput()):
            keyboard.send_text(
                "".join(keys) + (4 * CTRL_D if leaves else "")
            )  # the first ones may leave a question
            return crisis(words, answers=())

    return played


@pytest.fixture
def duel(fight: Player, evening: Evening) -> Evening:
    """The same in an open crisis of Jack against the drone, which is his turn."""
    return evening
