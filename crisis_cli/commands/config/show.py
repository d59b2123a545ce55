"""`crisis config show`."""

from __future__ import annotations

import os
from collections.abc import Iterator

import click
from click.core import ParameterSource

from ...completion import Source
from ...configuration.keys import FLAG, FOLDER, KEYS, NUMBER
from ...configuration.settings import SettingValue, with_system_checked
from ...context import Context
from ...engine.kinds import guess
from ...errors import Usage
from ...sheets.files import path_from
from .. import options


@click.command("show")
@click.argument("key", required=False, metavar="[KEY]", shell_complete=Source("names.setting_keys"))
@options.common_options
@click.pass_context
def command(ctx: click.Context, /, key: str | None, as_json: bool) -> int:
    """Show the settings: each value, and where it is from. With KEY that one alone.

    \b
    Examples:
      crisis config show
      crisis config show color
      crisis config show aliases
    """
    context: Context = ctx.obj
    settings = context.environment.settings
    assert settings is not None
    # A system that is not installed counts for nothing.
    settings = settings._replace(
        user=with_system_checked(settings.user), folder=with_system_checked(settings.folder)
    )
    listed = [_as_given(ctx, context, value) for value in settings.settings()]
    for message in (*settings.void_variables, *_missing_folders(listed, context.environment.cwd)):
        context.output.warn(message, "settings")
    if key:
        names = [*(one.name for one in KEYS), *(value.key for value in listed)]
        listed = [value for value in listed if key.lower() in (value.key, value.key.split(".")[0])]
        if key.lower() not in names:
            raise Usage(
                f"{key!r} is no setting{guess(key, names)}",
                hint="all: crisis config show",
                code="unknown_name",
            )
    ink = context.output.ink
    keys, values = ([ink.padded(text, ink.widest(texts)) for text in texts] for texts in _columns(listed))
    for name, shown, value in zip(keys, values, listed, strict=True):
        if as_json:
            context.output.print_record("config show", **_record(value))
        else:
            context.output.say(f"{name}   {shown}   {_place(value)}")
    return 0


def _missing_folders(listed: list[SettingValue], cwd: str) -> Iterator[str]:
    """What is wrong with each environment variable that names a folder which is not there."""
    kinds = {one.name: one.kind for one in KEYS}
    for value in listed:
        is_named = value.origin == "environment" and kinds.get(value.key) == FOLDER and value.value != "-"
        if is_named and not os.path.isdir(path_from(cwd, value.value)):
            yield f"{value.variable} names a folder that is not there: {value.value}"


def _columns(listed: list[SettingValue]) -> tuple[list[str], list[str]]:
    return [value.key for value in listed], [value.value or "–" for value in listed]


def _as_given(ctx: click.Context, context: Context, value: SettingValue) -> SettingValue:
    """The value, or that of the option that holds above it."""
    places = context.desk.places
    held = {
        "characters": places.characters,
        "campaign": places.campaign_folder or "-",
        "color": "always" if context.output.ink.color else "never",
    }
    sources = {one.get_parameter_source(value.key) for one in (ctx, ctx.find_root())}
    if value.key not in held or ParameterSource.COMMANDLINE not in sources:
        return value
    return SettingValue(value.key, held[value.key], "option")


def _place(value: SettingValue) -> str:
    """Where a value is from."""
    if value.origin == "option":
        return f"(--{value.key})"
    if value.file:
        return f"{value.file}, line {value.line}"
    return f"({value.variable or value.origin})"


def _record(value: SettingValue) -> dict[str, object]:
    """A value as a record."""
    more = {"variable": value.variable} if value.variable else {}
    where = {"file": value.file, "line": value.line} if value.file else {}
    return {"key": value.key, "value": _typed(value), "from": value.origin, **more, **where}


def _typed(value: SettingValue) -> str | int | bool | None:
    """A value as TOML has it: a number, true or false, or text; None for none."""
    kind = next((one.kind for one in KEYS if one.name == value.key), "")
    if kind == FLAG:
        return value.value == "true"
    return int(value.value) if kind == NUMBER and value.value else value.value or None
