"""Automatic play: decisions of doctrines are performed, recorded and shown like any command."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Protocol

from ..ai.deciding import AutoPlayer, Decision
from ..context import Context
from ..engine.record import Entry
from ..engine.scene import Fighter, Intent, Scene
from ..engine.sides import decided
from ..errors import Interrupted, Refused
from ..play.session import Session
from . import run_action

ShowEntry = Callable[[Session, Entry, int | None], None]
"""Shows an entry: called with the session after it, the entry, and the seed of its dice."""


class Decider(Protocol):
    """Something that decides what fighters do in their turns."""

    def decide(self, scene: Scene, who: str, past: Sequence[Entry] = ()) -> Decision:
        """What a fighter does next in its turn; `past` are the entries so far."""
        ...

    def respond(self, scene: Scene, action: Intent, past: Sequence[Entry] = ()) -> Intent | None:
        """What somebody does before an action takes effect; None if nobody does anything."""
        ...


Respond = Callable[[Session, Intent], "tuple[Session, Intent | None]"]
"""Lets others respond to an intent: gives the session after that, and the intent, or None if it is impossible now."""


def require_undecided(session: Session) -> None:
    """Raise Refused if at most one side of the crisis can still fight."""
    if decided(session.system, session.scene):
        raise Refused("the crisis is decided", hint="end it: crisis end", code="decided")


def no_response(session: Session, intent: Intent) -> tuple[Session, Intent | None]:
    """Nobody responds to an intent."""
    return session, intent


MAX_ACTIONS = 100
"""Most actions in one turn; after that the turn is ended."""


def make_autoplayer(context: Context, session: Session) -> AutoPlayer:
    """The automatic player of a session's fighters, with the doctrines in reach."""
    return AutoPlayer(session.system, context.desk.shelves.doctrines().named)


def check_doctrines(context: Context, fighters: Iterable[Fighter]) -> None:
    """Raise FileError if the doctrine of one of these fighters is missing or invalid."""
    for one in fighters:
        context.desk.shelves.doctrine_of(one)


@contextmanager
def report_interrupt(context: Context, resume_with: str) -> Iterator[None]:
    """A block in which an interrupt is reported with what stays recorded, and the command to resume with."""
    try:
        yield
    except (KeyboardInterrupt, Interrupted) as stopped:
        hint = f"what has been done stays in {context.desk.places.file}; to go on: {resume_with}"
        raise Interrupted("stopped", hint=hint) from stopped


def play_turns(
    context: Context,
    session: Session,
    autoplayer: Decider,
    options: Mapping[str, Any],
    show: ShowEntry,
    should_stop: Callable[[Session, Intent], bool],
    respond: Respond = no_response,
) -> Session:
    """Play turn after turn automatically until the crisis is decided; gives the session after it.

    Before each decision is performed, `should_stop(session, intent)` may end the loop. Each entry is passed to
    `show`. `respond` is asked before an intent is performed, so that others may do something first. Another decision
    is made where another program has changed the crisis meanwhile. Refused if no turn has begun.
    """
    turn, actions = "", 0
    while not decided(session.system, session.scene):
        who = session.scene.turn
        if not who:
            raise Refused("no turn has begun", hint="roll for it: crisis init WHO… --open", code="no_turn")
        actions = actions + 1 if who == turn else 1
        turn = who
        past = session.crisis.done if session.crisis else ()
        intent = (
            autoplayer.decide(session.scene, who, past).intent
            if actions <= MAX_ACTIONS
            else Intent("next", who)
        )
        if should_stop(session, intent):
            break
        response = autoplayer.respond(session.scene, intent, past)
        if response is not None:
            entry, seed, session = run_action.perform_decided(context, session, response, options)
            if entry is not None:
                show(session, entry, seed)
            continue
        session, possible = respond(session, intent)
        if possible is None:
            continue
        intent = possible
        entry, seed, session = run_action.perform_decided(context, session, intent, options)
        if entry is None:
            continue
        show(session, entry, seed)
        actions = 0 if intent.action == "next" else actions
    return session
