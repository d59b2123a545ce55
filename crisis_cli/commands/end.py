"""`crisis end`."""

from __future__ import annotations

from typing import Any

import click

from ..desk import Desk
from ..play.scene import Intent
from ..sheets import ending
from . import deed, options


@click.command("end")
@click.option("--no-save", is_flag=True, help="Leave the sheets as they are.")
@click.option("--why", metavar="TEXT", help="The reason, for the record.")
@options.here
@click.pass_obj
def command(desk: Desk, /, no_save: bool, **given: Any) -> int:
    """End the crisis: what lasts is written into the sheets, and the journal is put away.

    \b
    Examples:
      crisis end
      crisis end --no-save
    """
    desk.open_ledger()
    blank = {"seed": None, "dice": None, "real_dice": False, "mine": False, **given}
    sitting = desk.sit()
    said = {"save": not no_save} | ({"why": given["why"]} if given["why"] else {})
    entry, seed, sitting = deed.performed(desk, sitting, Intent("end", "", (), said), blank)
    assert sitting.ledger is not None
    written = ending.finish(desk.store(), desk.warn, sitting.ledger)
    deed.show(desk, sitting, entry, seed, blank)
    if written and not given["as_json"]:
        desk.say(f"  written into their sheets: {', '.join(written)}")
    return 0
