"""`crisis campaign`: a folder whose fights, rests and notes make one story."""

from __future__ import annotations

import click

from ...context import Context
from ...lazy_group import SubVerbs
from .. import options

SUBVERBS = {
    "new": "Make a campaign: a folder with its sheets.",
    "check": "Check a campaign: its file, its sheets and its journals.",
}


@click.group(
    "campaign", cls=SubVerbs, package=__name__, table=SUBVERBS, subcommand_metavar="[COMMAND] [ARGS]..."
)
@options.common_options
@click.pass_context
def command(ctx: click.Context, as_json: bool) -> None:
    """Show the campaign that this folder is in: the day, the party, its fights, open threads, and what is open.

    A campaign is a folder with campaign.toml. Its fights are archived in it under a number, and what happens between
    them is recorded in its story: rest, notes, the oracle, tables. To add somebody to the party, write the name of a
    sheet into party = [...] in campaign.toml.

    \b
    Examples:
      crisis campaign
      crisis campaign new Saltmarch jack ada
      crisis campaign check
    """
    if ctx.invoked_subcommand is None:
        from .show import show

        context: Context = ctx.obj
        show(context, as_json)
