"""`crisis tables shuffle`."""

from __future__ import annotations

import click

from ...completion import Source
from ...context import Context
from ...play.drawing import shuffling
from .. import options, run_action


@click.command("shuffle")
@click.argument("name", metavar="NAME", shell_complete=Source("names.decks"))
@options.common_options
@click.pass_obj
@options.typed
def command(context: Context, /, run: options.Run, name: str) -> int:
    """Put all rows back into a deck of the open crisis, or between fights of the campaign.

    \b
    Example:
      crisis tables shuffle wounds
    """
    return run_action.perform(context, shuffling(context.desk, name), run)
