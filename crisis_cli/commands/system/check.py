"""`crisis system check`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import click

from ... import systems
from ...completion import Source
from ...conformance.system_report import CheckCounts, checked_cases, checked_suite, has_pytest
from ...context import Context
from ...engine.wording import measured
from ...errors import BrokenSystem, FileError
from ...play.own_systems import casebook, systems_to_check
from ...play.system_files import checked_files
from .. import options
from ..progress import broken_off


@click.command("check")
@click.argument("name", required=False, metavar="[NAME]", shell_complete=Source("names.systems"))
@click.option(
    "--cases", metavar="FILE", type=click.Path(), help="The casebook (default: cases.toml of the package)."
)
@click.option(
    "--no-conformance", is_flag=True, help="Leave out the conformance suite, which takes ten seconds or more."
)
@options.quiet_check_option
@options.common_options
@click.pass_obj
def command(
    context: Context,
    /,
    name: str | None,
    cases: str | None,
    no_conformance: bool,
    quiet: bool,
    as_json: bool,
) -> int:
    """Check a rule system: load its rulebook, read its rules.toml and its sheets, run the cases of its casebook and,
    where pytest is installed, the conformance suite. Without NAME: the system of the package in this folder, or else
    those of all installed packages.

    Each step is a line; below it stands what is wrong, a line each, with what to look at. Exit with status 4 if
    something is wrong.

    \b
    Example:
      crisis system check 3d6 --no-conformance
    """
    if cases is not None and not os.path.isfile(os.path.join(context.desk.places.cwd, cases)):
        raise FileError(f"there is no casebook at {cases}", hint="--cases FILE", code="not_found")
    status = 0
    for system in (name,) if name else systems_to_check(context.desk):
        record: dict[str, Any] = {"system": system, "ok": True}
        try:
            systems.load_checked(system)
        except BrokenSystem as broken:
            if as_json or len(broken.mistakes) < 2:
                raise
            context.output.say(f"{system}: cannot be played", *(f"  {line}" for line in broken.lines))
            status = broken.status
            continue
        for said, step in _steps(context, system, cases, not no_conformance):
            record |= step
            wrong = [line for part in step.values() if isinstance(part, dict) for line in part["failed"]]
            record["ok"] = record["ok"] and not wrong
            if not as_json and (wrong or not quiet):
                context.output.say(f"{system}: {said}", *(f"  {line}" for line in wrong))
        if as_json:
            context.output.print_record("system check", **record)
        status = status if record["ok"] else BrokenSystem.status
    return status


def _steps(
    context: Context, name: str, cases: str | None, conforms: bool
) -> Iterator[tuple[str, dict[str, Any]]]:
    """What each step comes to, as a line and as part of the record."""
    system, package = systems.load(name), systems.package(name)
    parts = ((system.actions, "actions"), (system.pools, "pools"), (system.conditions, "conditions"))
    sizes = {word: len(part) for part, word in parts}
    yield f"loads ({package or 'of crisis itself'})", {"package": package or None, **sizes}
    files = checked_files(system, context.desk.places.cwd)
    mistakes = f", {measured(len(files.failed), 'mistakes')}" if files.failed else ""
    said = f"{measured(files.rules, 'rules')} and {measured(files.sheets, 'sheets')} read{mistakes}"
    yield said, {"files_read": files._asdict()}
    path = os.path.join(context.desk.places.cwd, cases) if cases else casebook(context.desk, name)
    if path:
        result = checked_cases(name, path)
        yield f"{_summary(result)} in {os.path.basename(path)}", {"cases": {"file": path, **result._asdict()}}
    else:
        yield "no casebook; to name one: --cases FILE", {"cases": None}
    if not conforms:
        return
    if not has_pytest():
        yield "conformance suite not run: pip install pytest", {"conformance": None}
        return
    with broken_off(context, "stopped in the conformance suite"):
        result = checked_suite(name, path)
    yield f"{_summary(result)} in the conformance suite", {"conformance": result._asdict()}


def _summary(result: CheckCounts) -> str:
    failed = f", {len(result.failed)} failed" if result.failed else ""
    skipped = f", {result.skipped} skipped" if result.skipped else ""
    return f"{result.passed} passed{failed}{skipped}"
