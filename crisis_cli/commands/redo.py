"""`crisis redo`."""

from __future__ import annotations

import click

from ..context import Context
from ..play import history
from . import options
from .undo import quiet_option, show_change


@click.command("redo")
@click.argument("count", type=click.IntRange(1, 10_000), default=1, metavar="[N]")
@quiet_option
@options.common_options
@click.pass_obj
def command(context: Context, /, count: int, quiet: bool, as_json: bool) -> int:
    """Redo the last action undone, with the same dice.

    \b
    Example:
      crisis redo
    """
    change = history.redo(context.desk, context.desk.journals.active(), count)
    show_change(context, change, "redone", as_json, quiet)
    return 0
