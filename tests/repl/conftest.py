"""An evening at the prompt, its keys typed beforehand."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from conftest import Player, Sheets, Shown
from prompt_toolkit.application import create_app_session
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from crisis_cli.context import context_of
from crisis_cli.repl.game import Game

ENTER, TAB, CTRL_C, CTRL_D, ESCAPE = "\r", "\t", "\x03", "\x04", "\x1b"
F1, F2, F4, F5, F8, F10 = "\x1bOP", "\x1bOQ", "\x1bOS", "\x1b[15~", "\x1b[19~", "\x1b[21~"


class Screen(DummyOutput):
    """A terminal of so many rows, tall enough by default that nothing is shown page by page."""

    def __init__(self, rows: int = 400, columns: int = 80):
        self.rows, self.columns = rows, columns

    def get_size(self) -> Size:
        """The rows and columns."""
        return Size(rows=self.rows, columns=self.columns)


Evening = Callable[..., Shown]


@pytest.fixture
def evening(crisis: Player, sheets: Sheets) -> Evening:
    """`evening("attack drone\\r", …)`: play with these keys, and leave when they are used up.

    `answers` are given to what is asked before the prompt.
    """

    def played(
        *keys: str,
        words: str = "play",
        leaves: bool = True,
        rows: int = 400,
        columns: int = 80,
        answers: tuple[str, ...] = (),
        terminal: bool = False,
    ) -> Shown:
        with create_pipe_input() as keyboard, create_app_session(keyboard, Screen(rows, columns)):
            # The first ones may leave a question.
            keyboard.send_text("".join(keys) + (4 * CTRL_D if leaves else ""))
            return crisis(words, answers=answers, terminal=terminal)

    return played


@pytest.fixture
def line_by_line(crisis: Player) -> Iterator[Callable[[str], str]]:
    """What runs a line as typed at the prompt, Enter being the answer to every question, and gives what it prints on
    stderr; nothing is drawn, and nobody plays automatically."""
    with create_pipe_input() as keyboard, create_app_session(keyboard, Screen()):
        environment = crisis.environment(ask=lambda *question: "", at_prompt=True)
        game, err = Game(context_of(environment)), environment.err

        def run(line: str) -> str:
            before = err.tell()
            game.run_lines(line)
            return err.getvalue()[before:]

        yield run


@pytest.fixture
def duel(fight: Player, evening: Evening) -> Evening:
    """The same in an open crisis of Jack against the drone, which is his turn."""
    return evening
