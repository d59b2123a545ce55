"""`crisis character new`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any

import click

from ...completion import Source
from ...context import Context
from ...dice.generator import Seeded, generator
from ...dice.table import Table
from ...engine.system import System
from ...errors import CrisisError, FileError, Usage
from ...render import data
from ...sheets import archetypes
from ...sheets.check import Sheet, read, require_usable_name
from ...sheets.files import file_stem, stem_of
from ...sheets.new_sheet import sheet_text
from ...sheets.overrides import set_value
from ...sheets.store import Store, values_in
from ...sheets.toml_patch import amend
from ...systems import load, names
from .. import options
from .copy import create_sheet, new_sheet_path
from .interview import NONE, Interview, ask_one, ask_until, ask_yes


@click.command("new")
@click.argument("name", required=False, metavar="[NAME]")
@click.option(
    "--system",
    metavar="SYSTEM",
    help=f"One of {', '.join(names())}.",
    shell_complete=Source("names.systems"),
)
@click.option(
    "--like",
    metavar="WHO",
    help="Begin as a copy of this archetype or sheet.",
    shell_complete=Source("names.archetypes"),
)
@click.option("--random", "at_random", is_flag=True, help="Make a random opponent, without questions.")
@click.option(
    "--power",
    type=click.IntRange(1, 6),
    metavar="N",
    help="How strong it is, 1 to 6 (default: 2, an ordinary opponent).",
)
@click.option("--seed", type=options.SEED, metavar="N", help="Seed for --random.")
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
    like: str | None,
    at_random: bool,
    power: int | None,
    seed: int | None,
    opponent: bool,
    values: tuple[str, ...],
    as_json: bool,
) -> int:
    """Create a sheet in your characters folder.

    At a terminal it asks for what is not given; with --like or --set, only for required values. Without a terminal
    NAME and --system are required, and no questions are asked.

    \b
    Examples:
      crisis character new
      crisis character new Rolf --system 3d6 --like brawler
      crisis character new --random --system step --power 2
      crisis character new Ada --system 3d6 --set abilities.might=1 --set weapons.club.kind=melee
    """
    if power is not None and not (like or at_random):
        raise Usage("--power needs --random or --like", code="bad_value")
    seed = context.environment.fresh_seed() if seed is None else seed
    random, store = generator(seed).random, context.desk.shelves.sheets()
    asks = context.environment.is_interactive and not at_random
    if name:
        new_sheet_path(context, stem_of(name))
    elif asks:
        name = ask_until(context, "Name, such as Ada: ", lambda answer: _usable_name(context, answer))
    elif at_random:
        name = archetypes.unused_name(store, random)
    template = archetypes.find(store, like, system or "") if like else None
    if template:
        system = template.values["system"]
    elif asks and not system:
        system = ask_one(context, "System", names(), names()[0])
    if not name or not system:
        raise Usage(
            "a new sheet needs a name and a system",
            hint="crisis character new NAME --system 3d6",
            code="missing_argument",
        )
    rulebook = load(system)
    asks_all = asks and not (template or values)
    if asks_all:
        template = _ask_archetype(context, system)
    elif at_random and template is None:
        template = _any_template(store, system, random)
    sheet = {**(template.raw if template else {}), "name": name, "system": system}
    sheet.pop("state", None)
    is_player = sheet.get("player", True) and not at_random and not opponent
    sheet["player"] = (
        ask_yes(context, f"Will you play {name} yourself?", is_player) if asks_all else is_player
    )
    if at_random or power:
        sheet = _with_power(rulebook, sheet, power or archetypes.ORDINARY, at_random, random)
    for word in values:
        set_value(sheet, word)
    rolled = _rolled(rulebook, sheet, random)
    if asks and (template is None or (asks_all and ask_yes(context, "Change its values?", False))):
        interview = Interview(context, rulebook, _samples(store, system))
        interview.fill(sheet, all_values=asks_all, left_out=rolled)
        # They may follow from what was answered.
        rolled = _rolled(rulebook, sheet, random)
    sheet.update(rolled)
    text = (amend(template.text, sheet) if template else None) or sheet_text(sheet, rulebook.sheet)
    if at_random and template:
        level = power or archetypes.ORDINARY
        text = (
            f"# {name}, made at random from {file_stem(template.path)}: power {level}, seed {seed}.\n{text}"
        )
    path = create_sheet(context, stem_of(name), text)
    shown = store.display_path(path)
    if as_json:
        context.output.print_json(
            {
                "v": data.VERSION,
                "action": "character new",
                "file": shown,
                **({"seed": seed} if at_random else {}),
            }
        )
    else:
        context.output.say(f"{shown} is written. Look at it: crisis character show {file_stem(path)}")
    return 0


def _usable_name(context: Context, name: str) -> str:
    """A name for a new sheet; Usage if commands could not say it, or if there is a sheet of that name."""
    require_usable_name(name)
    try:
        new_sheet_path(context, stem_of(name))
    except FileError as error:
        raise Usage(f"{error.message}: {error.hint}", code="bad_value") from error
    return name


def _ask_archetype(context: Context, system: str) -> Sheet | None:
    """The archetype that the player chooses to begin with; None for none, and where the system has none."""
    paths = {file_stem(path): path for path in archetypes.archetypes(system)}
    if not paths:
        return None
    chosen = ask_one(context, "Begin as", (*paths, NONE), next(iter(paths)))
    return read(paths[chosen], chosen) if chosen != NONE else None


def _any_template(store: Store, system: str, random: Callable[[], float]) -> Sheet:
    """An archetype of a system, or a sheet that comes with it; Usage where there is neither."""
    paths = archetypes.archetypes(system) or [path for path, _ in _sheets_of(store, system, own=False)]
    if not paths:
        raise Usage(
            f"{system} has no archetypes",
            hint="begin as a sheet: crisis character new --like WHO --random",
            code="bad_value",
        )
    path = paths[int(random() * len(paths))]
    return read(path, store.display_path(path))


def _sheets_of(store: Store, system: str, *, own: bool) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The sheets of a system in reach, with their raw values; one's own among them if `own`."""
    for folder, path in store.all():
        if own or not folder.is_writable:
            with suppress(CrisisError):
                raw = values_in(path)
                if raw.get("system") == system:
                    yield path, raw


def _samples(store: Store, system: str) -> list[Mapping[str, Any]]:
    """The sheets of a system that give the examples: its archetypes, and those in reach."""
    own = [values_in(path) for path in archetypes.archetypes(system)]
    return [*own, *(raw for _, raw in _sheets_of(store, system, own=True))]


def _with_power(
    system: System, sheet: dict[str, Any], power: int, at_random: bool, random: Callable[[], float]
) -> dict[str, Any]:
    """The sheet made as strong as wanted, and at random a little different; Usage if its system does not say how."""
    rules = archetypes.power_of(system.name)
    if rules is None:
        if power != archetypes.ORDINARY:
            raise Usage(
                f"{system.name} does not say what power changes", hint="leave --power out", code="bad_value"
            )
        return sheet
    for steps in (*((1, -1) if at_random else ()), power - archetypes.ORDINARY):
        sheet = archetypes.varied(system, sheet, rules.changes, steps, random)
    return {key: value for key, value in sheet.items() if not (at_random and key in rules.rolled)}


def _rolled(system: System, sheet: Mapping[str, Any], random: Callable[[], float]) -> Mapping[str, Any]:
    """The values of a sheet that dice decide when it is made."""
    return system.complete_sheet(Table(Seeded(random)), sheet) if system.complete_sheet else {}
