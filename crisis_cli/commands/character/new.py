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
from .copy import not_there, stem_of, written


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
@options.here
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
    system = system or (_chosen(context) if asks else "")
    if not name or not system:
        raise Usage("a new sheet needs a name and a system", hint="crisis character new NAME --system 3d6")
    rulebook = load(system)
    not_there(context, stem_of(name))
    sheet: dict[str, Any] = {"name": name, "system": system, "player": not opponent}
    for word in values:
        _put(sheet, word)
    if rulebook.complete_sheet is not None:
        table = Table(Seeded(generator(context.environment.fresh_seed()).random))
        sheet.update(rulebook.complete_sheet(table, sheet))
    if asks:
        sheet.update(_asked(context, rulebook.sheet, dict(sheet), all_of_it=not values))
    path = written(context, stem_of(name), _text(sheet))
    shown = context.store().shown(path)
    if as_json:
        context.print_json({"v": data.VERSION, "file": shown})
    else:
        context.say(f"{shown} is written. Look at it: crisis character show {path.stem}")
    return 0


def _text(sheet: Mapping[str, Any]) -> str:
    import tomli_w

    head = f"# {sheet['name']}: a sheet for crisis. All keys: crisis character schema {sheet['system']}\n\n"
    try:
        return head.replace("\r", " ") + tomli_w.dumps(sheet)
    except ValueError as wrong:
        raise Usage("a number on the sheet is too large to be written") from wrong


def _chosen(context: Context) -> str:
    return context.ask(f"System ({', '.join(names())}): ").strip().lower()


def _put(sheet: dict[str, Any], word: str) -> None:
    """Set a value of the sheet by its dotted key; numbers, true, false and lists as TOML has them, else text."""
    import tomllib

    path, equals, said = word.partition("=")
    if not equals or not path:
        raise Usage(f"--set takes KEY=VALUE, not {word!r}")
    try:
        value = tomllib.loads(f"v = {said}")["v"]
    except (tomllib.TOMLDecodeError, RecursionError, ValueError):
        value = said
    *tables, key = path.split(".")
    place = sheet
    for table in tables:
        place = place.setdefault(table, {})
        if not isinstance(place, dict):
            raise Usage(f"--set {path}: {table} is a value, not a table")
    place[key] = value


def _asked(
    context: Context, schema: Fields, sheet: Mapping[str, Any], all_of_it: bool
) -> Iterator[tuple[str, Any]]:
    """What the player answers for each number of the schema and a first weapon, or only for what is required."""
    for key, field in schema.fields.items():
        if key in sheet or key in ("circumstance", "state", "team", "mind"):
            continue
        if not all_of_it and not field.required:
            continue
        if isinstance(field.kind, Fields) and all(
            isinstance(one.kind, Whole) for one in field.kind.fields.values()
        ):
            if _yes(context, f"{key} ({field.doc})"):
                yield key, {name: _value(context, name, one) for name, one in field.kind.fields.items()}
        elif field.required:
            yield key, _value(context, key, field)
    weapons = schema.fields.get("weapons")
    if all_of_it and weapons and "weapons" not in sheet and _yes(context, "a weapon"):
        kind = getattr(weapons.kind, "kind", None)
        assert isinstance(kind, Fields)
        weapon = context.ask("  its name: ").strip() or "weapon"
        wanted = {
            name: one for name, one in kind.fields.items() if one.required or name in ("damage", "range")
        }
        answers = {name: _value(context, name, one) for name, one in wanted.items()}
        yield "weapons", {weapon: {name: answer for name, answer in answers.items() if answer is not None}}


def _yes(context: Context, what: str) -> bool:
    return context.ask(f"{what}? [Y/n] ").strip().lower() in ("", "y", "yes")


def _value(context: Context, name: str, field: Field) -> Any:
    """An answer that the schema takes; nothing typed is the default."""
    # Some descriptions begin with the name, or are no more than it.
    about = field.doc if field.doc.startswith(name) else f"{name}, {field.doc}"
    while True:
        default = "" if field.default is None else f" [{field.default}]"
        said = context.ask(f"  {about}{default}: ").strip()
        if not said and not field.required:
            return field.default
        value = int(said) if said.lstrip("+-").isascii() and said.lstrip("+-").isdigit() else said
        faults = _faults(field.kind, value)
        if not faults:
            return value
        context.environment.err.write(f"{name} {faults[0].message}\n")


def _faults(kind: Kind, value: Any) -> list[Fault]:
    faults: list[Fault] = []
    kind.read(value, (), faults)
    return faults
