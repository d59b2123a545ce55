"""The verbs of files, made for each kind of file: `check`, `copy`, `list`, `new` and `schema`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Generic, TypeVar

import click

from ..completion import Source
from ..context import Context
from ..errors import CrisisError
from ..play.shelves import Shelves
from ..render import data
from ..render.style import Ink
from ..sheets.check import record_line
from ..sheets.files import file_stem
from ..sheets.shelf import Checked, Record, Shelf
from ..systems import load
from ..values import NamedTuple
from . import options

Held = TypeVar("Held")
Param = Callable[[Any], Any]
"""A click option or argument, as a decorator."""


class FileKind(NamedTuple, Generic[Held]):
    """A kind of file, as its verbs find and show it."""

    group: str
    """The verb that has the others as sub-verbs: `tables`."""
    names: str
    """The source that completes the names of files."""
    shelf: Callable[[Shelves], Shelf[Held]]
    summary: Callable[[Held], str]
    """What is in a file, in a few words."""
    head: Callable[[str], Record]
    """How the file at a path begins its records in a list."""
    records: Callable[[Held], Iterable[Record]]
    """The further records of a file in a list, one a line."""
    line: Callable[[Ink, Record], str]
    """A record as a line of a list."""
    folder: Callable[[Ink, str], str] = lambda ink, name: f"{ink('bold', name)}:"
    """The line of a list above the files of a folder."""
    counted: str = ""
    """What shipped files are called where a check counts those without faults; empty where each has its line."""


def check(kind: FileKind[Held], about: str, *params: Param, metavar: str = "[NAME]...") -> click.Command:
    """The verb that checks files; `about` is its help, `params` are its own options."""

    @click.command("check", help=about)
    @click.argument("names", nargs=-1, metavar=metavar, shell_complete=Source(kind.names))
    @options.combine(*params, options.quiet_check_option, options.common_options)
    @click.pass_obj
    def command(context: Context, /, names: tuple[str, ...], quiet: bool, as_json: bool) -> int:
        shelf, status, shipped = kind.shelf(context.desk.shelves), 0, 0
        named = [(True, path) for name in names for path in shelf.files_at(name)]
        reached = ((folder.is_writable or not kind.counted, path) for folder, path in shelf.files())
        for is_listed, path in named if names else [*reached]:
            checked = shelf.checked(path)
            if checked.error is not None:
                status = checked.error.status
            if as_json:
                context.output.print_json(_check_record(kind.group, checked))
            elif checked.held is None:
                context.output.say(*_warning_lines(checked), *_fault_lines(checked))
            elif is_listed and not quiet:
                summary = f"{checked.file}: {kind.summary(checked.held)}: all right"
                context.output.say(*_warning_lines(checked), summary)
            else:
                shipped += not is_listed
        if shipped and not quiet:
            context.output.say(f"{shipped} {kind.counted}: all right")
        return status

    return command


def _check_record(group: str, checked: Checked[Any]) -> dict[str, object]:
    """A file that was checked as a record."""
    record = {"v": data.VERSION, "action": f"{group} check", "file": checked.file}
    more = {"more": True} if checked.has_more else {}
    warnings = {"warnings": checked.warnings} if checked.warnings else {}
    return {**record, "ok": not checked.faults, "faults": checked.faults, **more, **warnings}


def _warning_lines(checked: Checked[Any]) -> Iterable[str]:
    return (record_line({**one, "message": f"warning: {one['message']}"}) for one in checked.warnings)


def _fault_lines(checked: Checked[Any]) -> list[str]:
    """The lines of a file with faults: every one that has a record, of which the error says only the first."""
    lines = checked.error.message.splitlines() if checked.error else []
    if len(checked.faults) <= len(lines):
        return lines
    return [*map(record_line, checked.faults), *(["and more"] if checked.has_more else [])]


def copy(kind: FileKind[Held], about: str, *params: Param) -> click.Command:
    """The verb that copies a file; `about` is its help, `params` are its own options."""

    @click.command("copy", help=about)
    @click.argument("name", metavar="NAME", shell_complete=Source(kind.names))
    @click.argument("new", required=False, metavar="[NEW]")
    @options.combine(*params, options.common_options)
    @click.pass_obj
    def command(context: Context, /, name: str, new: str | None, as_json: bool) -> int:
        shelf = kind.shelf(context.desk.shelves)
        shown = shelf.store.display_path(shelf.copy(name, new or ""))
        if as_json:
            context.output.print_record(f"{kind.group} copy", file=shown)
        else:
            context.output.say(f"copied to {shown}")
        return 0

    return command


def listing(kind: FileKind[Held], about: str, *params: Param) -> click.Command:
    """The verb that lists files; `about` is its help, `params` are its own options."""

    @click.command("list", help=about)
    @options.combine(*params, options.quiet_list_option, options.common_options)
    @click.pass_obj
    def command(context: Context, /, quiet: bool, as_json: bool, system: str | None = None) -> int:
        shelf, shown = kind.shelf(context.desk.shelves), ""
        if system:
            load(system)
        for folder, path in shelf.files():
            head = kind.head(path)
            try:
                records = [{**head, **record} for record in kind.records(shelf.of_file(path))]
            except CrisisError as error:
                records = [{**head, "error": error.message.splitlines()[0]}]
            if system and not any(record.get("system") == system for record in records):
                continue
            if not (as_json or quiet) and folder.name != shown:
                shown = folder.name
                context.output.say(kind.folder(context.output.ink, shown))
            for record in records:
                if as_json:
                    where = {"folder": folder.name, "own": folder.is_writable}
                    action = {"v": data.VERSION, "action": f"{kind.group} list"}
                    context.output.print_json({**action, **record, **where})
                else:
                    name = str(next(iter(record.values())))
                    context.output.say(name if quiet else kind.line(context.output.ink, record))
        return 0

    return command


def new(kind: FileKind[Held], about: str, *params: Param, use: str) -> click.Command:
    """The verb that makes a file of values that its options `params` give; `about` is its help, and `use` names the
    command that the file is for."""

    @click.command("new", help=about)
    @click.argument("name", metavar="NAME")
    @options.combine(*params, options.common_options)
    @click.pass_obj
    def command(context: Context, /, name: str, as_json: bool, **values: str) -> int:
        shelf = kind.shelf(context.desk.shelves)
        path = shelf.new(name, values)
        stem, shown = file_stem(path), shelf.store.display_path(path)
        if hidden := shelf.hidden_by(path):
            context.output.warn(f"{stem} is {shown} from now on; it hides that of {hidden}", "shadowed")
        if as_json:
            context.output.print_record(f"{kind.group} new", file=shown)
        else:
            context.output.say(f"made {shown}; edit it, then: crisis {use} {stem}")
        return 0

    return command


def schema(of: Callable[[str], dict[str, Any]], about: str, *params: Param) -> click.Command:
    """The verb that prints the JSON Schema which `of` gives for a system; `about` is its help."""

    @click.command("schema", help=about)
    @options.combine(*params, options.common_options)
    @click.pass_obj
    def command(context: Context, /, as_json: bool, system: str = "") -> int:
        import json

        if as_json:
            context.output.print_json(of(system))
        else:
            context.output.say(*json.dumps(of(system), indent=2, ensure_ascii=False).splitlines())
        return 0

    return command
