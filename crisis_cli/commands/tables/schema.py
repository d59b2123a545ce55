"""`crisis tables schema`."""

from __future__ import annotations

import json

import click

from ...context import Context
from ...sheets.table_store import SCHEMA
from .. import options


@click.command("schema")
@options.common_options
@click.pass_obj
def command(context: Context, /, as_json: bool) -> int:
    """Print the JSON Schema of tables, for editors that check TOML while you type.

    \b
    Example:
      crisis tables schema > tables.schema.json
    """
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "random tables of crisis",
        **SCHEMA.schema(),
    }
    if as_json:
        context.print_json(schema)
    else:
        context.say(*json.dumps(schema, indent=2, ensure_ascii=False).splitlines())
    return 0
