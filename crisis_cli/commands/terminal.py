"""What an action or a fight waits for, asked at the terminal."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from ..context import Context
from ..errors import Usage

if TYPE_CHECKING:
    from ..play.fight import Fight
    from ..play.requests import Choose, Faces
    from ..play.session import Session
    from ..play.turns import Stops
    from .responding import Habits


def require_terminal(is_interactive: bool) -> None:
    """Raise Usage where there is no terminal at which one could play."""
    if not is_interactive:
        raise Usage(
            "there is no terminal to play at",
            hint="play automatically: crisis play … --auto",
            code="no_terminal",
        )


class Terminal:
    """The player at the terminal, who is asked for choices and for the faces of real dice."""

    def __init__(self, context: Context, tell_rest: Callable[[], None] = lambda: None):
        self.context = context
        self._tell_rest = tell_rest
        """Prints what was put off, before a question and when the turn is the player's."""
        self._habits: Habits | None = None
        """What the player has said about responses that are still to come."""

    def carry(self, fight: Fight, stops: Stops | None = None) -> None:
        """Let others act, and ask what the fight waits for, until it is the player's turn or something stops it."""
        from ..play.answers import AGAIN, NOTHING_BEFORE, WrongFaces
        from ..play.requests import PASS, Act, Respond
        from ..play.turns import never
        from .responding import Habits, ask_response

        self._habits = self._habits or Habits()
        stops = stops or never
        try:
            fight.play_on(stops)
            while (request := fight.waiting) is not None and not isinstance(request, Act):
                if isinstance(request, Respond):
                    response = ask_response(
                        self.context, request, fight.session, self._habits, self._tell_rest
                    )
                    fight.answer(response or PASS, stops)
                    continue
                self._tell_rest()
                answer = self.answer(request, fight.session)
                if answer is None:
                    if not fight.take_back_answer():
                        self.refuse(NOTHING_BEFORE)
                    fight.play_on(stops)
                    continue
                try:
                    fight.answer(answer, stops)
                except WrongFaces as wrong:
                    self.refuse(f"{wrong.message}; {AGAIN}")
        finally:
            self._tell_rest()

    def answer(self, request: Choose | Faces, session: Session | None) -> str | list[int] | None:
        """The name of an option, or faces; None takes the last answer back."""
        from ..play.requests import Faces
        from ..questions import Questions

        questions = Questions(self.context.output.ask, self._say, self.context.desk.world.roll_die)
        if isinstance(request, Faces):
            is_said = self._say_what_is_needed(request, session)
            return questions.ask_results(request.sides, request.roll, is_said) or None
        assert session is not None
        from ..play.asking import question, whole
        from .choosing import ask_choice

        desk, options = self.context.desk, request.alternatives
        if desk.is_sparing and request.action.get("react") is None:
            asked = question(session, request.who, options, desk, request.action, request.rolls)
        else:
            asked = whole(options, desk.caches.odds_table)
        return ask_choice(
            self.context, request.who, asked, lambda below: self._history(request, session, below)
        )

    def _say_what_is_needed(self, request: Faces, session: Session | None) -> bool:
        """Say what a roll of an action must show, before its first die; whether its dice are named with it."""
        if session is None or request.action is None:
            return False
        from .. import rulebooks
        from ..errors import CrisisError
        from ..render.real_dice import before_roll

        rolls, system, ink = request.rolls, session.system, self.context.output.ink
        with suppress(CrisisError):
            templates = rulebooks.load(system.name).real_dice
            lines = before_roll(request.action, rolls, request.choices, session.scene, system, templates, ink)
            self._say(*lines)
            return bool(lines) and len(rolls) == 1
        return False

    def refuse(self, why: str) -> None:
        """Say why the last answer cannot be taken; the question is asked again."""
        self._say(why)

    def _say(self, *lines: str) -> None:
        self.context.output.say(*lines, to_stderr=True)

    def _history(self, request: Choose, session: Session, below: list[str]) -> list[str]:
        """What has happened in an action so far, as the lines that stand above a question about it."""
        from ..render import decision
        from ..render.since import since

        output, environment = self.context.output, self.context.environment
        scene, system, intent = session.scene, session.system, request.action
        actor, news, most = scene.fighters.get(intent.actor), list[str](), output.rows_above(below)
        if session.crisis and actor and not actor.player:
            done = session.crisis.done
            news = since(done, scene, system, output.ink, environment.width, request.who, own_harm_only=True)
        most = most and max(1, most - len(news))
        table = decision.RolledSoFar(request.rolls, request.spent)
        lines = decision.before(
            request.who, intent, scene, system, table, output.ink, environment.width, most
        )
        return [*news, *lines]
