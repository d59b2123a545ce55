"""`crisis status`."""

from __future__ import annotations

import click

from ..context import Desk
from ..render import data
from ..render.board import board
from ..systems import load
from . import options


@click.command("status")
@options.here
@click.pass_obj
def command(desk: Desk, /, as_json: bool = False) -> int:
    """Show the open crisis: round, turn, and how everyone is.

    \b
    Example:
      crisis status
    """
    crisis = desk.open_or_ended().crisis
    system = load(crisis.scene.system)
    if as_json:
        desk.tell(data.status(crisis.scene, system, crisis.seed))
    else:
        desk.say(*board(crisis.scene, system, desk.ink, desk.world.width))
    return 0
