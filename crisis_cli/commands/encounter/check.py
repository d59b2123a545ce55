"""`crisis encounter check`."""

from __future__ import annotations

import click

from ...completion import Source
from ...context import Context
from ...render.rolls import how_many
from .. import options
from ..own_file import Checked, check_files
from ..setup import encounters_option


@click.command("check")
@click.argument("names", nargs=-1, metavar="[NAME]...", shell_complete=Source("names.encounters"))
@encounters_option
@options.quiet_check_option
@options.common_options
@click.pass_obj
def command(context: Context, /, names: tuple[str, ...], quiet: bool, as_json: bool) -> int:
    """Check files of encounters, by default all: report every error with its line. Exit with status 4 if there is one.

    It finds unknown keys, names, sheets and doctrines, places that nobody can stand on, two fighters on one cell, and
    events that can never happen or would happen before anybody acts. What may be a slip and can be played is a warning.

    \b
    Examples:
      crisis encounter check
      crisis encounter check encounters/cellar.toml
    """
    store = context.desk.shelves.encounters()
    paths = [store.store.find(name) for name in names] or [path for _, path in store.files()]

    def checked(path: str) -> Checked:
        file, warnings = store.examine(path)
        groups, events = len(file.values["fighter"]), len(file.values.get("event", ()))
        said = f"{file.system.name}, {how_many(groups, 'group')}, {how_many(events, 'event')}"
        return Checked(said, warnings)

    return check_files(context, "encounter", store.store, paths, checked, as_json, quiet)
