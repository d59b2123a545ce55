"""`crisis encounter copy`."""

from __future__ import annotations

import click

from ...completion import Source
from ...context import Context
from ...render import data
from ...sheets.check import read_text
from ...sheets.files import file_stem
from .. import options
from ..own_file import create_own, stem_of
from ..setup import encounters_option


@click.command("copy")
@click.argument("name", metavar="NAME", shell_complete=Source("names.encounters"))
@click.argument("new", required=False, metavar="[NEW]")
@encounters_option
@options.common_options
@click.pass_obj
def command(context: Context, /, name: str, new: str | None, as_json: bool) -> int:
    """Copy the file of an encounter into ./encounters, optionally as NEW; comments are kept.

    \b
    Examples:
      crisis encounter copy bridge
      crisis encounter copy bridge night-bridge
    """
    store = context.desk.shelves.encounters().store
    path = store.find(name)
    content = read_text(path, store.display_path(path), store.kind)
    shown = create_own(store, stem_of(new) if new else file_stem(path), content)
    if as_json:
        context.output.print_json({"v": data.VERSION, "action": "encounter copy", "file": shown})
    else:
        context.output.say(f"copied to {shown}")
    return 0
