"""`crisis config`: the settings of the player."""

from __future__ import annotations

import click

from ...lazy_group import SubVerbs

SUBVERBS = {
    "show": "Show the settings: each value, and where it is from.",
    "edit": "Open config.toml in your editor, then check it.",
    "check": "Check config.toml, and the .crisis.toml of this folder.",
    "path": "Print the path of config.toml.",
}


@click.group("config", cls=SubVerbs, package=__name__, table=SUBVERBS, subcommand_metavar="COMMAND [ARGS]...")
@click.pass_context
def command(ctx: click.Context) -> None:
    """Show, edit or check your settings: the file config.toml, and .crisis.toml in a folder. An option holds above the
    environment, that above the folder's file, and that above yours.

    \b
    Examples:
      crisis config show
      crisis config edit
      crisis config check
    """
    if ctx.invoked_subcommand is None:
        ctx.obj.output.say(*ctx.get_help().splitlines())
