"""`crisis encounter`: places, those who are in them, and what happens there."""

from __future__ import annotations

import click

from ...lazy_group import SubVerbs

SUBVERBS = {
    "list": "List all encounters.",
    "show": "Show an encounter: its place, those who are there, what it says.",
    "check": "Check files of encounters; report every error with its line.",
    "new": "Make an encounter of your own, to be edited.",
    "copy": "Copy an encounter into your own encounters folder.",
    "schema": "Print the JSON Schema of encounters.",
}


@click.group(
    "encounter",
    cls=SubVerbs,
    package=__name__,
    table=SUBVERBS,
    files=("check", "copy", "list", "new", "schema"),
)
@click.pass_context
def command(ctx: click.Context) -> None:
    """List, show, check and make encounters: crisis play NAME plays one.

    \b
    Examples:
      crisis encounter list
      crisis encounter show bridge
      crisis encounter new cellar --system 3d6
    """
    if ctx.invoked_subcommand is None:
        ctx.obj.output.say(*ctx.get_help().splitlines())
