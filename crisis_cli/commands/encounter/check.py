"""`crisis encounter check`."""

from __future__ import annotations

import click

from ...completion import Source
from ...context import Context
from ...errors import CrisisError
from ...render import data
from .. import options
from ..setup import encounters_option


@click.command("check")
@click.argument("names", nargs=-1, metavar="[NAME]...", shell_complete=Source("names.encounters"))
@encounters_option
@options.common_options
@click.pass_obj
def command(context: Context, /, names: tuple[str, ...], as_json: bool) -> int:
    """Check files of encounters, by default all: report every error with its line. Exit with status 4 if there is one.

    It finds unknown keys, names, sheets and doctrines, places that nobody can stand on, and events that can never
    happen or do nothing.

    \b
    Examples:
      crisis encounter check
      crisis encounter check encounters/cellar.toml
    """
    store = context.encounters()
    status = 0
    for path in [store.store.find(name) for name in names] or [path for _, path in store.files_in_reach()]:
        shown = store.store.display_path(path)
        faults: list[dict[str, object]] = []
        try:
            file = store.of_file(path)
            store.check_party(file)
            groups, events = len(file.values["fighter"]), len(file.values.get("event", ()))
            words = [f"{shown}: {file.system.name}, {groups} groups, {events} events: all right"]
        except CrisisError as error:
            status = error.status
            known = error.about.get("faults")
            faults = known if isinstance(known, list) else [{"file": shown, "message": error.message}]
            words = error.message.splitlines()
        if as_json:
            record = {"file": shown, "ok": not faults, "faults": faults}
            context.print_json({"v": data.VERSION, "action": "encounter check", **record})
        else:
            context.say(*words)
    return status
