"""A crisis that fights itself to its end (`play --auto`)."""

from __future__ import annotations

from typing import Any

from ..context import Context, Dice, Session
from ..engine.events import apply_all
from ..engine.record import Entry
from ..engine.scene import Intent
from ..engine.sides import standing
from ..render.board import board
from ..sheets import save_sheets
from . import autoplay, run_action


def fought(context: Context, session: Session, rounds: int, save: bool, given: dict[str, Any]) -> int:
    """Fight so many rounds at most, end the crisis, and show who holds the field."""
    autoplay.heard(context, session.scene.fighters.values())
    given = {**given, "seed": None, "order": None, "alone": True}
    with autoplay.stays(context, "crisis play --auto"):
        session = _fought(context, session, rounds, given)
    sides = list(standing(session.system, session.scene))
    if not given["as_json"] and not given["quiet"]:
        context.say("", *board(session.scene, session.system, context.ink, context.world.width), "")
    last, crisis_seed, session = run_action.performed(
        context, session, Intent("end", "", (), {"save": save}), given
    )
    assert session.ledger is not None
    save_sheets.finish(context.store(), context.warn, session.ledger)
    if given["as_json"]:
        run_action.show(context, session, last, crisis_seed, given)
    else:
        won = (
            f"The {sides[0]} hold the field"
            if len(sides) == 1
            else "Nobody is left"
            if not sides
            else "A draw"
        )
        rounds_played = session.scene.round
        after = "1 round" if rounds_played == 1 else f"{rounds_played} rounds"
        context.say(context.ink("bold", f"{won} after {after}."))
    return 0


def _fought(context: Context, session: Session, rounds: int, given: dict[str, Any]) -> Session:
    """The sitting after the fight has fought itself to its end, or for as many rounds as it may."""

    def told(session: Session, entry: Entry, seed: int | None) -> None:
        if not given["quiet"]:
            run_action.show(context, session, entry, seed, given)

    def until(now: Session, intent: Intent) -> bool:
        if now.scene.round < rounds or intent.action in now.system.actions:
            return False
        # The round goes on in the same way whatever the dice show: nobody throws for a try.
        entry, _ = run_action.entered(context, Dice(alone=True), now, intent)
        return apply_all(now.scene, entry.events).round > rounds

    return autoplay.played(context, session, autoplay.minds_of(context, session), given, told, until)
