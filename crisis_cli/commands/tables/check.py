"""`crisis tables check`."""

from __future__ import annotations

import click

from ...completion import Source
from ...context import Context
from ...render.rolls import how_many
from .. import options
from ..own_file import Checked, check_files


@click.command("check")
@click.argument("names", nargs=-1, metavar="[NAME|PATH]...", shell_complete=Source("names.tables"))
@options.quiet_check_option
@options.common_options
@click.pass_obj
def command(context: Context, /, names: tuple[str, ...], quiet: bool, as_json: bool) -> int:
    """Check files of tables, by default all: report every error with its line. Exit with status 4 if there is one.

    \b
    Examples:
      crisis tables check
      crisis tables check tables/wounds.toml
      crisis tables check tables
    """
    store = context.desk.shelves.tables()
    named = [path for name in names for path in store.files_at(name)]
    paths = named if names else [path for _, path in store.files()]

    def checked(path: str) -> Checked:
        return Checked(how_many(sum(len(one.rows) for one in store.examine(path)[0].values()), "row"))

    return check_files(context, "tables", store.store, paths, checked, as_json, quiet)
