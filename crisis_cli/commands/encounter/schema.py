"""`crisis encounter schema`."""

from __future__ import annotations

import click

from ...completion import Source
from ...context import Context
from ...engine.encounter_schema import schema
from ...systems import load
from .. import options
from ..own_file import print_schema


@click.command("schema")
@click.argument("system", metavar="SYSTEM", shell_complete=Source("names.systems"))
@options.common_options
@click.pass_obj
def command(context: Context, /, system: str, as_json: bool) -> int:
    """Print the JSON Schema of the encounters of a system, for editors that check TOML while you type.

    \b
    Example:
      crisis encounter schema 3d6 > encounters.schema.json
    """
    rulebook = load(system)
    return print_schema(context, f"encounters of {rulebook.name}", schema(rulebook).schema(), as_json)
