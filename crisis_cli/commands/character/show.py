"""`crisis character show`."""

from __future__ import annotations

import click

from ...completion import Source
from ...context import Context
from ...engine.events import plain
from ...render.character import page
from ...sheets.fighters import fighter
from ...systems import load
from .. import options


@click.command("show")
@click.argument("name", metavar="NAME", shell_complete=Source("names.sheets"))
@options.common_options
@click.pass_obj
def command(context: Context, /, name: str, as_json: bool) -> int:
    """Show a sheet, with what fights have changed.

    \b
    Example:
      crisis character show jack
    """
    sheet = context.desk.shelves.sheets().read(name)
    system = load(sheet.values["system"])
    one = fighter(system, sheet)
    if as_json:
        state = {
            "pools": dict(one.pools),
            "conditions": dict(one.conditions),
            "held": list(one.held),
            "derived": dict(system.sheet_rules.derived(one)),
            "doctrine": one.doctrine,
            "fight": one.sheet.get("fight") or {},
        }
        context.output.print_record("character show", sheet=plain(sheet.values), **state)
    else:
        context.output.say(*page(one, system, context.output.ink, context.environment.width))
    return 0
