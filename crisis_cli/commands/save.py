"""`crisis save`."""

from __future__ import annotations

import click

from ..context import Context
from ..play import ending
from ..sheets.fighters import numbered
from . import options


@click.command("save")
@click.option("--quiet", is_flag=True, help="Print only the names of the sheets saved, one per line.")
@options.common_options
@click.pass_obj
def command(context: Context, /, quiet: bool, as_json: bool) -> int:
    """Save wounds, conditions and supplies to the sheets now, as `crisis end` does; the crisis stays open.

    A value edited by hand in a sheet during the crisis is kept, and reported.

    \b
    Example:
      crisis save
    """
    context.desk.journals.require()
    session, written = ending.save(context.desk, context.desk.open_session())
    if as_json:
        number = len(session.done)
        context.output.print_record("save", written=written, number=number)
    elif quiet:
        context.output.say(*written)
    elif written:
        context.output.say(f"sheets saved: {numbered(written)}")
    else:
        context.output.say("no sheet had to be changed")
    return 0
