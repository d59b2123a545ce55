"""`crisis leave`."""

from __future__ import annotations

from typing import Any

import click

from ..completion import Source
from ..context import Context
from ..engine.scene import Intent
from ..play.attacking import Planned
from ..play.wording import intent_options
from ..sheets.find_fighters import find_name
from . import options
from .acting import ActingOnNames


@options.without_ignored
@click.command("leave", cls=ActingOnNames)
@click.argument("who", nargs=-1, required=True, metavar="WHO...", shell_complete=Source("names.fighters"))
@click.option("--surrender", is_flag=True, help="They stay where they are and give up.")
@options.dice_options
@options.report_options
@options.common_options
def command(
    context: Context, /, run: options.Run, who: tuple[str, ...], surrender: bool, by: str | None, **words: Any
) -> Planned:
    """Remove fighters from the crisis; they can join again. With --surrender they stay, out of the fight.

    \b
    Examples:
      crisis leave ada
      crisis leave drone --surrender
    """
    context.desk.journals.require()
    session = context.desk.open_session()
    names = tuple(dict.fromkeys(find_name(session.scene, word) for word in who))
    actor = find_name(session.scene, by) if by else ""
    action, values = "yield" if surrender else "leave", intent_options(words, session, "leave")
    return Planned(session, Intent(action, actor, names, values))
