"""`crisis doctor`."""

from __future__ import annotations

import click

from .. import installation
from ..context import Context
from ..errors import FileError
from . import options


@click.command("doctor")
@click.option("--plugins", is_flag=True, help="Show only the systems of installed packages.")
@options.common_options
@click.pass_obj
def command(context: Context, /, plugins: bool, as_json: bool) -> int:
    """Show how crisis is set up here: versions, settings, files, the journal, plug-ins, the terminal, completion.

    Nothing is written. Paste it where you report a problem: your home folder is ~ in it, and of the environment it has
    only what matters to crisis. Exit with status 4 if something is wrong.

    \b
    Examples:
      crisis doctor
      crisis doctor --plugins
    """
    output, status, last = context.output, 0, ""
    found = installation.findings(context, installation.PLUGINS if plugins else "")
    width = max(len(one.part) for one in found) + 2
    for one in found:
        status = FileError.status if one.is_wrong else status
        if as_json:
            output.print_record("doctor", part=one.part, ok=not one.is_wrong, text=one.text)
        else:
            mark = output.ink("bad", one.text) if one.is_wrong else one.text
            output.say(f"{'' if one.part == last else one.part:{width}}{mark}")
        last = one.part
    return status
