"""`crisis tables import`."""

from __future__ import annotations

from typing import Any

import click

from ...context import Context
from ...play.table_import import READERS, import_tables
from ...render.table_import import import_lines, import_record
from .. import options


@click.command("import")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=click.Path())
@click.option(
    "--format", "form", type=click.Choice(("auto", *READERS)), default="auto", help="Form of the files."
)
@click.option("--name", metavar="NAME", help="Name of the new file (default: that of the source).")
@click.option("--to", "folder", metavar="DIR", type=click.Path(), help="Folder for the new files.")
@click.option("--gaps", metavar="TEXT", default="", help="Text of results for which the source has no row.")
@click.option("--templates", is_flag=True, help="Keep {braces} of the source as dice, choices and tables.")
@click.option("--overwrite", is_flag=True, help="Replace files that are there.")
@click.option("--dry-run", is_flag=True, help="Write nothing.")
@options.common_options
@click.pass_obj
def command(context: Context, /, files: tuple[str, ...], as_json: bool, **how: Any) -> int:
    """Make tables of text, CSV, TSV, Markdown and JSON: lists, RollTables of Foundry, tables of datasworn.

    FILE is a file, or - for stdin. A table with results without a row, or with two, is an error and is left out.

    \b
    Examples:
      crisis tables import loot.md
      crisis tables import starforged.json --name oracles --dry-run
      crisis tables import loot.csv --gaps 'nothing here' --to tables
    """
    for shown, content in import_tables(context.desk, files, stdin=context.environment.stdin, **how):
        if as_json:
            context.output.print_record("tables import", **import_record(shown, content))
        else:
            context.output.say(*import_lines(shown, content, is_dry=how["dry_run"]))
    return 0
