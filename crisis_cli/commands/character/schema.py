"""`crisis character schema`."""

from __future__ import annotations

import click

from ...completion import Source
from ...context import Context
from ...engine.wording import with_a
from ...systems import load
from .. import options
from ..own_file import print_schema


@click.command("schema")
@click.argument("system", metavar="SYSTEM", shell_complete=Source("names.systems"))
@options.common_options
@click.pass_obj
def command(context: Context, /, system: str, as_json: bool) -> int:
    """Print the JSON Schema of a system's sheets, for editors that check TOML while you type.

    \b
    Example:
      crisis character schema 3d6 > 3d6.schema.json
    """
    rulebook = load(system)
    return print_schema(context, f"{with_a(rulebook.name)} sheet of crisis", rulebook.sheet.schema(), as_json)
