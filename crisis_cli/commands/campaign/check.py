"""`crisis campaign check`."""

from __future__ import annotations

import click

from ...context import Context
from ...play.campaign_check import problems
from ...sheets.check import record_line
from .. import options


@click.command("check")
@options.quiet_check_option
@options.common_options
@click.pass_obj
def command(context: Context, /, quiet: bool, as_json: bool) -> int:
    """Check a campaign: campaign.toml, the sheets of its party, its story, and every journal as crisis verify does.

    Exit with status 4 if something is wrong.

    \b
    Example:
      crisis campaign check
    """
    output = context.output
    found = problems(context.desk)
    if as_json:
        output.print_record("campaign check", ok=not found, problems=found)
    elif found:
        output.say(
            *(record_line(one) if "line" in one else f"{one['file']}: {one['message']}" for one in found)
        )
    elif not quiet:
        output.say("all right")
    return 4 if found else 0
