"""`crisis character import`."""

from __future__ import annotations

from typing import Any

import click

from ...completion import Source
from ...context import Context
from ...play.importing import ImportWish, grouped, import_actors, weapon_tables
from ...render.importing import actor_lines, counted, summary_line
from .. import options


@click.command("import")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path())
@click.option(
    "--from",
    "importer",
    default="",
    metavar="NAME",
    help="Read the files with this importer (default: the one that knows most of each).",
    shell_complete=Source("names.importers"),
)
@click.option(
    "--to",
    default="",
    metavar="DIR",
    type=click.Path(file_okay=False),
    help="Write the sheets into this folder (default: your characters folder).",
)
@click.option(
    "--only", multiple=True, metavar="NAME", help="Only actors of this name; * stands for anything."
)
@click.option(
    "--update", "updates", is_flag=True, help="Take over what has changed, except where you edited a sheet."
)
@click.option(
    "--overwrite",
    "overwrites",
    is_flag=True,
    help="Write sheets of earlier imports anew, except their state.",
)
@click.option("--dry-run", "is_dry", is_flag=True, help="Show the result; write nothing.")
@click.option("--weapons", is_flag=True, help="Print tables of weapons that stand in the files alone.")
@click.option("--quiet", is_flag=True, help="Print only what is wrong, and the summary.")
@options.common_options
@click.pass_obj
def command(
    context: Context, /, files: tuple[str, ...], weapons: bool, quiet: bool, as_json: bool, **how: Any
) -> int:
    """Make a sheet of each actor in JSON files of other programs.

    FILE is a file, - for stdin, or a folder with files that end in .json. Each sheet names in comments what is carried
    inexactly and what is not carried. Exit with status 4 if a sheet is faulty, or a file of its name exists.

    \b
    Examples:
      crisis character import adventure.json --dry-run
      crisis character import adventure.json --only '*hound' --to characters
      crisis character import adventure.json --update
    """
    wish, stdin = ImportWish(files, **how), context.environment.stdin
    output, verb = context.output, "character import"
    for table in weapon_tables(context.desk, wish, stdin) if weapons else ():
        if as_json:
            output.print_record(verb, text="\n".join(table))
        else:
            output.say(*table, "")
    records = []
    for actor in () if weapons else import_actors(context.desk, wish, stdin):
        records.append(actor._asdict())
        if as_json:
            output.print_record(verb, **records[-1])
        elif not quiet or actor.faults:
            said = grouped(actor.changed), grouped(actor.lost)
            output.say(*actor_lines(output.ink, records[-1], *said))
    if as_json and not weapons:
        output.print_record(verb, **counted(records))
    elif not weapons:
        output.say(summary_line(wish.updates, **counted(records)))
    return 4 if any(record["faults"] for record in records) else 0
