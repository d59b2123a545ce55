"""`crisis tables copy`."""

from __future__ import annotations

import click

from ...completion import Source
from ...context import Context
from ...render import data
from ...sheets.check import read_text
from ...sheets.files import file_stem
from .. import options
from ..own_file import create_own, stem_of


@click.command("copy")
@click.argument("name", metavar="NAME", shell_complete=Source("names.tables"))
@click.argument("new", required=False, metavar="[NEW]")
@options.common_options
@click.pass_obj
def command(context: Context, /, name: str, new: str | None, as_json: bool) -> int:
    """Copy the file of a table into ./tables, optionally as NEW; comments are kept.

    \b
    Examples:
      crisis tables copy twists
      crisis tables copy twists city-twists
    """
    store = context.desk.shelves.tables()
    path, _ = store.file_of(name)
    content = read_text(path, store.store.display_path(path), "table")
    shown = create_own(store.store, stem_of(new) if new else file_stem(path), content)
    if as_json:
        context.output.print_json({"v": data.VERSION, "action": "tables copy", "file": shown})
    else:
        context.output.say(f"copied to {shown}")
    return 0
