"""`crisis character new`."""

from __future__ import annotations

import click

from ...completion import Source
from ...context import Context
from ...dice.generator import generator
from ...errors import FileError, Usage
from ...sheets import archetypes
from ...sheets.check import Sheet, read, require_usable_name
from ...sheets.files import file_stem
from ...sheets.overrides import set_value
from ...sheets.sheet_store import SheetStore
from ...sheets.toml_patch import amend
from ...systems import load, names
from .. import options
from .interview import NONE, Interview, ask_one, ask_until, ask_yes


@click.command("new")
@click.argument("name", required=False, metavar="[NAME]")
@options.system_option(f"One of {', '.join(names())}.")
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
    random, shelf = generator(seed).random, context.desk.shelves.characters()
    asks = context.environment.is_interactive and not at_random
    if name:
        shelf.new_path(shelf.stem(name))
    elif asks:
        name = ask_until(context, "Name, such as Ada: ", lambda answer: _usable_name(shelf, answer))
    elif at_random:
        name = archetypes.unused_name(shelf.store, random)
    usual = "" if system else options.preset_system(context)
    template = archetypes.find(shelf.store, like, system or "", usual) if like else None
    if template:
        system = template.values["system"]
    system = system or usual
    if asks and not system:
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
        template = archetypes.any_template(shelf.store, system, random)
    sheet = {**(template.raw if template else {}), "name": name, "system": system}
    sheet.pop("state", None)
    is_player = sheet.get("player", True) and not at_random and not opponent
    sheet["player"] = (
        ask_yes(context, f"Will you play {name} yourself?", is_player) if asks_all else is_player
    )
    level = power or archetypes.ORDINARY
    if at_random or power:
        sheet = archetypes.with_power(rulebook, sheet, level, at_random, random)
    for word in values:
        set_value(sheet, word)
    rolled = archetypes.rolled(rulebook, sheet, random)
    if asks and (template is None or (asks_all and ask_yes(context, "Change its values?", False))):
        interview = Interview(context, rulebook, archetypes.samples(shelf.store, system))
        interview.fill(sheet, all_values=asks_all, left_out=rolled)
        # They may follow from what was answered.
        rolled = archetypes.rolled(rulebook, sheet, random)
    sheet.update(rolled)
    text = (amend(template.text, sheet) if template else None) or shelf.text_of_new(name, sheet)
    if at_random and template:
        origin = f"made at random from {file_stem(template.path)}: power {level}, seed {seed}"
        text = f"# {name}, {origin}.\n{text}"
    path = shelf.create(shelf.stem(name), text)
    shown = shelf.store.display_path(path)
    if as_json:
        seeds = {"seed": seed} if at_random else {}
        context.output.print_record("character new", file=shown, **seeds)
    else:
        context.output.say(f"{shown} is written. Look at it: crisis character show {file_stem(path)}")
    return 0


def _usable_name(shelf: SheetStore, name: str) -> str:
    """A name for a new sheet; Usage if commands could not say it, or if there is a sheet of that name."""
    require_usable_name(name)
    try:
        shelf.new_path(shelf.stem(name))
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
