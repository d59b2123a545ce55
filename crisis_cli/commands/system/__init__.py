"""`crisis system`: rule systems of your own, made and checked."""

from __future__ import annotations

import click

from ...lazy_group import SubVerbs

SUBVERBS = {
    "new": "Make the package of a small rule system that can be played.",
    "check": "Check a rule system: load it, run its cases and the conformance suite.",
}


@click.group("system", cls=SubVerbs, package=__name__, table=SUBVERBS, subcommand_metavar="COMMAND [ARGS]...")
@click.pass_context
def command(ctx: click.Context) -> None:
    """Make a rule system of your own, or check one. How one is written: crisis help system, or man 7 crisis-system.

    \b
    Examples:
      crisis system new knives
      crisis system check 3d6 --no-conformance
    """
    if ctx.invoked_subcommand is None:
        ctx.obj.output.say(*ctx.get_help().splitlines())
