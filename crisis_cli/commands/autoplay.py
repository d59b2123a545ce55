"""Fighters that play themselves: what their doctrine decides is performed, recorded and shown like any command."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from ..ai.deciding import Minds
from ..context import Context, Session
from ..engine.record import Entry
from ..engine.scene import Fighter, Intent
from ..engine.sides import decided
from ..errors import Interrupted, Refused
from . import run_action

Told = Callable[[Session, Entry, int | None], None]
"""Shows an entry, given the sitting after it and the seed of its dice."""
MOST = 100
"""Actions of one turn; a turn that takes more is ended."""


def minds_of(context: Context, session: Session) -> Minds:
    """Everyone in a sitting who plays themselves."""
    return Minds(session.system, context.doctrines().named)


def heard(context: Context, fighters: Iterable[Fighter]) -> None:
    """FileTrouble where the doctrine of one of these is nowhere, or wrong: before anything is done."""
    for one in fighters:
        context.reaction_of(one)


@contextmanager
def stays(context: Context, on: str) -> Iterator[None]:
    """Whoever stops it in the middle is told that what has been done stays, and how to go on."""
    try:
        yield
    except (KeyboardInterrupt, Interrupted) as stopped:
        hint = f"what has been done stays in {context.file}; to go on: {on}"
        raise Interrupted("stopped", hint=hint) from stopped


def played(
    context: Context,
    session: Session,
    minds: Minds,
    options: Mapping[str, Any],
    told: Told,
    until: Callable[[Session, Intent], bool],
) -> Session:
    """The sitting after whoever's turn it is has played, and so on until the crisis is decided.

    Before each decision is performed `until` is asked whether to stop, given the sitting and what comes next.
    """
    turn, actions = "", 0
    while not decided(session.system, session.scene):
        who = session.scene.turn
        if not who:
            raise Refused("no turn has begun", hint="roll for it: crisis init WHO… --open", code="no_turn")
        actions = actions + 1 if who == turn else 1
        turn = who
        past = session.crisis.done if session.crisis else ()
        intent = minds.decide(session.scene, who, past).intent if actions <= MOST else Intent("next", who)
        if until(session, intent):
            break
        entry, seed, session = run_action.performed(context, session, intent, options)
        told(session, entry, seed)
        actions = 0 if intent.action == "next" else actions
    return session
