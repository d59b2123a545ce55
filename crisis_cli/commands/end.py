"""`crisis end`."""

from __future__ import annotations

from typing import Any

import click

from ..context import Desk, Sitting
from ..engine.scene import Intent
from ..engine.sides import standing
from ..sheets import save_sheets
from ..sheets.fighters import numbered
from . import options, run_action


@click.command("end")
@click.option("--no-save", is_flag=True, help="Leave the sheets as they are.")
@click.option("--yes", is_flag=True, help="Do not ask, where both sides still stand.")
@click.option("--why", metavar="TEXT", help="The reason, for the record.")
@options.here
@click.pass_obj
def command(desk: Desk, /, no_save: bool, yes: bool, **given: Any) -> int:
    """End the crisis: what lasts is written into the sheets, and the journal is put away.

    At a terminal it asks first where more than one side still stands. The end of a turn is crisis next. An end
    is taken back with crisis undo.

    \b
    Examples:
      crisis end
      crisis end --no-save --yes
    """
    desk.open_ledger()
    blank = {"seed": None, "dice": None, "real_dice": False, "mine": False, **given}
    sitting = desk.sit()
    if desk.world.interactive and not yes and not _sure(desk, sitting):
        desk.say(f"The crisis goes on. To end the turn: {desk.ink.way('next')}", aside=True)
        return 130
    said = {"save": not no_save} | ({"why": given["why"]} if given["why"] else {})
    entry, seed, sitting = run_action.performed(desk, sitting, Intent("end", "", (), said), blank)
    assert sitting.ledger is not None
    written = save_sheets.finish(desk.store(), desk.warn, sitting.ledger).written
    run_action.show(desk, sitting, entry, seed, blank)
    if not given["as_json"]:
        if written:
            desk.say(f"  written into their sheets: {', '.join(written)}")
        if desk.world.interactive:
            desk.say(desk.ink("dim", "  to take it back: crisis undo"))
    return 0


def _sure(desk: Desk, sitting: Sitting) -> bool:
    """Whether the player means it, where the fight is not decided."""
    sides = standing(sitting.system, sitting.scene)
    if len(sides) < 2:
        return True
    who = " against ".join(numbered(names) for names in sides.values())
    question = f"{who} still stand. End the whole crisis, not the turn ({desk.ink.way('next')})? y/n: "
    while True:
        answer = desk.ask(question, ("yes", "no")).strip().lower()
        if answer in ("y", "yes"):
            return True
        if answer in ("", "n", "no"):
            return False
