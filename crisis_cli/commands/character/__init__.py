"""`crisis character`: the sheets."""

from __future__ import annotations

import click

from ...lazy_group import SubVerbs

SUBVERBS = {
    "new": "Make a sheet: asks at a terminal, takes options elsewhere.",
    "show": "Show a sheet.",
    "list": "List all sheets.",
    "check": "Check sheets; report every error with its line.",
    "reset": "Reset sheets: no wounds, no conditions, everything loaded.",
    "restore": "Restore a sheet of a campaign that is gone.",
    "copy": "Copy a sheet into your own characters folder.",
    "import": "Make sheets of the actors in files of other programs.",
    "schema": "Print the JSON Schema of a system's sheets.",
}


@click.group(
    "character", cls=SubVerbs, package=__name__, table=SUBVERBS, files=("check", "copy", "list", "schema")
)
@click.pass_context
def command(ctx: click.Context) -> None:
    """Create, show, list, check, reset, copy or import sheets.

    \b
    Examples:
      crisis character list
      crisis character show jack
    """
    if ctx.invoked_subcommand is None:
        ctx.obj.output.say(*ctx.get_help().splitlines())
