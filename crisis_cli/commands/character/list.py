"""`crisis character list`."""

from __future__ import annotations

import click

from ...completion import Source
from ...context import Context
from ...errors import CrisisError
from ...render import data
from ...sheets.check import read
from ...sheets.files import file_stem
from ...systems import load
from .. import options


@click.command("list")
@click.option(
    "--system",
    metavar="SYSTEM",
    help="List only sheets of this system.",
    shell_complete=Source("names.systems"),
)
@options.quiet_list_option
@options.common_options
@click.pass_obj
def command(context: Context, /, system: str | None, quiet: bool, as_json: bool) -> int:
    """List all sheets, nearest folder first.

    \b
    Example:
      crisis character list
    """
    store = context.desk.shelves.sheets()
    if system:
        load(system)
    folder = ""
    for place, path in store.all():
        try:
            sheet = read(path, store.display_path(path)).values
            record = {
                "file": file_stem(path),
                "name": sheet["name"],
                "system": sheet["system"],
                "player": sheet["player"],
            }
        except CrisisError as error:
            record = {"file": file_stem(path), "error": error.message.splitlines()[0]}
        if system and record.get("system") != system:
            continue
        if as_json:
            context.output.print_json(
                {
                    "v": data.VERSION,
                    "action": "character list",
                    **record,
                    "folder": place.name,
                    "own": place.is_writable,
                }
            )
            continue
        if quiet:
            context.output.say(str(record["file"]))
            continue
        if place.name != folder:
            folder = place.name
            context.output.say(context.output.ink("dim", folder))
        stem, ink = context.output.ink.padded(record["file"], 16), context.output.ink
        if "error" in record:
            context.output.say(f"  {stem} {ink('red', 'broken')}: {record['error']}")
        else:
            side = "player" if record["player"] else "opponent"
            name = ink.padded(record["name"], 20)
            context.output.say(f"  {stem} {name} {record['system']:<8} {side}")
    return 0
