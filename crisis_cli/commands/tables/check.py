"""`crisis tables check`."""

from __future__ import annotations

import click

from ...completion import Source
from ...context import Context
from ...errors import CrisisError
from ...render import data
from .. import options


@click.command("check")
@click.argument("names", nargs=-1, metavar="[NAME]...", shell_complete=Source("names.tables"))
@options.common_options
@click.pass_obj
def command(context: Context, /, names: tuple[str, ...], as_json: bool) -> int:
    """Check files of tables, by default all: report every error with its line. Exit with status 4 if there is one.

    \b
    Examples:
      crisis tables check
      crisis tables check tables/wounds.toml
    """
    store = context.tables()
    paths = [store.file_of(name)[0] for name in names]
    status = 0
    for path in paths or [path for _, path in store.files_in_reach()]:
        shown = store.store.display_path(path)
        faults: list[dict[str, object]] = []
        try:
            rows = 0
            for one in store.of_file(path).values():
                store.check_references(one)
                rows += len(one.rows)
            words = [f"{shown}: {rows} rows: all right"]
        except CrisisError as error:
            status = error.status
            known = error.about.get("faults")
            faults = known if isinstance(known, list) else [{"file": shown, "message": error.message}]
            words = error.message.splitlines()
        if as_json:
            record = {"file": shown, "ok": not faults, "faults": faults}
            context.print_json({"v": data.VERSION, "action": "tables check", **record})
        else:
            context.say(*words)
    return status
