"""`crisis status`."""

from __future__ import annotations

import click

from ..context import Context
from ..render import data
from ..render.board import board
from ..systems import load
from . import options


@click.command("status")
@options.common_options
@click.pass_obj
def command(context: Context, /, as_json: bool = False) -> int:
    """Show the open crisis: round, turn, and the state of every fighter.

    \b
    Example:
      crisis status
    """
    crisis = context.latest_journal().crisis
    system = load(crisis.scene.system)
    if as_json:
        context.print_json(data.status(crisis.scene, system, crisis.seed))
    else:
        context.say(*board(crisis.scene, system, context.ink, context.environment.width))
    return 0
