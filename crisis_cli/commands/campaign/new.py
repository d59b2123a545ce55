"""`crisis campaign new`."""

from __future__ import annotations

import click

from ...completion import Source
from ...context import Context
from ...play.founding import make_campaign
from .. import options


@click.command("new")
@click.argument("name", metavar="NAME")
@click.argument("who", nargs=-1, metavar="[WHO...]", shell_complete=Source("names.sheets"))
@options.system_option("Rule system (default: that of WHO).")
@options.common_options
@click.pass_obj
def command(context: Context, /, name: str, who: tuple[str, ...], system: str | None, as_json: bool) -> int:
    """Make a campaign: a folder NAME with campaign.toml, folders for sheets, encounters, tables and doctrines, and
    copies of the sheets of WHO, its party.

    \b
    Examples:
      crisis campaign new Saltmarch jack ada
      crisis campaign new 'The Long Winter' --system 2d20
    """
    folder, party = make_campaign(context.desk, name, who, system)
    if as_json:
        context.output.print_record("campaign new", folder=folder, party=party)
    else:
        context.output.say(
            f"made {folder}; now: cd {folder}, then: crisis play ENCOUNTER; to see them: crisis encounter list"
        )
    return 0
