"""`crisis status`."""

from __future__ import annotations

import click

from ..context import Context
from ..render.board import board, status_line
from ..systems import load
from . import options


@click.command("status")
@click.option("--quiet", is_flag=True, help="Print one line: the round, whose turn it is, and its pools.")
@click.option(
    "--spoilers",
    is_flag=True,
    help="With --json: list the events of an encounter that are still to come, too.",
)
@options.common_options
@click.pass_obj
def command(context: Context, /, quiet: bool = False, spoilers: bool = False, as_json: bool = False) -> int:
    """Show the open crisis: round, turn, and the state of every fighter.

    \b
    Examples:
      crisis status
      crisis status --quiet
    """
    crisis = context.desk.journals.latest().crisis
    system = load(crisis.scene.system)
    if as_json:
        from ..engine.question_settings import setting_for
        from ..render import data

        asks = setting_for(crisis.done)
        context.output.print_json(data.status(crisis.scene, system, crisis.seed, spoilers, asks))
    elif quiet:
        context.output.say(status_line(crisis.scene))
    else:
        context.output.say(*board(crisis.scene, system, context.output.ink, context.environment.width))
    return 0
