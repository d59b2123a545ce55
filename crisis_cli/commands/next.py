"""`crisis next`."""

from __future__ import annotations

from typing import Any

import click

from ..desk import Desk
from ..play.scene import Intent
from . import deed, options


@click.command("next")
@options.throwing
@options.telling
@options.here
@click.pass_obj
def command(desk: Desk, /, **given: Any) -> int:
    """End the turn: the next one who can act is up, and rounds begin and end on the way.

    \b
    Example:
      crisis next
    """
    ledger = desk.open_ledger()
    sitting = desk.sit()
    scene = ledger.crisis.scene
    intent = Intent("next", scene.turn, (), options.heeded(given, sitting, "next"))
    return deed.carry_out(desk, sitting, intent, given)
