"""The player's own files, such as tables and encounters: made and checked, and the schemas of what they hold."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from ..context import Context
from ..errors import CrisisError, FileError, Usage
from ..render import data
from ..sheets.check import record_line
from ..sheets.files import create, exists, file_stem
from ..sheets.files import stem_of as sheet_stem
from ..sheets.store import Store
from ..values import NamedTuple


class Checked(NamedTuple):
    """A file without errors."""

    said: str
    """What is in it, in a few words."""
    warnings: Sequence[Mapping[str, object]] = ()
    """Records of what may be a slip, each with file, line, key and message."""


def stem_of(name: str) -> str:
    """The file stem for the name of a new file; Usage for one without a letter or a digit."""
    if not any(map(str.isalnum, name)):
        raise Usage(f"{name!r} is no name for a file: it has no letter and no digit", code="bad_value")
    return sheet_stem(name)


def create_own(store: Store, stem: str, content: str) -> str:
    """Write a new file into the first folder of a store; its path for messages. FileError if it exists."""
    path = os.path.join(store.folders[0].path, f"{stem}.toml")
    shown = store.display_path(path)
    if exists(path):
        raise FileError(
            f"{shown} exists already", hint=f"give the new {store.kind} another name", code="exists"
        )
    create(path, content, shown, f"{store.kind}s", "use another folder", store.allowed_folder(path))
    return shown


def create_new(context: Context, store: Store, stem: str, content: str) -> str:
    """The same, with a warning where the new file hides one of that name in another folder."""
    hidden = [folder.name for folder, path in store.all() if file_stem(path).casefold() == stem]
    shown = create_own(store, stem, content)
    if hidden:
        context.output.warn(f"{stem} is {shown} from now on; it hides that of {hidden[0]}", "shadowed")
    return shown


def check_files(
    context: Context,
    verb: str,
    store: Store,
    paths: Iterable[str],
    checked: Callable[[str], Checked],
    as_json: bool,
    quiet: bool = False,
) -> int:
    """Check files and print for each what `checked` says of it, unless `quiet`, or its faults; the exit status."""
    status = 0
    for path in paths:
        shown, faults, left = store.display_path(path), list[Any](), False
        try:
            found = checked(path)
            lines, warnings = [f"{shown}: {found.said}: all right"], list(found.warnings)
        except CrisisError as error:
            status = error.status
            known = error.about.get("faults")
            faults = known if isinstance(known, list) else [{"file": shown, "message": error.message}]
            left = bool(error.about.get("more"))
            doubts = error.about.get("warnings")
            lines, warnings = fault_lines(error), doubts if isinstance(doubts, list) else []
        if as_json:
            record = {"file": shown, "ok": not faults, "faults": faults}
            more = ({"more": True} if left else {}) | ({"warnings": warnings} if warnings else {})
            context.output.print_json({"v": data.VERSION, "action": f"{verb} check", **record, **more})
            continue
        doubtful = [record_line({**one, "message": f"warning: {one['message']}"}) for one in warnings]
        if faults or not quiet:
            context.output.say(*doubtful, *lines)
    return status


def fault_lines(error: CrisisError) -> list[str]:
    """The lines of an error that a check shows: every fault that it holds, of which its message says only the first."""
    faults, lines = error.about.get("faults"), error.message.splitlines()
    if not isinstance(faults, list) or len(faults) <= len(lines):
        return lines
    return [*map(record_line, faults), *(["and more"] if error.about.get("more") else [])]


def print_schema(context: Context, title: str, schema: dict[str, Any], as_json: bool) -> int:
    """Print a JSON Schema under a title, on one line with --json; the exit status."""
    import json

    whole = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title, **schema}
    if as_json:
        context.output.print_json(whole)
    else:
        context.output.say(*json.dumps(whole, indent=2, ensure_ascii=False).splitlines())
    return 0
