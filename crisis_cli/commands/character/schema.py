"""`crisis character schema`."""

from __future__ import annotations

import click

from ...completion import Source
from ...context import Context
from ...systems import load
from .. import options


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
    import json

    rulebook = load(system)
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"a {rulebook.name} sheet of crisis",
        **rulebook.sheet.schema(),
    }
    if as_json:
        context.print_json(schema)
        return 0
    context.say(*json.dumps(schema, indent=2, ensure_ascii=False).splitlines())
    return 0
