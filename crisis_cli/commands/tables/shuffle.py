"""`crisis tables shuffle`."""

from __future__ import annotations

import click

from ...completion import Source
from ...context import Context
from ...engine.scene import Intent
from ...errors import Refused
from ...play.attacking import Planned
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
    one = context.desk.shelves.tables().named(name)
    if not one.deck:
        raise Refused(
            f"{one.name} is no deck: any row can come each time",
            hint="write `deck = true` in it",
            code="wrong_item",
        )
    session = None if context.desk.journals.active() else context.desk.campaigns.story_session()
    if session is None:
        context.desk.journals.require()
        session = context.desk.open_session()
    intent = Intent("shuffle", "", (), {"table": one.name, "title": one.title})
    return run_action.perform(context, Planned(session, intent), run)
