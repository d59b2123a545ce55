"""Answers to the questions of one action: it is performed again with each, and nothing is recorded before the last.

The dice of an action follow from its seed, so that it comes to the same question again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Protocol, TypeVar

from ..dice.scripted import ZERO, spelled
from ..dice.table import Decided
from ..engine.question_settings import ALWAYS
from ..errors import WrongChoice, WrongDice
from ..values import NamedTuple
from .requests import Choose, Faces, Waiting
from .session import Session

if TYPE_CHECKING:
    from ..dice.table import Alternative, Table, Throw
    from ..engine.scene import Fighter, Intent

Outcome = TypeVar("Outcome")
AGAIN = "type them again, or b to go back"
NOTHING_BEFORE = "nothing was answered before this; Ctrl-C gives up"


class WrongFaces(WrongDice):
    """The last faces given are not on the die, or more than the roll has dice."""


class Always(str):
    """The name of an option that is taken now, and wherever it is offered in the rest of the fight."""


class Performed(NamedTuple):
    """An action that is being performed, and at which table."""

    session: Session
    intent: Intent
    table: Table


class Given(NamedTuple):
    """The answers given so far to the questions of one action."""

    answers: tuple[int | str, ...] = ()
    """Faces, and names of options, in order."""
    latest: int = 0
    """How many of them, at the end, are the last answer."""

    def plus(self, answer: str | Iterable[int]) -> Given:
        """These answers and one more: the name of an option, or faces of one roll."""
        more = (answer,) if isinstance(answer, str) else tuple(answer)
        return Given((*self.answers, *more), len(more))

    def without_last(self) -> Given:
        """These answers but for the last one, or the last of its faces."""
        return Given(self.answers[:-1])

    def without_latest(self) -> Given:
        """These answers without those that were given last."""
        return Given(self.answers[: len(self.answers) - self.latest])


class Player(Protocol):
    """Somebody who answers the questions of an action at once."""

    def answer(self, request: Choose | Faces, session: Session | None) -> str | list[int] | None:
        """The name of an option, or faces; None takes the last answer back. `session` is where the action is performed,
        None for a bare roll."""
        ...

    def refuse(self, why: str) -> None:
        """Say why the last answer cannot be taken; the question is asked again."""
        ...


def carried(perform: Callable[[Given], Outcome], player: Player | None) -> Outcome:
    """What an action comes to, performed again with each answer of a player; Waiting where there is none to ask."""
    given = Given()
    while True:
        try:
            return perform(given)
        except Waiting as waiting:
            if player is None:
                raise
            answer = player.answer(waiting.request, waiting.session)
            if answer is None and not given.answers:
                player.refuse(NOTHING_BEFORE)
            given = given.without_last() if answer is None else given.plus(answer)
        except WrongFaces as wrong:
            if player is None:
                raise
            player.refuse(f"{wrong.message}; {AGAIN}")
            given = given.without_latest()


class Answers:
    """The answers of one performance: the dice and the chooser of its table, where people or programs are asked."""

    def __init__(self, given: Given, is_asked: Callable[[Fighter], bool] | None = None):
        self.left = list(given.answers)
        self.latest = given.latest
        self.is_asked = is_asked
        """Whether a program decides for a fighter; None where there is no program."""
        self.throw: Throw | None = None
        self.performed: Performed | None = None
        """What is being performed: an action, or an event that follows from it."""

    def face(self, sides: int, throw: Throw) -> int:
        """The next face; Waiting where none is given, WrongFaces where the die does not have it."""
        if throw is not self.throw:
            self.finish()
            self.throw = throw
        if not self.left or isinstance(self.left[0], str):
            if self.performed is None:
                raise Waiting(Faces(sides, throw))
            session, intent, table = self.performed
            taken = tuple(choice.taken for choice in table.choices)
            raise Waiting(Faces(sides, throw, intent, tuple(table.throws), taken), session)
        face = int(self.left.pop(0))
        if face == 0 and sides in ZERO:
            face = sides
        if not 1 <= face <= sides:
            raise WrongFaces(f"{face} is not on a d{sides}; it shows 1 to {sides}")
        throw.given = True
        return face

    def finish(self) -> None:
        """WrongFaces where the last answer had more faces than the roll that it was for has dice."""
        extra = [one for one in self.left if isinstance(one, int)]
        if 0 < len(extra) < self.latest:
            count = "one result" if len(extra) == 1 else f"{len(extra)} results"
            raise WrongFaces(f"{count} too many: {spelled(extra)}")

    def choose(self, who: str, options: tuple[Alternative, ...], usual: str) -> Alternative | Decided:
        """The option that the next answer names; Waiting where none is given, WrongChoice where it names none."""
        self.finish()
        if not self.left:
            assert self.performed is not None
            session, intent, table = self.performed
            rolls, spent = tuple(table.throws), tuple(table.spent)
            what = _what_is_chosen(session, intent, options)
            raise Waiting(Choose(who, intent, what, options, usual, rolls, spent), session)
        name = self.left.pop(0)
        option = next((option for option in options if option.name == name), None)
        if option is None:
            names = ", ".join(option.name for option in options)
            raise WrongChoice(f"{name!r} is none of {names}", hint=f"options: {names}")
        return Decided(option, holds=ALWAYS) if isinstance(name, Always) else option

    def decide(
        self, who: str, options: tuple[Alternative, ...], usual: Alternative | Decided | None
    ) -> Alternative | Decided | None:
        """The option that a program takes, given the one that a doctrine would: that one leaves its own record."""
        preferred = usual.option if isinstance(usual, Decided) else usual or options[0]
        taken = self.choose(who, options, preferred.name)
        return usual if taken is preferred else taken


def _what_is_chosen(session: Session, intent: Intent, options: tuple[Alternative, ...]) -> str:
    """What a decision in an action is about: `reaction`, `spend`, or else `option`."""
    row = session.system.actions.get(intent.action)
    if row and any(option.name in row.reactions for option in options):
        return "reaction"
    return "spend" if any(option.spends or option.gains for option in options) else "option"
