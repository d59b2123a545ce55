"""A crisis that fights itself to its end (`play --auto`)."""

from __future__ import annotations

from typing import Any

from ..context import Desk, Dice, Sitting
from ..engine.events import folded
from ..engine.record import Entry
from ..engine.scene import Intent
from ..engine.sides import standing
from ..render.board import board
from ..sheets import save_sheets
from . import autoplay, run_action


def fought(desk: Desk, sitting: Sitting, rounds: int, save: bool, given: dict[str, Any]) -> int:
    """Fight so many rounds at most, end the crisis, and show who holds the field."""
    autoplay.heard(desk, sitting.scene.fighters.values())
    given = {**given, "seed": None, "order": None, "alone": True}
    with autoplay.stays(desk, "crisis play --auto"):
        sitting = _fought(desk, sitting, rounds, given)
    sides = list(standing(sitting.system, sitting.scene))
    if not given["as_json"] and not given["quiet"]:
        desk.say("", *board(sitting.scene, sitting.system, desk.ink, desk.world.width), "")
    last, crisis_seed, sitting = run_action.performed(
        desk, sitting, Intent("end", "", (), {"save": save}), given
    )
    assert sitting.ledger is not None
    save_sheets.finish(desk.store(), desk.warn, sitting.ledger)
    if given["as_json"]:
        run_action.show(desk, sitting, last, crisis_seed, given)
    else:
        won = (
            f"The {sides[0]} hold the field"
            if len(sides) == 1
            else "Nobody is left"
            if not sides
            else "A draw"
        )
        rounds_played = sitting.scene.round
        after = "1 round" if rounds_played == 1 else f"{rounds_played} rounds"
        desk.say(desk.ink("bold", f"{won} after {after}."))
    return 0


def _fought(desk: Desk, sitting: Sitting, rounds: int, given: dict[str, Any]) -> Sitting:
    """The sitting after the fight has fought itself to its end, or for as many rounds as it may."""

    def told(sitting: Sitting, entry: Entry, seed: int | None) -> None:
        if not given["quiet"]:
            run_action.show(desk, sitting, entry, seed, given)

    def until(now: Sitting, intent: Intent) -> bool:
        if now.scene.round < rounds or intent.action in now.system.actions:
            return False
        # The round goes on in the same way whatever the dice show: nobody throws for a try.
        entry, _ = run_action.entered(desk, Dice(alone=True), now, intent)
        return folded(now.scene, entry.events).round > rounds

    return autoplay.played(desk, sitting, autoplay.minds_of(desk, sitting), given, told, until)
