"""`crisis config path`."""

from __future__ import annotations

import click

from ...configuration.files import user_file
from ...context import Context
from .. import options


@click.command("path")
@options.common_options
@click.pass_obj
def command(context: Context, /, as_json: bool) -> int:
    """Print the path of config.toml, whether there is one or not.

    \b
    Example:
      crisis config path
    """
    path = user_file(context.environment.env)
    if as_json:
        context.output.print_record("config path", file=path)
    else:
        context.output.say(path)
    return 0
