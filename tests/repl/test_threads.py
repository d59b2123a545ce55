"""What works in the background must not disturb the prompt, however the two fall together."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import Player
from prompt_toolkit.application import create_app_session
from prompt_toolkit.auto_suggest import DummyAutoSuggest
from prompt_toolkit.completion import CompleteEvent, Completion, DummyCompleter
from prompt_toolkit.document import Document
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput

from crisis_cli.repl.completer import Completions
from crisis_cli.repl.prompt import Prompt
from crisis_cli.repl.suggestions import Suggestions


@pytest.fixture
def prompt(tmp_path: Path) -> Iterator[Prompt]:
    """A prompt that is not running."""
    with create_pipe_input() as keyboard, create_app_session(keyboard, DummyOutput()):
        yield Prompt(
            {},
            False,
            lambda *size: [],
            list,
            DummyCompleter(),
            DummyAutoSuggest(),
            lambda: None,
            lambda: tmp_path,
        )


def test_a_drawing_asked_for_as_the_prompt_ends_is_forgotten(prompt: Prompt) -> None:
    """The application ends between two looks of another thread at it: no exception, or that thread would end."""
    app: Any = prompt.session.app

    class Ending:
        """The loop of an application that ends as it is looked at."""

        def is_closed(self) -> bool:
            app.loop = None
            return False

        def call_soon_threadsafe(self, *how: Any) -> None:
            app.loop = None
            raise RuntimeError("Event loop is closed")

    app._is_running, app.loop = True, Ending()
    prompt.redraw()
    assert app.loop is None


def test_a_key_that_comes_after_the_line_has_ended_does_nothing(prompt: Prompt) -> None:
    class Result:
        """A key pressed in an application whose result is set already."""

        is_done = True
        app: Any

        def exit(self, **result: Any) -> None:
            raise Exception("Return value already set. Application.exit() failed.")

    event: Any = Result()
    event.app = event
    prompt.pending_text = "attack"
    prompt._run_key(event, "odds")
    assert prompt.pending_text == "attack", "the line that was left is still the one that is kept"


def test_completions_that_are_not_wanted_any_more_are_closed_at_once() -> None:
    closed: list[bool] = []

    class Two(Completions):
        """Completions of which only the first is taken."""

        def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterator[Completion]:
            try:
                yield Completion("attack")
                yield Completion("attend")
            finally:
                closed.append(True)

    async def first() -> None:
        suggestions = Suggestions(lambda: None)
        suggestions.ready.set()
        none: Any = None
        found = Two(none, none, suggestions).get_completions_async(Document("a"), CompleteEvent())
        async for _ in found:
            break
        await found.aclose()
        assert closed == [True]

    asyncio.run(first())


def test_what_may_be_done_is_ready_only_for_the_scene_that_is_played(fight: Player) -> None:
    """A scene that was worked out too late says nothing of the next."""
    from crisis_cli.context import context_of

    context = context_of(fight.environment())
    suggestions = Suggestions(lambda: None)
    old = context.desk.open_session().scene
    suggestions.set_scene(context, old)
    suggestions.set_scene(context, old._replace(round=2))
    suggestions._keep(old, may=())
    assert suggestions.legal is None and not suggestions.ready.is_set()
