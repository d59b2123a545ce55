"""`crisis inv`."""

from __future__ import annotations

import click

from ..completion import Source
from ..context import Context
from ..play.carrying import those_who_carry
from ..render.inventory import inventory_lines, inventory_record
from . import options
from .naming import NameJoiningCommand


@click.command("inv", cls=NameJoiningCommand)
@click.argument("who", nargs=-1, metavar="[WHO...]", shell_complete=Source("names.all_fighters"))
@options.common_options
@click.pass_obj
def command(context: Context, /, who: tuple[str, ...], as_json: bool) -> int:
    """List weapons, ammunition, items and belongings of WHO: by default of your side in the open crisis, or between
    fights of the party of the campaign.

    \b
    Examples:
      crisis inv
      crisis inv ada
    """
    system, fighters = those_who_carry(context.desk, who)
    if as_json:
        context.output.print_json(inventory_record(fighters, system))
    else:
        lines = inventory_lines(fighters, system, context.output.ink, context.environment.width)
        context.output.say(*lines)
    return 0
