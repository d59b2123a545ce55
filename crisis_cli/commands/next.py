"""`crisis next`."""

from __future__ import annotations

from typing import Any

import click

from ..context import Context
from ..engine.scene import Intent
from ..play.attacking import Planned
from ..play.naming import not_their_turn
from ..play.wording import intent_options
from ..sheets.find_fighters import find_name
from . import options
from .acting import ActingOnNames


@options.without_ignored
@click.command("next", cls=ActingOnNames)
@options.dice_options
@options.report_options
@options.common_options
def command(context: Context, /, run: options.Run, by: str | None, **words: Any) -> Planned:
    """End the turn and go on to the next fighter who can act; rounds begin and end on the way.

    When several act at the same time, --by WHO ends the turn of one of them.

    \b
    Example:
      crisis next
    """
    journal = context.desk.journals.require()
    session = context.desk.open_session()
    scene = journal.crisis.scene
    who = find_name(scene, by) if by else scene.turn
    if who and who not in scene.acting:
        raise not_their_turn(scene.turn, who)
    intent = Intent("next", who, (), intent_options(words, session, "next"))
    return Planned(session, intent)
