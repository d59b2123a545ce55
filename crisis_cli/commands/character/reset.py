"""`crisis character reset`."""

from __future__ import annotations

import click

from ...completion import Source
from ...context import Context
from ...errors import FileError
from ...sheets.save_sheets import write_sheet
from .. import options


@click.command("reset")
@click.argument("names", nargs=-1, required=True, metavar="NAME...", shell_complete=Source("names.sheets"))
@options.common_options
@click.pass_obj
def command(context: Context, /, names: tuple[str, ...], as_json: bool) -> int:
    """Reset sheets: no wounds, no conditions, everything loaded. Comments are kept.

    \b
    Example:
      crisis character reset jack
    """
    store = context.desk.shelves.sheets()
    sheets = [store.read(name) for name in names]
    for name, sheet in zip(names, sheets, strict=True):
        if not store.is_writable(sheet.path):
            raise FileError(
                f"{name} is a shipped sheet and cannot be changed",
                hint=f"make it your own: crisis character copy {name}",
                code="shipped",
            )
    for sheet in sheets:
        changed = "state" in sheet.raw
        if changed:
            whole = {key: value for key, value in sheet.raw.items() if key != "state"}
            write_sheet(store, sheet, whole, context.output.warn)
        if as_json:
            context.output.print_record("character reset", name=sheet.values["name"], changed=changed)
        else:
            context.output.say(
                f"{sheet.values['name']} is reset." if changed else f"{sheet.values['name']} needs no reset."
            )
    return 0
