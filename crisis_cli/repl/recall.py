"""Suggestions from the history: only lines that mean something in this fight."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from prompt_toolkit.auto_suggest import AutoSuggest, Suggestion
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.document import Document

from ..aliases import expand
from ..commands.parse_line import LONGEST_LINE, NOTE, as_command, options_first, parse_line, verb_first
from ..context import Context
from ..engine.scene import Scene
from ..engine.validate import prepare
from ..errors import CrisisError
from ..sheets.find_fighters import is_present
from ..sheets.names import fighter_names, join_words
from ..systems import load
from ..verbs import VERBS

MOST = 12
"""How many earlier lines with the same beginning are looked at."""
ABOUT_FIGHTERS = ("set", "auto", "leave", "status")
"""Verbs whose first word is mostly a fighter."""
NO_FIGHTERS = ("order", "tension", "terrain")
"""What else their first word may be."""


class LegalSuggestions(AutoSuggest):
    """Suggests the rest of the last line of the history that begins as what is typed, and can be done now."""

    def __init__(self, context: Callable[[], Context], scene: Callable[[], Scene]):
        self.context = context
        self.scene = scene
        self._scene: Scene | None = None
        self._known: dict[str, bool] = {}

    def get_suggestion(self, buffer: Buffer, document: Document) -> Suggestion | None:
        """The rest of the line; None where no line fits."""
        text = document.text.rpartition("\n")[2]
        if len(text) > LONGEST_LINE or not text.strip():
            return None
        fitting = (line for line in self._earlier(buffer, text) if self.means_something(line))
        line = next(fitting, "")
        return Suggestion(line[len(text) :]) if line else None

    def _earlier(self, buffer: Buffer, text: str) -> Iterator[str]:
        """The last different lines of the history that begin with a text."""
        found: dict[str, None] = {}
        for entry in reversed(buffer.history.get_strings()):
            for line in reversed(entry.splitlines()):
                if len(text) < len(line) <= LONGEST_LINE and line.startswith(text) and line not in found:
                    found[line] = None
                    yield line
                    if len(found) >= MOST:
                        return

    def means_something(self, line: str) -> bool:
        """Whether a line could be typed now: an action that is allowed, or a command about fighters who are here."""
        scene = self.scene()
        if scene is not self._scene:
            self._scene, self._known = scene, {}
        if line not in self._known:
            self._known[line] = self._can_be_done(line, scene)
        return self._known[line]

    def _can_be_done(self, line: str, scene: Scene) -> bool:
        # Imported late: not needed before the first prompt.
        from ..cli import cli
        from ..commands.odds import ACTIONS
        from ..preview import parse_intent

        context, rows = self.context(), load(scene.system).actions
        try:
            words = options_first(parse_line(line, VERBS, rows))[1]
            words = as_command(expand(words, context.environment.settings, {*VERBS, *rows}), VERBS, rows)
            words = verb_first(words, scene, rows)
            if words[:1] == ["odds"] and words[1:]:
                words = as_command(words[1:], VERBS, rows)
            if not words or words[0] == NOTE or words[0] not in (*VERBS, *ACTIONS):
                return False
            if words[0] not in ACTIONS:
                return _is_about_those_here(words, scene)
            bound = parse_intent(cli, context, words)
            if bound is None:
                # Such as `act --list`: what is no action is no harm either.
                return "--list" in words
            prepare(bound.session.system, bound.session.scene, bound.intent)
        except CrisisError:
            return False
        return True


def _is_about_those_here(words: Sequence[str], scene: Scene) -> bool:
    """Whether a command that may name a fighter names one of this fight."""
    verb, *rest = join_words(list(words), fighter_names(scene))
    if verb not in ABOUT_FIGHTERS or not rest or rest[0].startswith("-") or rest[0] in NO_FIGHTERS:
        return True
    return rest[0] in scene.sides or is_present(scene, rest[0])
