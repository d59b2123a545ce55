"""`crisis join`."""

from __future__ import annotations

from typing import Any

import click

from ..completion import Source
from ..context import Context
from ..errors import Refused
from ..play.attacking import Planned
from ..play.joining import joining
from . import options, placing
from .acting import ActingOnSides


@options.without_ignored
@click.command("join", cls=ActingOnSides)
@click.argument("who", nargs=-1, metavar="WHO...", shell_complete=Source("names.joining_fighters"))
@click.option(
    "--vs",
    multiple=True,
    metavar="WHO...",
    help="These join the opponents.",
    shell_complete=Source("names.joining_fighters"),
)
@click.option("--group", is_flag=True, help="Copies of one sheet share a roll.")
@placing.place_option
@options.dice_options
@options.report_options
@options.common_options
def command(
    context: Context,
    /,
    run: options.Run,
    who: tuple[str, ...],
    vs: tuple[str, ...],
    place: tuple[str, ...],
    group: bool,
    by: str | None,
    **words: Any,
) -> Planned:
    """Add fighters to the crisis, or bring them back; they roll for their place in the turn order.

    \b
    Examples:
      crisis join ada
      crisis join --vs drone:2
    """
    try:
        context.desk.journals.require()
    except Refused as refusal:
        if context.desk.places.story_folder:
            from ..play.party import TO_JOIN

            refusal.hint = f"{TO_JOIN}; {refusal.hint}"
        raise
    session = context.desk.open_session()
    if not who and not vs:
        raise click.UsageError("missing argument: WHO")
    places = placing.parsed(place)
    return joining(context.desk, session, who, vs, places=places, is_group=group, options=words)
