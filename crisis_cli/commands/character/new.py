"""`crisis character new`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import click

from ...completion import Source
from ...context import Context
from ...dice.table import Seeded, Table, generator
from ...engine.kinds import Fault, Kind, Whole
from ...engine.schema import Field
from ...engine.schema import Section as Fields
from ...errors import Usage
from ...render import data
from ...systems import load, names
from .. import options
from .copy import create_sheet, new_sheet_path, stem_of


@click.command("new")
@click.argument("name", required=False, metavar="[NAME]")
@click.option(
    "--system",
    metavar="SYSTEM",
    help=f"One of {', '.join(names())}.",
    shell_complete=Source("names.systems"),
)
@click.option("--opponent", is_flag=True, help="Make it an opponent (player = false).")
@click.option(
    "--set",
    "values",
    multiple=True,
    metavar="KEY=VALUE",
    help="Set a value of the sheet, for example abilities.might=1.",
)
@options.common_options
@click.pass_obj
def command(
    context: Context,
    /,
    name: str | None,
    system: str | None,
    opponent: bool,
    values: tuple[str, ...],
    as_json: bool,
) -> int:
    """Create a sheet in your characters folder.

    At a terminal it asks for what is not given; with --set, only for required values. Without a terminal NAME and
    --system are required, and no questions are asked.

    \b
    Examples:
      crisis character new
      crisis character new Ada --system 3d6 --set abilities.might=1 --set weapons.club.kind=melee
    """
    asks = context.environment.is_interactive
    name = name or (context.ask("Name: ").strip() if asks else "")
    system = system or (_ask_system(context) if asks else "")
    if not name or not system:
        raise Usage("a new sheet needs a name and a system", hint="crisis character new NAME --system 3d6")
    rulebook = load(system)
    new_sheet_path(context, stem_of(name))
    sheet: dict[str, Any] = {"name": name, "system": system, "player": not opponent}
    for word in values:
        _set_value(sheet, word)
    if rulebook.complete_sheet is not None:
        table = Table(Seeded(generator(context.environment.fresh_seed()).random))
        sheet.update(rulebook.complete_sheet(table, sheet))
    if asks:
        sheet.update(_ask_values(context, rulebook.sheet, dict(sheet), ask_all=not values))
    path = create_sheet(context, stem_of(name), _sheet_text(sheet))
    shown = context.store().display_path(path)
    if as_json:
        context.print_json({"v": data.VERSION, "file": shown})
    else:
        context.say(f"{shown} is written. Look at it: crisis character show {path.stem}")
    return 0


def _sheet_text(sheet: Mapping[str, Any]) -> str:
    import tomli_w

    head = f"# {sheet['name']}: a sheet for crisis. All keys: crisis character schema {sheet['system']}\n\n"
    try:
        return head.replace("\r", " ") + tomli_w.dumps(sheet)
    except ValueError as wrong:
        raise Usage("a number on the sheet is too large to be written") from wrong


def _ask_system(context: Context) -> str:
    return context.ask(f"System ({', '.join(names())}): ").strip().lower()


def _set_value(sheet: dict[str, Any], word: str) -> None:
    """Set a value of the sheet from KEY=VALUE with a dotted key; the value is TOML if it can be, else text."""
    import tomllib

    path, equals, text = word.partition("=")
    if not equals or not path:
        raise Usage(f"--set takes KEY=VALUE, not {word!r}")
    try:
        value = tomllib.loads(f"v = {text}")["v"]
    except (tomllib.TOMLDecodeError, RecursionError, ValueError):
        value = text
    *tables, key = path.split(".")
    place = sheet
    for table in tables:
        place = place.setdefault(table, {})
        if not isinstance(place, dict):
            raise Usage(f"--set {path}: {table} is a value, not a table")
    place[key] = value


def _ask_values(
    context: Context, schema: Fields, sheet: Mapping[str, Any], ask_all: bool
) -> Iterator[tuple[str, Any]]:
    """Ask the player for values of the schema and a first weapon; with `ask_all` false only for required ones."""
    for key, field in schema.fields.items():
        if key in sheet or key in ("circumstance", "state", "team", "mind"):
            continue
        if not ask_all and not field.required:
            continue
        if isinstance(field.kind, Fields) and all(
            isinstance(one.kind, Whole) for one in field.kind.fields.values()
        ):
            if _confirm(context, f"{key} ({field.doc})"):
                yield key, {name: _ask_value(context, name, one) for name, one in field.kind.fields.items()}
        elif field.required:
            yield key, _ask_value(context, key, field)
    weapons = schema.fields.get("weapons")
    if ask_all and weapons and "weapons" not in sheet and _confirm(context, "a weapon"):
        kind = getattr(weapons.kind, "kind", None)
        assert isinstance(kind, Fields)
        weapon = context.ask("  its name: ").strip() or "weapon"
        wanted = {
            name: one for name, one in kind.fields.items() if one.required or name in ("damage", "range")
        }
        answers = {name: _ask_value(context, name, one) for name, one in wanted.items()}
        yield "weapons", {weapon: {name: answer for name, answer in answers.items() if answer is not None}}


def _confirm(context: Context, what: str) -> bool:
    return context.ask(f"{what}? [Y/n] ").strip().lower() in ("", "y", "yes")


def _ask_value(context: Context, name: str, field: Field) -> Any:
    """Ask for one value until the schema accepts it; an empty answer is the default."""
    # A description may begin with the name itself.
    about = field.doc if field.doc.startswith(name) else f"{name}, {field.doc}"
    while True:
        default = "" if field.default is None else f" [{field.default}]"
        text = context.ask(f"  {about}{default}: ").strip()
        if not text and not field.required:
            return field.default
        value = int(text) if text.lstrip("+-").isascii() and text.lstrip("+-").isdigit() else text
        faults = _faults(field.kind, value)
        if not faults:
            return value
        context.environment.err.write(f"{name} {faults[0].message}\n")


def _faults(kind: Kind, value: Any) -> list[Fault]:
    faults: list[Fault] = []
    kind.read(value, (), faults)
    return faults
