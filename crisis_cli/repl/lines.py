"""What lines typed at the prompt mean in one scene: their words, what they would do, and which line was meant."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ..aliases import expand
from ..commands.parse_line import LEAVE_WORDS, LONGEST_LINE, as_command, parse_line, verb_first
from ..context import Context
from ..engine.legal_actions import is_allowed
from ..engine.validate import prepare
from ..errors import CrisisError, Refused
from ..play.advice import meant_line
from ..play.session import Session
from ..sheets.find_fighters import is_present
from ..values import NamedTuple
from ..verbs import VERBS

if TYPE_CHECKING:
    from ..engine.action_odds import ActionOdds
    from ..engine.legal_actions import LegalAction
    from ..engine.scene import Intent
    from ..play.attacking import Planned


class Lines(NamedTuple):
    """What lines typed at the prompt mean in one scene."""

    context: Context
    session: Session
    legal: Callable[[], Sequence[LegalAction]]
    """Gives the legal actions of those whose turn it is."""

    def as_typed_in_shell(self, typed_words: Sequence[str], has_options: bool = False) -> list[str]:
        """The words of a line as the shell takes them: aliases replaced, the verb first."""
        words = as_command(self._expanded(typed_words), VERBS, self.session.system.actions)
        return words if has_options else verb_first(words, self.session.scene, self.session.system.actions)

    def words_of(self, line: str) -> list[str]:
        """The words of a line as the shell takes them."""
        return self.as_typed_in_shell(parse_line(line, VERBS, self.session.system.actions))

    def meant_by(self, typed_words: Sequence[str]) -> str:
        """The line that words which cannot be read were probably meant to be; empty if none is known."""
        words = self.spoken_words(typed_words)
        line = meant_line(words, self.session.system, self.session.scene, self.legal) if words else ""
        if line == "undo" and not self.has_acted:
            line = "end --discard"
        return line if line and self.is_possible(line) else ""

    @property
    def has_acted(self) -> bool:
        """Whether a fighter of the player has acted in the crisis."""
        system, fighters = self.session.system, self.session.scene.fighters
        acts = (one.intent.actor for one in self.session.done if one.intent.action in system.actions)
        return any(who in fighters and fighters[who].player for who in acts)

    def spoken_words(self, typed_words: Sequence[str]) -> list[str]:
        """The words of a line that is read as a sentence, with an alias replaced; none of a line that is too long."""
        return self._expanded(typed_words) if len(" ".join(typed_words)) <= LONGEST_LINE else []

    def is_possible(self, line: str) -> bool:
        """Whether a line that is to be proposed would be done: an action is allowed, there is something to undo."""
        import click

        from ..cli import cli
        from ..preview import ACTING

        verb, *rest = self.words_of(line)
        if verb in LEAVE_WORDS or "--list" in rest:
            return True
        if verb in ("undo", "rewind"):
            return len(self.session.done) > 1
        if verb == "redo":
            return self.session.crisis is not None and bool(self.session.crisis.taken_back)
        is_ranking = not rest or rest[0].startswith("-") or is_present(self.session.scene, " ".join(rest))
        if verb == "odds" and is_ranking:
            return True
        if verb in (*ACTING, "odds"):
            intent = self.intent_of(line)
            return intent is not None and is_allowed(self.session.system, self.session.scene, intent)
        try:
            command = cli.get_command(click.Context(cli, obj=self.context), verb)
            return command is not None and bool(command.make_context(verb, rest, obj=self.context))
        except (CrisisError, click.ClickException, click.exceptions.Exit):
            return False

    def intent_of(self, line: str) -> Intent | None:
        """The action of a line, or the one whose odds it asks for; None for any other line."""
        try:
            return planned.intent if (planned := self._planned(line)) else None
        except CrisisError:
            return None

    def is_refused(self, line: str) -> bool:
        """Whether a line is an action that lacks no word, and that the rules forbid now."""
        try:
            if planned := self._planned(line):
                prepare(self.session.system, self.session.scene, planned.intent)
        except CrisisError as refusal:
            return refusal.status == Refused.status
        return False

    def _planned(self, line: str) -> Planned | None:
        """The plan of a line that acts, or of the action whose odds it asks for; None for any other line."""
        from ..cli import cli
        from ..preview import parse_intent

        return parse_intent(cli, self.context, self._acting_words(line))

    def odds_of(self, line: str) -> ActionOdds | None:
        """The exact odds of a line; None if it has none."""
        from ..cli import cli
        from ..preview import line_odds

        return line_odds(cli, self.context, self._acting_words(line), self.context.desk.caches.odds_table)

    def _acting_words(self, line: str) -> list[str]:
        """The words of a line that acts, or of the line whose odds it asks for."""
        words = self.words_of(line)
        return as_command(words[1:], VERBS, self.session.system.actions) if words[:1] == ["odds"] else words

    def _expanded(self, words: Sequence[str]) -> list[str]:
        """The words with an alias replaced."""
        return expand(words, self.context.environment.settings, {*VERBS, *self.session.system.actions})
