"""`crisis character copy`."""

from __future__ import annotations

import os

import click

from ...completion import Source
from ...context import Context
from ...errors import FileError
from ...render import data
from ...sheets.check import check_text
from ...sheets.files import create, exists, file_stem, stem_of
from ...sheets.store import Store
from ...sheets.toml_patch import amend
from .. import options


@click.command("copy")
@click.argument("name", metavar="NAME", shell_complete=Source("names.sheets"))
@click.argument("new", required=False, metavar="[NEW]")
@options.common_options
@click.pass_obj
def command(context: Context, /, name: str, new: str | None, as_json: bool) -> int:
    """Copy a sheet into your characters folder, optionally under a NEW name; comments are kept.

    \b
    Examples:
      crisis character copy drone
      crisis character copy drone "Big Drone"
    """
    store = context.desk.shelves.sheets()
    sheet = store.read(name)
    text = sheet.text
    if new:
        text = amend(text, {**sheet.raw, "name": new}) or text
    path = create_sheet(context, stem_of(new) if new else file_stem(sheet.path), text)
    if as_json:
        context.output.print_json(
            {"v": data.VERSION, "action": "character copy", "file": store.display_path(path)}
        )
    else:
        context.output.say(f"copied to {store.display_path(path)}")
    return 0


def new_sheet_path(context: Context, stem: str) -> str:
    """The path for a new sheet in the player's folder; FileError if the file exists."""
    store = context.desk.shelves.sheets()
    path = os.path.join(store.folders[0].path, f"{stem}.toml")
    if exists(path):
        raise FileError(
            f"{store.display_path(path)} exists already",
            hint="give the new sheet another name",
            code="exists",
        )
    return path


def create_sheet(context: Context, stem: str, text: str) -> str:
    """Write a new sheet into the player's folder; gives its path. FileError if it exists or is not valid."""
    path = new_sheet_path(context, stem)
    store = context.desk.shelves.sheets()
    check_text(path, text, "the new sheet", lines=False)
    elsewhere = "name another folder: --characters DIR"
    create(path, text, store.display_path(path), "sheets", elsewhere, store.allowed_folder(path))
    return path


def require_own_sheet(store: Store, path: str, name: str) -> None:
    """Raise FileError for a sheet shipped with a package: it is never written."""
    if not store.is_writable(path):
        raise FileError(
            f"{name} is a shipped sheet and cannot be changed",
            hint=f"make it your own: crisis character copy {name}",
            code="shipped",
        )
