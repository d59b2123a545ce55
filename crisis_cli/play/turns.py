"""The turns of a fight: what it waits for, and what each answer does.

An action that asks something is performed again with each answer; nothing is recorded before the last one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import wraps
from threading import RLock
from typing import TYPE_CHECKING, Any, Literal, TypeGuard, TypeVar, cast

from ..ai.deciding import AutoPlayer
from ..dice.scripted import number_of
from ..engine.legal_actions import is_allowed
from ..engine.record import Entry
from ..engine.responses import Response, answered, responses
from ..engine.scene import Fighter, Intent, Scene
from ..engine.sides import decided, victor
from ..errors import CrisisError, FileError, Refused, Usage
from ..values import NamedTuple
from . import ending, history
from .answers import Answers, Given
from .desk import Desk
from .dice import AUTOMATIC, KEPT, Dice, Keep
from .perform import has_real_dice, perform_once, read_anew
from .requests import PASS, Act, Choose, Faces, Legal, Request, Respond, Waiting
from .results import Result
from .said import MOST, whole_number
from .session import Session

if TYPE_CHECKING:
    from ..sheets.journal_file import JournalFile
    from .opening import PreparedOpening

MAX_ACTIONS = 100
"""Most actions of an automatic fighter in one turn; after that its turn is ended."""

Answer = Intent | Legal | Response | str | int | Iterable[int] | None
"""What a request is answered with: `Fight.answer` says which."""
Stops = Callable[[Session, Intent], bool]
"""Whether play stops before an intent is performed."""
Until = Literal["mine", "turn", "end"] | Stops
"""How long others act: until a request waits, the turn passes or the fight is decided; or what stops them."""


def never(session: Session, intent: Intent) -> bool:
    """Play goes on."""
    return False


Method = TypeVar("Method", bound=Callable[..., Any])


class Pending(NamedTuple):
    """An action that has been decided on, and what is known of it before it is performed."""

    intent: Intent
    dice: Dice
    is_own: bool
    """Whether the action was decided from outside, and not by a doctrine."""
    keep: Keep = KEPT
    given: Given = Given()
    passed: frozenset[str] = frozenset()
    """The fighters who let the action pass."""
    responds_to: Pending | None = None
    """The action before which this one is carried out."""
    opening: PreparedOpening | None = None
    """The crisis that it opens; None for an action in an open one."""


class Plays(NamedTuple):
    """For whom a fight asks, and does not let doctrines decide."""

    turn: Callable[[Scene], bool]
    """Whether it asks what is done in the turn that has come."""
    fighter: Callable[[Fighter], bool]
    """Whether it asks for a fighter's choices and responses."""


NOBODY = Plays(lambda scene: False, lambda fighter: False)
"""Doctrines decide everything."""
PLAYER = Plays(
    lambda scene: any(scene.fighters[name].player for name in scene.acting), lambda fighter: fighter.player
)
"""The player decides for the fighters of the player's side."""


def locked(method: Method) -> Method:
    """A method that waits until no other thread is in a locked method of the fight."""

    @wraps(method)
    def called(self: Turns, *args: Any, **how: Any) -> Any:
        with self.lock:
            return method(self, *args, **how)

    return cast(Method, called)


class Turns:
    """The turns of a crisis that is open, in memory or in its journal, or that is about to be opened.

    After any error the fight is as it was before, and waits for the same.
    """

    def __init__(
        self,
        desk: Desk,
        session: Session,
        plays: Plays = NOBODY,
        dice: Dice = AUTOMATIC,
        watch: Callable[[Result], None] = lambda done: None,
    ):
        self.desk = desk
        self.session = session
        self.plays = plays
        self._dice = dice
        """Where the dice of actions come from that say nothing else. Where they are automatic, the answer that is usual
        is what a doctrine would do."""
        self.watch = watch
        """Called with each action as it is recorded."""
        self.lock = RLock()
        """Held by the thread that changes the fight."""
        self._pending: Pending | None = None
        self._request: Request | None = None
        self._autoplayer: AutoPlayer | None = None
        self._suggested: tuple[Scene, Intent] | None = None
        """What a doctrine has decided in a scene, so that it is not decided twice."""

    # What is

    @property
    def dice(self) -> Dice:
        """Where the dice of actions come from that say nothing else: `Dice(real=True)` asks for `Faces`."""
        return self._dice

    @property
    def scene(self) -> Scene:
        """The fighters, and whose turn it is."""
        return self.session.scene

    @property
    def decided(self) -> bool:
        """Whether at most one side can still fight."""
        is_opening = self._pending is not None and self._pending.opening is not None
        return not is_opening and decided(self.session.system, self.scene)

    @property
    def winner(self) -> str:
        """The side that has won; empty while the fight goes on, and where none has."""
        return victor(self.session.system, self.scene)

    @property
    def past(self) -> tuple[Entry, ...]:
        """The entries in force."""
        return self.session.done

    @property
    def autoplayer(self) -> AutoPlayer:
        """Decides for the fighters that nobody plays."""
        if self._autoplayer is None:
            self._autoplayer = AutoPlayer(self.session.system, self.desk.shelves.doctrines().named)
        return self._autoplayer

    @property
    def waiting(self) -> Request | None:
        """What the fight waits for; None where others are to act (`play_on`), and when it is decided."""
        if self._request is None and self._pending is None and self._is_asked_turn():
            return Act(self.scene.turn, self.scene.round)
        return self._request

    def _is_asked_turn(self) -> bool:
        scene = self.scene
        return bool(scene.turn) and not self.decided and self.plays.turn(scene)

    # What is done

    @locked
    def open(self, opening: PreparedOpening) -> list[Result]:
        """Open the crisis: the turn order is its first action. Waits for `Faces` where they are real dice.

        Refused `waiting` where a question stands.
        """
        dice = opening.dice._replace(is_automatic=self.dice.is_automatic)
        opening = opening._replace(dice=dice)
        return self._begun(Pending(opening.intent, dice, True, opening.keep, opening=opening))

    @locked
    def perform(self, intent: Intent, dice: Dice | None = None, keep: Keep = KEPT) -> list[Result]:
        """Perform an action, the responses to it before it; `waiting` says whether it goes on.

        Refused `waiting` where a question stands.
        """
        return self._begun(Pending(intent, dice or self.dice, True, keep))

    def _begun(self, pending: Pending) -> list[Result]:
        self.require_nothing_asked()
        self._pending = pending
        return self._carry_on()

    def require_nothing_asked(self) -> None:
        """Forget what a doctrine was about to do; Refused `waiting` where a question stands."""
        if self._request is not None:
            raise Refused(
                "a question waits for its answer", hint="answer it, or take the action back", code="waiting"
            )
        self._pending = None

    @locked
    def answer(self, answer: Answer, stops: Stops = never) -> list[Result]:
        """Answer what the fight waits for, and go on to the next request; None is the usual answer.

        `Act` takes a `Legal` or an intent, `Choose` the name of an option, `Respond` one of its options or `PASS`,
        `Faces` one face or several of one roll, or the name of a card (None: a die is rolled in the place of the real
        one).

        Usage `bad_value` for an answer of another kind, Refused `nothing_asked` where the fight waits for nothing.

        FileError `moved` where somebody else has changed the journal: the fight goes on from there, and the question is
        forgotten.
        """
        request, pending, session = self.waiting, self._pending, self.session
        if request is None:
            raise Refused("the fight waits for nothing", code="nothing_asked")
        self._request = None
        try:
            self._pending = self._with_answer(request, answer)
            return self._acted(stops)
        except Exception:
            if self.session is session:
                # The answer is not possible; another one may be given.
                self._pending, self._request = pending, None if isinstance(request, Act) else request
            raise

    def _with_answer(self, request: Request, answer: Answer) -> Pending:
        """What is pending once a request is answered; Usage where it takes no such answer."""
        if isinstance(request, Act):
            if isinstance(answer, Legal):
                answer = answer.intent
            if not (answer is None or _is_intent(answer)):
                raise _unfit("an intent")
            return Pending(answer or self.suggest(), self.dice, answer is not None)
        pending = self._pending
        assert pending is not None
        if isinstance(request, Choose):
            if not isinstance(answer, str | None):
                raise _unfit("the name of an option")
            return pending._replace(given=pending.given.plus(request.usual if answer is None else answer))
        if isinstance(request, Faces):
            faces = self.desk.world.roll_die(request.sides) if answer is None else answer
            if isinstance(faces, str) and request.roll.cards:
                faces = number_of(faces, request.roll)
            return pending._replace(given=pending.given.plus(_faces(faces)))
        response = request.usual if answer is None else answer
        pending = pending._replace(passed=pending.passed | {request.who})
        if response is None or response == PASS:
            return pending
        if not isinstance(response, Response) or response not in request.options:
            raise _unfit("one of its options, or to let it pass")
        if response.inside:
            return pending._replace(intent=answered(pending.intent, response))
        return Pending(response.intent, self.dice, False, responds_to=pending)

    @locked
    def play_on(self, until: Until = "mine") -> list[Result]:
        """Let others act until the fight waits for something or is decided, or something stops it.

        With `until="turn"` they act until the turn passes to somebody else; with "end" what is asked on the way is
        answered as usual, until the fight is decided. Usage for another word.
        """
        if until == "end":
            done = self.play_on()
            while self.waiting is not None:
                done += self.answer(None)
            return done
        return self._acted(self._stops(until))

    def _stops(self, until: Until) -> Stops:
        """What stops others from acting."""
        if callable(until):
            return until
        if until == "mine":
            return never
        if until != "turn":
            raise Usage(
                f"nobody acts until {until!r}", hint='until="mine", "turn" or "end"', code="bad_value"
            )
        turn = self.scene.round, self.scene.turn

        def has_passed(session: Session, intent: Intent) -> bool:
            return (session.scene.round, session.scene.turn) != turn

        return has_passed

    def _acted(self, stops: Stops) -> list[Result]:
        """What others do until the fight waits for something or is decided, or something stops it."""
        done: list[Result] = []
        while self._request is None and not self.decided:
            if self._pending is None:
                if self._is_asked_turn():
                    break
                if not self.scene.turn:
                    raise Refused(
                        "no turn has begun", hint="roll for it: crisis init WHO… --open", code="no_turn"
                    )
                self._pending = Pending(self.suggest(), self.dice, False)
            if self._pending.responds_to is None and stops(self.session, self._pending.intent):
                break
            done += self._carry_on()
        return done

    def _carry_on(self) -> list[Result]:
        """Perform what is pending, with the responses to it, as far as it goes without an answer; nothing is pending
        after an error."""
        try:
            return self._performed()
        except CrisisError:
            self.take_back()
            raise

    def _performed(self) -> list[Result]:
        done: list[Result] = []
        while (pending := self._pending) is not None:
            if pending.responds_to is None and pending.keep.has_responses and pending.opening is None:
                usual = self.autoplayer.respond(self.scene, pending.intent, self.past)
                if usual is not None and not self.plays.fighter(self.scene.fighters[usual.actor]):
                    self._pending = Pending(usual, self.dice, False, responds_to=pending)
                    continue
                self._request = self._response(pending, usual)
                if self._request is not None:
                    return done
            performed = self._perform(pending)
            if performed is None:
                return done
            done += [performed, *performed.events]
            self._pending = self._reconsidered(pending.responds_to)
            self.watch(performed)
        return done

    def _perform(self, pending: Pending) -> Result | None:
        """Perform what is pending, and record it; None where it waits for an answer, or has to be decided anew."""
        is_asked = self.plays.fighter if pending.dice.is_automatic else None
        answers = Answers(pending.given, is_asked)
        try:
            if pending.opening is not None:
                done = pending.opening.performed(self.desk, answers)
            else:
                done = perform_once(
                    self.desk, self.session, pending.intent, pending.dice, pending.keep, answers
                )
        except Waiting as waiting:
            self._request = waiting.request
            return None
        except FileError as error:
            self.session = read_anew(self.desk, self.session, error)
            self.take_back()
            if pending.is_own or has_real_dice(self.desk, self.session, pending.dice):
                raise
            return None
        self.session = done.session
        return done

    @locked
    def suggest(self) -> Intent:
        """What the doctrine of the fighter decides whose turn it is; after too many actions the end of the turn."""
        if self._suggested is None or self._suggested[0] is not self.scene:
            self._suggested = self.scene, self._decided()
        return self._suggested[1]

    def _decided(self) -> Intent:
        who, actions = self.scene.turn, 0
        for entry in reversed(self.past):
            if entry.intent.action == "next" or actions == MAX_ACTIONS:
                break
            actions += entry.intent.actor == who
        if actions == MAX_ACTIONS:
            return Intent("next", who)
        return self.autoplayer.decide(self.scene, who, self.past).intent

    def _reconsidered(self, suspended: Pending | None) -> Pending | None:
        """What goes on after a response: the action that was suspended, if it was decided from outside and is still
        allowed. Doctrines decide anew."""
        if suspended is None or not suspended.is_own:
            return None
        system, intent = self.session.system, suspended.intent
        is_of_table = intent.action not in system.actions
        return suspended if is_of_table or is_allowed(system, self.scene, intent) else None

    def _response(self, pending: Pending, usual: Intent | None) -> Respond | None:
        """The first response that is to be asked for before an action; None for none."""
        scene, intent = self.scene, pending.intent
        mover = scene.fighters.get(intent.actor)
        if mover is None:
            return None
        stays = intent.action == "next" and not _has_moved(mover.name, self.past)
        for name, fighter in scene.fighters.items():
            if fighter.side == mover.side or not self.plays.fighter(fighter) or name in pending.passed:
                continue
            if stays and (usual is None or usual.actor != name):
                continue
            offered = tuple(responses(self.session.system, scene, intent, name, self.past))
            if offered:
                return Respond(
                    name, intent, offered, next((one for one in offered if one.intent == usual), None)
                )
        return None

    # What is taken back

    @locked
    def take_back(self) -> None:
        """Forget an action that waits for answers: nothing of it has happened. An opening is begun anew (`play_on`)."""
        pending, self._request = self._pending, None
        if pending is not None:
            self._pending = None if pending.opening is None else pending._replace(given=Given())

    @locked
    def take_back_answer(self) -> bool:
        """Forget the last answer to the action that waits and ask again; whether there was an answer."""
        if self._pending is None:
            return False
        before = self._pending.given
        self._pending = self._pending._replace(given=before.without_last())
        self._request = None
        return bool(before.answers)

    @locked
    def go_on_from(self, desk: Desk, session: Session) -> None:
        """Go on with the crisis as it has been read anew; what was pending is forgotten if others have acted."""
        if session.scene is not self.scene:
            self.take_back()
        self.desk, self.session = desk, session

    @locked
    def undo(self, count: int = 1, *, mine: bool = False, fresh: bool = False) -> list[Result]:
        """Undo the last actions with the events that followed from them; what was undone, the last first. A question
        that waits is forgotten.

        With `mine` it goes back to before the last action, note or setting that came from outside. Refused
        `nothing_to_undo` where there are not so many.
        """
        count = self._since_own() if mine else whole_number(count, -MOST, what="how many")
        return self._changed(history.undo(self.desk, self._journal("undo"), count, fresh=fresh))

    @locked
    def redo(self, count: int = 1) -> list[Result]:
        """Redo the actions last undone with their events; what was redone, the first first.

        Refused `nothing_to_redo` where there are not so many.
        """
        return self._changed(
            history.redo(self.desk, self._journal("redo"), whole_number(count, -MOST, what="how many"))
        )

    @locked
    def rewind(self, number: int, fresh: bool = False) -> list[Result]:
        """Undo all that came after an entry and its events, 0 for the opening; what was undone, the last first.

        Refused where there is no such entry, or nothing after it.
        """
        last = whole_number(number, -MOST, what="the number of an entry")
        return self._changed(history.rewind(self.desk, self._journal("undo"), last, fresh))

    def _journal(self, verb: str) -> JournalFile:
        """The journal; Refused where the fight is about to be opened, so that there is nothing to undo or redo."""
        if self.session.journal is None:
            raise history.too_few(0, 1, verb)
        return self.session.journal

    def _changed(self, change: history.HistoryChange) -> list[Result]:
        self.take_back()
        journal = change.journal
        self.session = self.session._replace(journal=journal, scene=journal.crisis.scene)
        return [Result(self.session, entry, journal.crisis.seed) for entry in change.entries]

    def _since_own(self) -> int:
        """How many actions there are from the last entry on that came from outside; Refused if none did."""
        fighters, done = self.scene.fighters, self.past
        for at in range(len(done) - 1, 0, -1):
            actor = fighters.get(done[at].intent.actor)
            if not history.is_event(done[at]) and (actor is None or self.plays.fighter(actor)):
                return len(history.actions_of(done[at:]))
        raise history.too_few(0, 1, "undo")

    @locked
    def end(self, save: bool = True, why: str = "", name: str = "", discard: bool = False) -> ending.Ended:
        """End the crisis: save the sheets if asked to, and archive the journal; `name` is what a story calls it, and
        with `discard` no story lists it."""
        if self.session.journal is None:
            raise Refused("the fight is not open yet", code="no_crisis")
        ended = ending.end(self.desk, self.session, save, why, name, discard)
        self.take_back()
        self.session = ended.result.session
        return ended


def _unfit(wanted: str) -> Usage:
    """The error for an answer of another kind than a request takes."""
    return Usage(f"the answer is {wanted}, or None", code="bad_value")


def _is_intent(answer: Answer) -> TypeGuard[Intent]:
    """Whether an answer is an intent with fields of the right types."""
    return (
        isinstance(answer, Intent)
        and isinstance(answer.targets, tuple)
        and all(isinstance(word, str) for word in (answer.action, answer.actor, *answer.targets))
        and isinstance(answer.options, Mapping)
    )


def _faces(answer: Answer) -> tuple[int, ...]:
    """The faces of an answer to `Faces`, one or several; Usage for anything else."""
    several: Iterable[Any] = answer if isinstance(answer, Iterable) else (answer,)
    faces = tuple(several)
    if not faces or not all(type(face) is int for face in faces):
        raise _unfit("a face, or several of one roll")
    return faces


def _has_moved(who: str, past: Sequence[Entry]) -> bool:
    """Whether a fighter stands somewhere else than before its last action."""
    for entry in reversed(past):
        if any(event[:2] == (who, "at") for event in entry.events):
            return True
        if entry.intent.actor == who:
            return False
    return False
