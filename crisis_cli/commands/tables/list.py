"""`crisis tables list`."""

from __future__ import annotations

import click

from ...context import Context
from ...errors import CrisisError
from ...render import data
from ...sheets.files import file_stem
from .. import options

DICE = 8
"""Columns of the dice of a table, such as `2d6+1d20`."""


@click.command("list")
@options.quiet_list_option
@options.common_options
@click.pass_obj
def command(context: Context, /, quiet: bool, as_json: bool) -> int:
    """List all tables, nearest folder first.

    \b
    Example:
      crisis tables list
    """
    store, folder = context.desk.shelves.tables(), ""
    for place, path in store.files():
        records: list[dict[str, object]]
        try:
            records = [
                {
                    "table": one.name,
                    "about": one.about,
                    "dice": one.dice,
                    "rows": len(one.rows),
                    "deck": one.deck,
                }
                for one in store.of_file(path).values()
            ]
        except CrisisError as error:
            records = [{"table": file_stem(path), "error": error.message.splitlines()[0]}]
        if not (as_json or quiet) and place.name != folder:
            folder = place.name
            context.output.say(f"{context.output.ink('bold', folder)}:")
        for record in records:
            if as_json:
                context.output.print_json(
                    {
                        "v": data.VERSION,
                        "action": "tables list",
                        **record,
                        "folder": place.name,
                        "own": place.is_writable,
                    }
                )
            elif quiet:
                context.output.say(str(record["table"]))
            else:
                about = record.get("error") or record["about"]
                table, dice = (
                    context.output.ink.padded(str(record["table"]), 20),
                    f"{record.get('dice', ''):<{DICE}}",
                )
                context.output.say(f"  {table} {dice} {about}".rstrip())
    return 0
