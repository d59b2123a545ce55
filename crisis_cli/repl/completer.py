"""Completion at the prompt: what is legal now, with its odds."""

from __future__ import annotations

import math
from collections.abc import AsyncGenerator, Callable, Iterable, Iterator, Sequence
from contextlib import aclosing
from typing import TYPE_CHECKING, Any

from prompt_toolkit.completion import Completer, Completion, ThreadedCompleter
from prompt_toolkit.document import Document

from ..aliases import expand
from ..commands.parse_line import LONGEST_LINE, NOTE, PROGRAM, as_command
from ..engine.scene import Scene
from ..engine.wording import measured
from ..errors import CrisisError
from ..render.charts import percent, signed
from ..render.command_text import quote
from ..systems import load
from ..verbs import VERBS
from .suggestions import BegunPlan, LineOdds, Suggestions

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from ..context import Context
    from ..engine.legal_actions import LegalAction
    from ..engine.system import Action, System

    Offered = tuple[CompletionItem, tuple[str, ...] | None, BegunPlan | None]
    """A completion, the line whose odds to show beside it, and the best plan that it begins."""

WAIT_FOR_LEGAL = 1.0
"""Seconds the list waits for the legal actions before it offers all; keys never wait."""
NOT_AT_PROMPT = ("play", "init", "completion")
"""Verbs not offered at the prompt."""
HOSTILE = ("attack", "throw")
FIRST_VERBS = ("next", "status", "undo")
"""Verbs offered after the legal actions, before all others."""


class Completions(Completer):
    """Completes lines typed at the prompt, in the current scene."""

    def __init__(self, context: Callable[[], Context], scene: Callable[[], Scene], suggestions: Suggestions):
        self.context = context
        self.scene = scene
        self.suggestions = suggestions

    async def get_completions_async(
        self, document: Document, complete_event: Any
    ) -> AsyncGenerator[Completion, None]:
        """The completions; those that take longer than a key press are computed in a thread."""
        waits = (
            " " in document.current_line_before_cursor[:LONGEST_LINE] or not self.suggestions.ready.is_set()
        )
        source = ThreadedCompleter(self).get_completions_async if waits else super().get_completions_async
        # Closed at once if the rest is not wanted: the event loop does not wait for abandoned generators.
        async with aclosing(source(document, complete_event)) as found:
            async for one in found:
                yield one

    def get_completions(self, document: Document, complete_event: Any) -> Iterable[Completion]:
        """The completions at the cursor."""
        # Imported late: not needed before the first prompt.
        from ..completion.candidates import split

        before_cursor = document.current_line_before_cursor
        if len(before_cursor) > LONGEST_LINE:
            return
        words, typed = split(before_cursor)
        words = words[1:] if words[:1] == [PROGRAM] else words
        if words[:1] == [NOTE]:
            return
        found = self.first_words(typed) if not words else self.later_words(words, typed)
        for candidate, line, begun in found:
            about = self._about(line, candidate.help or "", f"plan {signed(begun.worth)}" if begun else "")
            yield Completion(
                quote(candidate.value), -len(quote(typed) if typed else ""), candidate.value, about
            )

    def _about(self, line: tuple[str, ...] | None, otherwise: str, worth: str) -> str | Callable[[], str]:
        """The text beside a completion, what its plan is worth at its end; a function for a line with odds, because
        these may be ready only at a later drawing."""

        def said(odds: str) -> str:
            return " · ".join(filter(None, (odds or otherwise, worth)))

        return said("") if line is None else lambda: said(chances_text(self.suggestions.of(line)))

    def _best_first(
        self, words: Sequence[str], found: Iterable[CompletionItem]
    ) -> list[tuple[CompletionItem, BegunPlan | None]]:
        """Completions behind some words with the best plan that each begins, if any: these first, else in order."""
        plans, before = self.suggestions.plans, {*words} - {"act"}
        begun = [
            (one, next((plan for plan in plans if {*before, one.value} <= set(plan.line)), None))
            for one in found
        ]
        return sorted(begun, key=lambda one: -one[1].worth if one[1] else math.inf)

    def first_words(self, typed: str) -> Iterator[Offered]:
        """Completions of the first word: legal actions, then the other verbs."""
        from ..completion.line import candidate

        legal, system = self._legal_actions(), load(self.scene().system)
        rows = system.actions
        can = (
            {one.intent.action: one for one in reversed(legal)} if legal is not None else dict.fromkeys(rows)
        )
        doing = [candidate(name, _about_row(rows[name], can[name], system)) for name in rows if name in can]
        verbs = [
            candidate(name, about)
            for name, about in sorted(VERBS.items(), key=lambda verb: verb[0] not in FIRST_VERBS)
            if name not in rows and name not in NOT_AT_PROMPT and name != "act"
        ]
        wanted = typed.casefold().replace("_", "-")
        found = *self._best_first((), doing), *((one, None) for one in verbs)
        yield from ((one, None, begun) for one, begun in found if one.value.startswith(wanted))

    def later_words(self, words: list[str], typed: str) -> Iterator[Offered]:
        """Completions of a later word."""
        from ..cli import cli
        from ..commands.odds import ACTIONS
        from ..completion.candidates import candidates
        from ..preview import is_allowed

        rows = load(self.scene().system).actions
        context = self.context()
        try:
            said = as_command(expand(words, context.environment.settings, {*VERBS, *rows}), VERBS, rows)
        except CrisisError:
            # The line says why when it is run.
            return
        for candidate, begun in self._best_first(said, candidates(cli, said, typed, context)):
            line = (*said, candidate.value)
            weighs = said[0] in ACTIONS and not candidate.value.startswith("-")
            if weighs and (self._names_actor(candidate, said) or not is_allowed(cli, context, line)):
                continue
            yield candidate, line if weighs else None, begun

    def _names_actor(self, candidate: CompletionItem, said: list[str]) -> bool:
        """Whether a completion only names the attacker, who is known here."""
        from ..completion.names import typed_name

        scene = self.scene()
        return said[0] in HOSTILE and candidate.value in (typed_name(scene, name) for name in scene.acting)

    def _legal_actions(self) -> tuple[LegalAction, ...] | None:
        self.suggestions.ready.wait(WAIT_FOR_LEGAL)
        return self.suggestions.legal


def chances_text(chances: LineOdds | None) -> str:
    """Odds as a short text: chance to hit, mean harm, chance to defeat, what may begin or end; empty if unknown."""
    if chances is None:
        return ""
    hit = percent(*chances.hit) if chances.hit else ""
    harm = f"{chances.harm:.1f} harm" if chances.harm >= 0.05 else ""
    down = f"down {chances.down:.0%}".replace("%", " %") if chances.down >= 0.005 else ""
    said = " · ".join(filter(None, (hit, harm, down, *chances.turns)))
    return f"then {chances.target}: {said}" if chances.target else said


def _about_row(row: Action, one: LegalAction | None, system: System) -> str:
    """The costs of an action in pools of the turn, and its title."""
    costs = [
        measured(amount, system.pools[pool].label)
        for pool, amount in (one.costs if one else ())
        if pool in system.pools and system.pools[pool].spent
    ]
    return " · ".join((*costs, row.title))
