"""`crisis character check`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

import click

from ...completion import Source
from ...context import Context
from ...engine.kinds import Fault
from ...errors import CrisisError
from ...render import data
from ...sheets.check import read, unknown_doctrine
from .. import options
from ..own_file import fault_lines


@click.command("check")
@click.argument("names", nargs=-1, metavar="[NAME]...", shell_complete=Source("names.sheets"))
@options.quiet_check_option
@options.common_options
@click.pass_obj
def command(context: Context, /, names: tuple[str, ...], quiet: bool, as_json: bool) -> int:
    """Check sheets, by default all: report every error with its line. Exit with status 4 if there is one.

    A doctrine that is in none of the folders of doctrines is an error too. Shipped sheets are listed only if they have
    errors or are named.

    \b
    Examples:
      crisis character check
      crisis character check characters/ada.toml
    """
    store = context.desk.shelves.sheets()
    status, shipped = 0, 0
    found = [(True, store.find(name)) for name in names] or [
        (place.is_writable, path) for place, path in store.all()
    ]
    for listed, path in found:
        shown = store.display_path(path)
        try:
            sheet = read(path, shown, partial(_unknown_doctrine, context, path))
        except CrisisError as error:
            status = error.status
            faults = error.about.get("faults", [{"file": shown, "message": error.message}])
            if as_json:
                context.output.print_json(
                    {
                        "v": data.VERSION,
                        "action": "character check",
                        "file": shown,
                        "ok": False,
                        "faults": faults,
                        **({"more": True} if error.about.get("more") else {}),
                    }
                )
            else:
                context.output.say(*fault_lines(error))
            continue
        if as_json:
            context.output.print_json(
                {"v": data.VERSION, "action": "character check", "file": shown, "ok": True, "faults": []}
            )
        elif listed and not quiet:
            context.output.say(f"{shown}: {sheet.values['name']}, {sheet.values['system']}: all right")
        elif not listed:
            shipped += 1
    if shipped and not quiet:
        context.output.say(f"{shipped} shipped sheets: all right")
    return status


def _unknown_doctrine(context: Context, path: str, values: Mapping[str, Any]) -> Iterator[Fault]:
    """The fault of a sheet whose doctrine is none that `play` would find."""
    name, doctrines = values["doctrine"], context.desk.shelves.doctrines()
    yield from context.desk.shelves.sheets().strange_doctrine(path, values)
    if not doctrines.store.has(name):
        yield unknown_doctrine(("doctrine",), name, doctrines.names())
