"""`crisis next`."""

from __future__ import annotations

from typing import Any

import click

from ..context import Context
from ..engine.scene import Intent
from ..sheets.find_fighters import find_name
from . import options, run_action, system_options
from .naming import NameJoiningCommand


@options.without_ignored
@click.command("next", cls=NameJoiningCommand)
@options.dice_options
@options.report_options
@options.common_options
@click.pass_obj
def command(context: Context, /, **given: Any) -> int:
    """End the turn and go on to the next fighter who can act; rounds begin and end on the way.

    When several act at the same time, --by WHO ends the turn of one of them.

    \b
    Example:
      crisis next
    """
    journal = context.desk.journals.require()
    session = context.desk.open_session()
    scene = journal.crisis.scene
    who = find_name(scene, given["by"]) if given["by"] else scene.turn
    if who and who not in scene.acting:
        raise run_action.not_their_turn(scene.turn, who)
    intent = Intent("next", who, (), system_options.intent_options(given, session, "next"))
    return run_action.carry_out(context, session, intent, given)
