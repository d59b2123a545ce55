"""`crisis config edit`."""

from __future__ import annotations

import shlex
import subprocess

import click

from ...configuration.files import user_file, with_tilde
from ...configuration.keys import ALIASES, KEYS, USER
from ...context import Context
from ...errors import FileError, Refused
from ...sheets.files import create, exists
from .. import options
from .check import check_files


@click.command("edit")
@options.common_options
@click.pass_obj
def command(context: Context, /, as_json: bool) -> int:
    """Open config.toml in your editor ($VISUAL, $EDITOR, or the setting editor), then check it. Where there is no file
    yet, it is made with every key commented out.

    \b
    Example:
      crisis config edit
    """
    environment = context.environment
    if environment.in_script:
        raise Refused("a script opens no editor", hint="type it: crisis config edit", code="not_in_a_script")
    path = user_file(environment.env)
    shown = with_tilde(path, environment.env)
    if not exists(path):
        create(path, template(), shown, "settings", "set $CRISIS_CONFIG")
    settings = environment.settings
    assert settings is not None
    (editor,) = (one.value for one in settings.settings() if one.key == "editor")
    try:
        done = subprocess.run([*shlex.split(editor), path], check=False)
    except (OSError, ValueError) as error:
        raise FileError(
            f"the editor {editor!r} cannot be started: {error}", hint="set $EDITOR", code="no_editor"
        ) from error
    if done.returncode:
        raise FileError(f"the editor {editor!r} failed: its status is {done.returncode}", code="no_editor")
    return check_files(context, "config edit", False, as_json)


def template() -> str:
    """A file of settings in which every key is commented out."""
    lines = ["# The settings of crisis: see crisis-config(1). What holds, and why: crisis config show"]
    for key in KEYS:
        if set(USER) & {*key.files} and key.kind != ALIASES:
            lines += [
                "",
                f"# {key.about.replace('`', '')} Values: {key.values}.",
                f"# {key.name} = {key.example}",
            ]
    lines += ["", "# [aliases]", '# snipe = "attack --weapon rifle"']
    return "\n".join(lines) + "\n"
