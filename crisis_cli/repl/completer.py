"""What may be typed next: only what is legal now, and beside it what it would come to."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Iterable, Iterator
from contextlib import aclosing
from typing import TYPE_CHECKING, Any

from prompt_toolkit.completion import Completer, Completion, ThreadedCompleter
from prompt_toolkit.document import Document

from ..engine.scene import Scene
from ..render.messages import measured
from ..render.pictures import percent
from ..systems import load
from ..verbs import VERBS
from .lines import NOTE, quoted, spelled_out
from .suggestions import Chances, Outlook

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from ..context import Context
    from ..engine.legal_actions import Legal
    from ..engine.system import Action, System

PATIENCE = 1.0
"""Seconds to wait for what is legal before everything is offered; no key waits, only the list does."""
ELSEWHERE = ("play", "init", "completion")
"""Verbs that have no place at the prompt of an open crisis."""
HOSTILE = ("attack", "throw")
TURN = ("next", "status", "undo")
"""Offered behind what can be done, before the other verbs."""


class Completions(Completer):
    """Completes lines of one desk in the scene that is played."""

    def __init__(self, context: Callable[[], Context], scene: Callable[[], Scene], outlook: Outlook):
        self.context = context
        self.scene = scene
        self.outlook = outlook

    async def get_completions_async(
        self, document: Document, complete_event: Any
    ) -> AsyncGenerator[Completion, None]:
        """The same; what takes longer than a key may is looked for in a thread."""
        waits = " " in document.current_line_before_cursor or not self.outlook.ready.is_set()
        source = ThreadedCompleter(self).get_completions_async if waits else super().get_completions_async
        # Closed at once where the rest is not wanted: the loop does not wait for what is left to itself.
        async with aclosing(source(document, complete_event)) as found:
            async for one in found:
                yield one

    def get_completions(self, document: Document, complete_event: Any) -> Iterable[Completion]:
        """Whatever may stand where the cursor is."""
        # What is not needed before the first prompt is loaded after it.
        from ..completion.offers import split

        words, typed = split(document.current_line_before_cursor)
        if words[:1] == [NOTE]:
            return
        found = self.first(typed) if not words else self.further(words, typed)
        for offer, chances in found:
            about = self._about(chances, offer.help or "") if chances else offer.help
            yield Completion(quoted(offer.value), -len(quoted(typed) if typed else ""), offer.value, about)

    def _about(self, words: tuple[str, ...], otherwise: str) -> Callable[[], str]:
        """Said anew at every drawing: the chances come when they are worked out."""
        return lambda: in_short(self.outlook.of(words)) or otherwise

    def first(self, typed: str) -> Iterator[tuple[CompletionItem, None]]:
        """The first word: what can be done, then the other verbs."""
        from ..completion.line import offer

        may, system = self._may(), load(self.scene().system)
        rows = system.actions
        can = {one.intent.action: one for one in reversed(may)} if may is not None else dict.fromkeys(rows)
        doing = [offer(name, _about_row(rows[name], can[name], system)) for name in rows if name in can]
        verbs = [
            offer(name, about)
            for name, about in sorted(VERBS.items(), key=lambda verb: verb[0] not in TURN)
            if name not in rows and name not in ELSEWHERE and name != "act"
        ]
        wanted = typed.casefold().replace("_", "-")
        yield from ((one, None) for one in (*doing, *verbs) if one.value.startswith(wanted))

    def further(
        self, words: list[str], typed: str
    ) -> Iterator[tuple[CompletionItem, tuple[str, ...] | None]]:
        """A later word, with the line whose chances are of interest beside it."""
        from ..cli import cli
        from ..commands.odds import ACTIONS
        from ..completion.offers import candidates
        from .preview import is_allowed

        rows = load(self.scene().system).actions
        said = spelled_out(words, VERBS, rows)
        context = self.context()
        for offer in candidates(cli, said, typed, context):
            line = (*said, offer.value)
            weighs = said[0] in ACTIONS and not offer.value.startswith("-")
            if weighs and (self._acts(offer, said) or not is_allowed(context, line)):
                continue
            yield offer, line if weighs else None

    def _acts(self, offer: CompletionItem, said: list[str]) -> bool:
        """Whether a word would only say who attacks, which is known here."""
        from ..completion.names import spelled

        scene = self.scene()
        return said[0] in HOSTILE and offer.value in (spelled(scene, name) for name in scene.acting)

    def _may(self) -> tuple[Legal, ...] | None:
        self.outlook.ready.wait(PATIENCE)
        return self.outlook.may


def in_short(told: Chances | None) -> str:
    """Chances in a few words."""
    if told is None:
        return ""
    hit = percent(*told.hit) if told.hit else ""
    harm = f"{told.harm:.1f} harm" if told.harm >= 0.05 else ""
    return " · ".join(filter(None, (hit, harm)))


def _about_row(row: Action, one: Legal | None, system: System) -> str:
    """What an action does, and what it costs of what turns give."""
    costs = [
        measured(amount, system.pools[pool].label)
        for pool, amount in (one.costs if one else ())
        if pool in system.pools and system.pools[pool].spent
    ]
    return " · ".join((*costs, row.title))
