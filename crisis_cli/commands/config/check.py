"""`crisis config check`."""

from __future__ import annotations

import click

from ...aliases import with_aliases_checked
from ...configuration.settings import settings_of, with_system_checked
from ...context import Context
from ...errors import FileError
from .. import options


@click.command("check")
@options.quiet_check_option
@options.common_options
@click.pass_obj
def command(context: Context, /, quiet: bool, as_json: bool) -> int:
    """Check config.toml, and the .crisis.toml of this folder: every fault is a line. Exit with status 4 if there is
    one.

    \b
    Example:
      crisis config check
    """
    return check_files(context, "config check", quiet, as_json)


def check_files(context: Context, action: str, quiet: bool, as_json: bool) -> int:
    """Print what is wrong with the files of settings as they are now; the exit status."""
    environment, status = context.environment, 0
    settings = settings_of(environment.env, environment.cwd)
    for file in (settings.user, settings.folder):
        checked = with_aliases_checked(with_system_checked(file))
        if checked.faults:
            status = FileError.status
        if as_json:
            faults = [
                {
                    "file": checked.shown,
                    **({"line": line} if line else {}),
                    **({"key": key} if key else {}),
                    "message": message,
                }
                for key, line, message in checked.faults
            ]
            context.output.print_record(action, file=checked.shown, ok=not faults, faults=faults)
        elif checked.faults:
            context.output.say(*(message for _, _, message in checked.faults))
        elif checked.exists and not quiet:
            context.output.say(f"{checked.shown}: all right")
    if not (quiet or as_json or settings.user.exists):
        context.output.say(f"{settings.user.shown}: no file; to make one: crisis config edit")
    return status
