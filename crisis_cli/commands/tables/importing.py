"""`crisis tables import`."""

from __future__ import annotations

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
@click.option(
    "--name", metavar="NAME", default="", help="Name of the new file (default: that of the source)."
)
@click.option(
    "--to", "folder", metavar="DIR", default="", type=click.Path(), help="Folder for the new files."
)
@click.option("--gaps", metavar="TEXT", default="", help="Text of results for which the source has no row.")
@click.option("--templates", is_flag=True, help="Keep {braces} of the source as dice, choices and tables.")
@click.option("--overwrite", is_flag=True, help="Replace files that are there.")
@click.option("--dry-run", is_flag=True, help="Write nothing.")
@options.common_options
@click.pass_obj
def command(
    context: Context,
    /,
    files: tuple[str, ...],
    form: str,
    name: str,
    folder: str,
    gaps: str,
    templates: bool,
    overwrite: bool,
    dry_run: bool,
    as_json: bool,
) -> int:
    """Make tables of text, CSV, TSV, Markdown and JSON: lists, RollTables of Foundry, oracles of datasworn.

    Results without a row, or with two, are an error.

    \b
    Examples:
      crisis tables import loot.md
      crisis tables import starforged.json --name oracles --dry-run
      crisis tables import loot.csv --gaps 'nothing here' --to tables
    """
    made = import_tables(
        context.desk,
        files,
        form="" if form == "auto" else form,
        name=name,
        folder=folder,
        gaps=gaps,
        has_templates=templates,
        overwrites=overwrite,
        is_dry=dry_run,
    )
    for shown, content in made:
        if as_json:
            context.output.print_record("tables import", **import_record(shown, content))
        else:
            context.output.say(*import_lines(shown, content, dry_run))
    return 0
