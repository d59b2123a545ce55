"""Whatever is typed or pasted at the prompt: it is done or refused, and the evening goes on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from conftest import SHEETS, Player, Sheets
from crash.test_fuzz import FUZZ
from hypothesis import given
from hypothesis import strategies as st
from prompt_toolkit.application import create_app_session
from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from crisis_cli.commands.parse_line import parse_line
from crisis_cli.completion.candidates import split
from crisis_cli.render.command_text import quote
from crisis_cli.repl.game import Game

pytestmark = pytest.mark.slow

TYPED = st.one_of(
    st.sampled_from(
        [
            *(
                "attack drone",
                "next",
                "undo",
                "?",
                "help",
                "crisis",
                "crisis crisis",
                "auto x y",
                "note",
                "note ''",
            ),
            *(
                "attack 'drone",
                'note "x',
                "note \\",
                "\\",
                "'",
                '"',
                "#",
                "# attack drone",
                "$(ls)",
                "`ls`",
                "a;b",
            ),
            *(
                "--",
                "-",
                "--help",
                "attack --help",
                "--version",
                "--file x status",
                "roll 3d6",
                "roll '3d6",
                "!!",
            ),
            *("\N{DRAGON} \N{DRAGON}", "attack \N{DRAGON}", "note \0", "note \x1b[31m", "x" * 20_000),
            *(
                "attack drone\r\nnext\r\n",
                "note a\rnote b",
                "\x0b\x0c\x1c\x85\u2028",
                "note a\u2028b",
                "play",
                "init jack",
            ),
            *("attack " + "drone " * 2_000, "note " + "\u0301" * 300, "\ufeffattack drone", "note \u202eabc"),
            *("ATTACK drone", "Attack Drone", "stand_up", "act", "act act", "odds odds", "set jack name x"),
        ]
    ),
    st.text(st.characters(blacklist_categories=("Cs",)), max_size=12),
    st.builds(
        "{} {}".format,
        st.sampled_from(["attack", "note", "set", "heal", "act", "odds", "?"]),
        st.text(max_size=8),
    ),
)
"""What nobody would type, and what anybody might."""


class Table:
    """A game in an open crisis, typed at line by line."""

    def __init__(self, here: Path):
        self.player = Player(here)
        for stem, text in SHEETS.items():
            Sheets(here / "characters").write(stem, text)
        self.player.ok("init jack --vs drone --open --seed 7 --dice 6,6,6,1,1,1")

    def environment(self, **how: Any) -> Any:
        """The world of the player, who answers no questions."""

        def nobody(prompt: str) -> str:
            raise EOFError

        return self.player.environment(ask=nobody, **how)


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Table:
    """One for all examples: whatever was typed before may have been done."""
    return Table(tmp_path_factory.mktemp("nonsense"))


@FUZZ
@given(typed=TYPED)
def test_nothing_typed_ends_the_evening(table: Table, typed: str) -> None:
    from crisis_cli.context import context_of

    with create_pipe_input() as keyboard, create_app_session(keyboard, DummyOutput()):
        environment = table.environment()
        game = Game(context_of(environment))
        if table.player.journal.exists() and game.refresh():
            game.run_lines(typed)
    for said in (environment.out.getvalue(), environment.err.getvalue()):
        assert all(sign.isprintable() or sign == "\n" for sign in said), repr(said[:300])
    if not table.player.journal.exists():
        table.player.ok("init jack --vs drone --open --seed 7 --dice 6,6,6,1,1,1")
    assert table.player("verify").status == 0


@FUZZ
@given(typed=TYPED, cut=st.integers(0, 40))
def test_nothing_typed_breaks_completion(table: Table, typed: str, cut: int) -> None:
    from crisis_cli.context import context_of

    with create_pipe_input() as keyboard, create_app_session(keyboard, DummyOutput()):
        game = Game(context_of(table.environment()))
        completer = game.prompt.session.completer
        assert completer is not None
        game.suggestions.ready.set()
        before = table.player.files()
        for offer in completer.get_completions(Document(typed[:cut]), CompleteEvent()):
            assert offer.text
        assert table.player.files() == before


@FUZZ
@given(
    words=st.lists(st.text(st.characters(blacklist_categories=("Cs",)), min_size=1, max_size=6), min_size=1)
)
def test_what_is_completed_is_read_as_it_was_meant(words: list[str]) -> None:
    """A name with quotes, spaces, a backslash or an emoji is quoted so that it reads back."""
    line = " ".join(map(quote, words))
    assert parse_line("check " + line, {"check": ""}, {}) == ["check", *words]


@FUZZ
@given(text=st.text(max_size=30))
def test_a_line_half_typed_falls_into_words_whatever_it_is(text: str) -> None:
    words, rest = split(text)
    assert all(isinstance(word, str) for word in (*words, rest))
