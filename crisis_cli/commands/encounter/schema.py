"""`crisis encounter schema`."""

from __future__ import annotations

import json

import click

from ...completion import Source
from ...context import Context
from ...engine.encounter_schema import schema
from ...systems import load
from .. import options


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
    whole = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"encounters of {load(system).name}",
        **schema(load(system)).schema(),
    }
    if as_json:
        context.print_json(whole)
    else:
        context.say(*json.dumps(whole, indent=2, ensure_ascii=False).splitlines())
    return 0
