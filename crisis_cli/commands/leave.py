"""`crisis leave`."""

from __future__ import annotations

from typing import Any

import click

from ..completion import Source
from ..context import Context
from ..engine.scene import Intent
from ..sheets.find_fighters import named
from . import options, run_action
from .naming import Naming


@click.command("leave", cls=Naming)
@click.argument("who", nargs=-1, required=True, metavar="WHO...", shell_complete=Source("names.fighters"))
@options.throwing
@options.telling
@options.here
@click.pass_obj
def command(context: Context, /, who: tuple[str, ...], **given: Any) -> int:
    """Remove fighters from the crisis; they can join again.

    \b
    Example:
      crisis leave ada
    """
    context.require_journal()
    session = context.open_session()
    names = tuple(dict.fromkeys(named(session.scene, word) for word in who))
    return run_action.carry_out(
        context, session, Intent("leave", "", names, options.heeded(given, session, "leave")), given
    )
