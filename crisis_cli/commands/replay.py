"""`crisis replay`."""

from __future__ import annotations

import click

from ..context import Context
from ..errors import Refused
from ..render import data, text
from ..sheets import journal_file
from ..sheets.journal_file import Journal
from ..systems import load
from . import options


@click.command("replay")
@click.argument("path", required=False, metavar="[FILE]", type=click.Path())
@click.option("--explain", is_flag=True, help="Show every modifier with its rule.")
@options.common_options
@click.pass_obj
def command(context: Context, /, path: str | None, explain: bool, as_json: bool) -> int:
    """Show a crisis again from its journal: the open one, or any FILE.

    \b
    Examples:
      crisis replay
      crisis replay crisis-20261120T190702Z.jsonl
    """
    crisis = read_journal(context, path, "replay").crisis
    system = load(crisis.scene.system)
    for entry in crisis.done:
        with text.legible(entry):
            if as_json:
                context.print_json(data.entry(entry, system, crisis.seed, True, explain))
            else:
                context.say(*text.entry_lines(entry, crisis.scene, system, context.ink, explain))
    return 0


def read_journal(context: Context, name: str | None, verb: str) -> Journal:
    """The journal in the file `name`, or else the one in place, open or ended; Refused if there is none."""
    if name:
        return journal_file.read(context.environment.cwd / name, name)
    if not context.journal_path.exists():
        raise Refused(
            f"no crisis is open here ({context.file})",
            hint=f"name a journal: crisis {verb} FILE",
            code="no_crisis",
        )
    return journal_file.read(context.journal_path, context.file)
