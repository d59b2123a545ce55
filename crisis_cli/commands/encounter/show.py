"""`crisis encounter show`."""

from __future__ import annotations

from contextlib import suppress

import click

from ...completion import Source
from ...context import Context
from ...errors import CrisisError
from ...play.encounter_words import lines_of, record_of
from ...render.terrain import map_of
from .. import options
from ..setup import encounters_option


@click.command("show")
@click.argument("name", metavar="NAME", shell_complete=Source("names.encounters"))
@click.option("--map", "draws", is_flag=True, help="Draw the map with its legend.")
@click.option("--spoilers", is_flag=True, help="Show what happens, too, and who comes later.")
@encounters_option
@options.common_options
@click.pass_obj
def command(context: Context, /, name: str, draws: bool, spoilers: bool, as_json: bool) -> int:
    """Show an encounter: what it is about, who is there, and how it begins.

    What happens in it stays hidden without --spoilers.

    \b
    Examples:
      crisis encounter show bridge --map
      crisis encounter show bridge --spoilers
    """
    file = context.desk.shelves.encounters().read(name)
    output = context.output
    if as_json:
        output.print_record("encounter show", **record_of(file, spoilers))
        return 0
    who: tuple[str, ...] = ()
    with suppress(CrisisError):
        # The encounter may be of another system than the campaign.
        who = (
            campaign.party
            if (campaign := context.desk.campaigns.campaign()).system == file.system.name
            else ()
        )
    output.say(*lines_of(file, output.ink, spoilers, who))
    if draws and file.field:
        output.say("", *map_of(file.system, file.field, output.ink, context.environment.width))
    return 0
