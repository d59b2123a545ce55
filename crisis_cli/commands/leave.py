"""`crisis leave`."""

from __future__ import annotations

from typing import Any

import click

from ..completion import Source
from ..desk import Desk
from ..play.scene import Intent
from ..sheets.cast import named
from . import deed, options
from .naming import Naming


@click.command("leave", cls=Naming)
@click.argument("who", nargs=-1, required=True, metavar="WHO...", shell_complete=Source("names.fighters"))
@options.throwing
@options.telling
@options.here
@click.pass_obj
def command(desk: Desk, /, who: tuple[str, ...], **given: Any) -> int:
    """Take fighters out of the crisis; they can join again.

    \b
    Example:
      crisis leave ada
    """
    desk.open_ledger()
    sitting = desk.sit()
    names = tuple(dict.fromkeys(named(sitting.scene, word) for word in who))
    return deed.carry_out(
        desk, sitting, Intent("leave", "", names, options.heeded(given, sitting, "leave")), given
    )
