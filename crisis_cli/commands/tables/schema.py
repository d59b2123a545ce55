"""`crisis tables schema`."""

from __future__ import annotations

import click

from ...context import Context
from ...sheets.table_store import SCHEMA
from .. import options
from ..own_file import print_schema


@click.command("schema")
@options.common_options
@click.pass_obj
def command(context: Context, /, as_json: bool) -> int:
    """Print the JSON Schema of tables, for editors that check TOML while you type.

    \b
    Example:
      crisis tables schema > tables.schema.json
    """
    return print_schema(context, "random tables of crisis", SCHEMA.schema(), as_json)
