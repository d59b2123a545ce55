"""`crisis encounter list`."""

from __future__ import annotations

import click

from ...context import Context
from ...errors import CrisisError
from ...render import data
from ...sheets.files import file_stem
from .. import options
from ..setup import encounters_option


@click.command("list")
@encounters_option
@options.quiet_list_option
@options.common_options
@click.pass_obj
def command(context: Context, /, quiet: bool, as_json: bool) -> int:
    """List all encounters, nearest folder first.

    \b
    Example:
      crisis encounter list
    """
    store, folder = context.desk.shelves.encounters(), ""
    for place, path in store.files():
        record: dict[str, object] = {"file": file_stem(path).casefold()}
        try:
            file = store.of_file(path)
            record |= {
                "name": file.title,
                "system": file.system.name,
                "about": file.values.get("about", ""),
                "events": len(file.values.get("event", ())),
            }
        except CrisisError as error:
            record["error"] = error.message.splitlines()[0]
        if as_json:
            own = {"folder": place.name, "own": place.is_writable}
            context.output.print_json({"v": data.VERSION, "action": "encounter list", **record, **own})
            continue
        if quiet:
            context.output.say(str(record["file"]))
            continue
        if place.name != folder:
            folder = place.name
            context.output.say(f"{context.output.ink('bold', folder)}:")
        about = record.get("error") or record.get("about") or record.get("name")
        stem, system = context.output.ink.padded(str(record["file"]), 14), f"{record.get('system', ''):<7}"
        context.output.say(f"  {stem} {system} {about}".rstrip())
    return 0
