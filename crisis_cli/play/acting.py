"""One action of a player as the rules and the table have it: responses first, then the action itself."""

from __future__ import annotations

from collections.abc import Iterator

from ..engine.scene import Intent
from ..engine.validate import prepare
from ..errors import Refused, Usage
from .answers import Player
from .desk import Desk
from .dice import KEPT, Dice, Keep
from .naming import is_beside_story, typed_sheets, with_alternatives, with_side_pools
from .perform import perform_and_record
from .results import Result
from .session import Session


def act(
    desk: Desk, session: Session, intent: Intent, dice: Dice, keep: Keep = KEPT, player: Player | None = None
) -> Iterator[Result]:
    """What automatic foes stand ready to do before an action, and the action, each as it is recorded.

    Refused, with what can be done instead in its hint, where the rules do not allow it; Waiting where nobody answers a
    question of it.
    """
    session = with_side_pools(session, intent)
    _check_kept(desk, session, keep)
    try:
        for done in _responses(desk, session, intent, keep, player):
            yield done
            session = done.session
        done = perform_and_record(desk, session, intent, dice, keep, player)
    except Refused as refusal:
        raise with_alternatives(session, intent, refusal) from refusal
    yield done


def _check_kept(desk: Desk, session: Session, keep: Keep) -> None:
    """Raise Usage where effects on sheets are to be saved that something else saves."""
    if keep.saves and session.journal is not None:
        raise Usage(
            "--save is for one-offs",
            hint="in a crisis the sheets are written at its end: crisis end",
            code="not_in_a_crisis",
        )
    if keep.saves and is_beside_story(desk, session):
        raise Usage(
            "--save is not for campaigns: their fights and rests write the sheets, so that all can be undone",
            hint=f"make it a fight: crisis init {typed_sheets(session)} --open, the action, crisis end",
            code="not_in_a_crisis",
        )


def _responses(
    desk: Desk, session: Session, intent: Intent, keep: Keep, player: Player | None
) -> Iterator[Result]:
    """What automatic foes stand ready to do before an action; Refused if that is not allowed."""
    scene = session.scene
    if session.crisis is None or keep.is_dry or not keep.has_responses or intent.actor not in scene.fighters:
        return
    if not any(foe.marks and not foe.player for foe in scene.foes(intent.actor)):
        return
    from ..ai.deciding import AutoPlayer

    autoplayer = AutoPlayer(session.system, desk.shelves.doctrines().named)
    while session.crisis:
        response = autoplayer.respond(session.scene, intent, session.crisis.done)
        if response is None:
            return
        if intent.action in session.system.actions:
            prepare(session.system, session.scene, intent)
        done = perform_and_record(desk, session, response, Dice(), keep, player)
        yield done
        session = done.session
