"""`crisis character show`."""

from __future__ import annotations

import click

from ...completion import Source
from ...context import Desk
from ...engine.events import plain
from ...render import data
from ...render.character import page
from ...sheets.fighters import fighter
from ...systems import load
from .. import options


@click.command("show")
@click.argument("name", metavar="NAME", shell_complete=Source("names.sheets"))
@options.here
@click.pass_obj
def command(desk: Desk, /, name: str, as_json: bool) -> int:
    """Show a sheet, with what fights have changed.

    \b
    Example:
      crisis character show jack
    """
    sheet = desk.store().read(name)
    system = load(sheet.values["system"])
    one = fighter(system, sheet)
    if as_json:
        told = {"pools": dict(one.pools), "conditions": dict(one.conditions), "held": list(one.held)}
        desk.tell({"v": data.VERSION, "sheet": plain(sheet.values), **told})
    else:
        desk.say(*page(one, system, desk.ink, desk.world.width))
    return 0
