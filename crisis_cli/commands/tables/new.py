"""`crisis tables new`."""

from __future__ import annotations

import click

from ...context import Context
from ...render import data
from ...sheets.toml_patch import value_text
from .. import options
from ..own_file import create_new, stem_of

SKELETON = """\
# {title}, a random table for crisis: crisis-tables(5) has all keys.
name  = {title_text}
about = "what it is for, in one line"
rows  = [
  "A row: one of these is drawn.",
  "Dice and choices: {{2d6}} steps to the {{left|right}}.",
  {{ text = "A row that comes twice as often.", weight = 2 }},
]
"""


@click.command("new")
@click.argument("name", metavar="NAME")
@options.common_options
@click.pass_obj
def command(context: Context, /, name: str, as_json: bool) -> int:
    """Make a table of your own in ./tables: a file with three rows, to be edited.

    \b
    Example:
      crisis tables new wounds
    """
    content = SKELETON.format(title=" ".join(name.split()), title_text=value_text(name))
    shown = create_new(context, context.desk.shelves.tables().store, stem_of(name), content)
    if as_json:
        context.output.print_json({"v": data.VERSION, "action": "tables new", "file": shown})
    else:
        context.output.say(f"made {shown}; edit it, then: crisis tables {stem_of(name)}")
    return 0
