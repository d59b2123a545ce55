"""The narrowest terminals, and the longest lines: neither ends the prompt, and no key waits for them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

import pytest
from conftest import Player
from prompt_toolkit.application import create_app_session
from prompt_toolkit.document import Document
from prompt_toolkit.input import create_pipe_input

from crisis_cli.commands.parse_line import LONGEST_LINE
from crisis_cli.context import context_of
from crisis_cli.render.style import width
from crisis_cli.repl.game import Game

from .conftest import ENTER, Evening, Screen

LOOKING = ("odds", "?", "status", "map", "explain", "odds attack drone", "log", "help attack", "rules attack")
"""Lines that show something wide."""


@pytest.mark.parametrize("columns", [1, 2, 3, 19])
def test_a_terminal_of_a_few_columns_ends_nothing(crisis: Player, duel: Evening, columns: int) -> None:
    shown = duel("".join(line + ENTER for line in (*LOOKING, "next", "drop-prone")), columns=columns)
    assert (shown.status, shown.err) == (0, "")
    assert crisis.ok("log --json").records[-1]["action"] == "drop-prone"


@pytest.mark.parametrize(
    "verb", ["odds", "act --list", "status", "map", "explain", "odds 3d6", "help attack"]
)
def test_a_command_in_a_terminal_of_one_column(fight: Player, verb: str) -> None:
    assert fight(verb, width=width({"COLUMNS": "1"}, terminal=False)).status == 0


@pytest.fixture
def game(fight: Player) -> Iterator[Game]:
    """A game at the prompt whose legal actions are known."""
    with create_pipe_input() as keyboard, create_app_session(keyboard, Screen()):
        game = Game(context_of(fight.environment(ask=lambda *question: "", at_prompt=True), color=True))
        game.refresh()
        game.suggestions.start()
        assert game.suggestions.ready.wait(60)
        yield game


def calls(work: Callable[[], object]) -> int:
    """How many functions are called."""
    count = 0

    def note(frame: object, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize(
    "begins", ["a", "attack drone ", "act ", "attack 'x", "1", "x ", "--aim ", "odds attack drone --aim 1 "]
)
def test_the_work_of_a_key_does_not_grow_with_the_line(game: Game, begins: str) -> None:
    session = game.prompt.session
    buffer, suggest = session.default_buffer, session.auto_suggest.auto_suggest  # type: ignore[union-attr]
    session.history.store_string(begins * (2 * LONGEST_LINE))

    def press(length: int) -> int:
        document = Document((begins * length)[:length])
        return calls(
            lambda: (
                [*session.completer.get_completions(document, None)],  # type: ignore[union-attr, arg-type]
                suggest.get_suggestion(buffer, document),
            )
        )

    press(LONGEST_LINE)
    assert press(20 * LONGEST_LINE) <= press(2 * LONGEST_LINE) <= press(LONGEST_LINE)


@pytest.mark.parametrize("line", ["1" * 10_000, "?" * 10_000, "x " * 5000, "attack " + "y" * 10_000, "²"])
def test_no_line_is_too_long(crisis: Player, duel: Evening, line: str) -> None:
    shown = duel(f"\x1b[200~{line}\x1b[201~", ENTER, "drop-prone", ENTER)
    assert shown.status == 0 and "error:" in shown.err and "try: " not in shown.err
    assert crisis.ok("log --json").records[-1]["action"] == "drop-prone"


@pytest.mark.parametrize("answer", ["9" * 5000, "²"])
def test_an_answer_that_is_no_number_of_the_list_is_asked_for_again(crisis: Player, answer: str) -> None:
    crisis.ok("init ines --vs looter --open --seed 5")
    shown = crisis("attack ines --dice 15,3,4,7", answers=[answer, "do"])
    assert shown.status == 0 and "or its number" in shown.err
