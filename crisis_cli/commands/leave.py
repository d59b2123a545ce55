"""`crisis leave`."""

from __future__ import annotations

from typing import Any

import click

from ..completion import Source
from ..context import Context
from ..engine.scene import Intent
from ..sheets.find_fighters import find_name
from . import options, run_action
from .naming import NameJoiningCommand


@click.command("leave", cls=NameJoiningCommand)
@click.argument("who", nargs=-1, required=True, metavar="WHO...", shell_complete=Source("names.fighters"))
@options.dice_options
@options.report_options
@options.common_options
@click.pass_obj
def command(context: Context, /, who: tuple[str, ...], **given: Any) -> int:
    """Remove fighters from the crisis; they can join again.

    \b
    Example:
      crisis leave ada
    """
    context.require_journal()
    session = context.open_session()
    names = tuple(dict.fromkeys(find_name(session.scene, word) for word in who))
    return run_action.carry_out(
        context, session, Intent("leave", "", names, options.intent_options(given, session, "leave")), given
    )
