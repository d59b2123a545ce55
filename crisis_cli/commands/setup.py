"""Opening a crisis (`init --open`, `play`): sides, positions, surprise and turn order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import click

from .. import systems
from ..completion import Source
from ..context import Context
from ..engine.encounter import encounter_of
from ..engine.encounter_opening import opening_scene
from ..engine.journal import begun, entry_record, header, read_back
from ..engine.record import Entry
from ..engine.scene import Fighter, Intent, Scene, slug
from ..engine.system import System
from ..engine.wording import with_a
from ..errors import Refused, Usage
from ..play.session import Session
from ..sheets import journal_file
from ..sheets.encounter_store import EncounterFile
from ..sheets.find_fighters import find_name
from ..sheets.journal_file import Journal, MemoryJournal
from . import options as shared
from . import system_options
from .placing import deployed, place_option, with_positions

encounters_option = click.option(
    "--encounters",
    metavar="DIR",
    expose_value=False,
    callback=shared.use_path,
    help="Look for encounters in this folder first ($CRISIS_ENCOUNTERS).",
    type=click.Path(file_okay=False),
)
"""The folder of encounters, for the commands that look for them."""
sides_options = (
    click.option(
        "--vs",
        multiple=True,
        metavar="WHO...",
        help="Fighters of the other side: every word up to the next option.",
        shell_complete=Source("names.joining_fighters"),
    ),
    click.option(
        "--surprise",
        multiple=True,
        metavar="NAME",
        help="Fighter who surprises the others; acts alone in round 0.",
        shell_complete=Source("names.all_fighters"),
    ),
    click.option(
        "--initiator",
        multiple=True,
        metavar="NAME",
        help="Fighter who starts the fight; acts alone in round 0.",
        shell_complete=Source("names.all_fighters"),
    ),
    click.option("--order", metavar="A,B", help="Order agreed on by fighters who tie."),
    click.option("--group", is_flag=True, help="Copies of one sheet share a roll."),
    place_option,
    click.option(
        "--encounter",
        metavar="NAME",
        help="Play this encounter; WHO replaces its party.",
        shell_complete=Source("names.encounters"),
    ),
    encounters_option,
)
"""Options that name both sides, and how the fight begins."""
opening_options = shared.combine(
    *sides_options,
    click.option(
        "--doctrine",
        multiple=True,
        metavar="NAME|WHO=NAME",
        help="Doctrine of the fighters after --vs, or of one fighter.",
        shell_complete=Source("actions.doctrines"),
    ),
    shared.override_option,
    system_options.of_systems("init"),
)
"""Options for opening a crisis."""


NOT_ROLLED = (
    *("vs", "place", "doctrine", "reasons", "surprise", "initiator", "order", "apart", "encounter"),
)
"""Options for opening a crisis that are no part of the roll for the turn order."""


def init_intent(session: Session, names: list[str], given: dict[str, Any]) -> Intent:
    """The intent of rolling for the turn order of these fighters."""
    options = {key: value for key, value in given.items() if key not in NOT_ROLLED}
    extra: dict[str, Any] = {}
    for key in ("surprise", "initiator"):
        if given[key]:
            extra[key] = [find_name(session.scene, word) for word in given[key]]
    if given["order"]:
        extra["order"] = [find_name(session.scene, word) for word in given["order"].split(",")]
    values = system_options.intent_options(options, session, "init")
    return Intent("init", "", tuple(names), {**values, **extra})


def open_crisis(context: Context, who: tuple[str, ...], given: dict[str, Any]) -> int:
    """Open a crisis and show its first entry; the exit status."""
    from . import run_action

    session, entry, seed = create_crisis(context, who, given)
    run_action.show_entry(context, session, entry, seed, given)
    return 0


def create_crisis(
    context: Context, who: tuple[str, ...], given: dict[str, Any]
) -> tuple[Session, Entry, int]:
    """Create a crisis; gives its session, first entry and seed. Refused if one is open already.

    With --no-journal it is kept in memory; with --dry-run it is not kept at all.
    """
    from .run_action import following_events, make_entry

    has_journal = not given.get("no_journal")
    if has_journal and context.desk.journals.active() is not None:
        resume = "" if context.environment.at_prompt else "resume it: crisis play; "
        raise Refused(
            f"a crisis is open already ({context.desk.places.file})",
            hint=f"{resume}show it: crisis status; end it: crisis end",
            code="open",
        )
    if has_journal:
        # The sheets of a night that was cut short are written first.
        context.desk.campaigns.story()
        context.desk.campaigns.require_place_for_journal()
    dice = shared.parse_dice_options(given)
    seed = context.environment.fresh_seed() if dice.seed is None else dice.seed
    session, file, as_written = opening_session(context, who, given, seed)
    system, scene, names = session.system, session.scene, session.scene.fighters
    entry, _ = make_entry(
        context, dice._replace(seed=seed), session, init_intent(session, list(names), given)
    )
    now, package = context.environment.clock(), systems.package(system.name)
    played, there = file.record() if file else None, scene.fighters.values()
    changed = [one.name for one in there if one != as_written[one.name]] if file else []
    if played and changed:
        played["changed"] = changed
    head = header(context.desk.world.program, system.name, seed, now, there, {}, package, scene.field, played)
    if given.get("dry_run"):
        return session, entry, seed
    opened = read_back((head, entry_record(entry)), systems.load)
    journal: Journal = MemoryJournal(
        context.desk.places.journal_path, context.desk.places.file, opened.crisis, 0, 0
    )
    # Before anything is written: events may ask for real dice, and the player may give up.
    now_open = session._replace(journal=journal)
    events = tuple(following_events(context, now_open, begun(head), entry, dice.real))
    if has_journal:
        journal = journal_file.create(context.desk.places.journal_path, context.desk.places.file, opened)
    if events:
        journal = journal.with_entry(*events)
    if has_journal:
        context.desk.recorded.append(f"entry {entry.number}")
    return Session(system, journal.crisis.scene, journal), entry, seed


def opening_session(
    context: Context, who: tuple[str, ...], given: dict[str, Any], seed: int
) -> tuple[Session, EncounterFile | None, Mapping[str, Fighter]]:
    """The session before the turn order is rolled for, the file of the encounter that is played, and the fighters as
    they are before options change their positions and doctrines."""
    file = context.desk.shelves.encounters().named(given["encounter"]) if given.get("encounter") else None
    has_foes = bool(given["vs"] or file)
    if file:
        system, scene = encounter_scene(context, file, who, given, seed)
    else:
        groups = (who, given["vs"]) if given["vs"] else (who,)
        system, fighters = context.desk.gather(*groups, decide_sides=has_foes)
        scene = Scene(system.name, {one.name: one for one in fighters}, open=True)
    for one in scene.fighters.values():
        if one.player and one.file and (fallen := system.fallen(one)):
            context.output.warn(
                f"{one.name} is {fallen} on the sheet; to start afresh: crisis character reset {slug(one.name)}",
                "fallen",
            )
    as_written = scene.fighters
    scene = with_doctrines(context, with_positions(scene, given["place"]), given["doctrine"], has_foes)
    if "apart" in given:
        scene = deployed(scene, system.unit, given["apart"])
    return Session(system, scene), file, as_written


def encounter_scene(
    context: Context, file: EncounterFile, who: tuple[str, ...], given: dict[str, Any], seed: int
) -> tuple[System, Scene]:
    """The system of an encounter, and the scene with which it begins: with WHO, or else its own party."""
    if given.get("apart") is not None:
        raise Usage(
            "--encounter and --apart cannot go together",
            hint="where everybody begins stands in its file: at = …",
            code="conflicting_options",
        )
    if given["vs"]:
        raise Usage(
            "--vs and an encounter cannot go together: its opponents are in its file",
            hint=f"make it your own: crisis encounter copy {file.stem}",
            code="conflicting_options",
        )
    sheets = who or tuple(file.values.get("party", {}).get("sheets", ()))
    if not sheets:
        raise Usage(
            f"{file.title} names no party",
            hint=f"say who plays: crisis play {file.stem} WHO…",
            code="missing_argument",
        )
    system, party = context.desk.gather(sheets, decide_sides=True)
    if system.name != file.system.name:
        raise Refused(
            f"{file.title} is for {file.system.name}; {party[0].name} is {with_a(system.name)} sheet",
            hint="all fighters of a crisis use one system",
            code="other_system",
        )
    encounter = encounter_of(file.record()["values"], file.stem)
    return system, opening_scene(system, encounter, file.field, party, file.group_sheets, seed)


def with_doctrines(context: Context, scene: Scene, words: Iterable[str], has_foes: bool) -> Scene:
    """The scene with the doctrines of --doctrine: NAME for everyone after --vs, WHO=NAME for one fighter.

    FileError if there is no such doctrine; Usage for NAME without --vs.
    """
    fighters = dict(scene.fighters)
    for word in words:
        who, equals, name = word.rpartition("=")
        context.desk.shelves.doctrines().named(name)
        if not equals and not has_foes:
            raise Usage(
                "--doctrine NAME is for those after --vs",
                hint=f"for one fighter: --doctrine WHO={name}",
                code="bad_value",
            )
        chosen = (
            [find_name(scene, who)] if equals else [one.name for one in fighters.values() if not one.player]
        )
        for one in chosen:
            fighters[one] = fighters[one]._replace(mind=name)
    return scene._replace(fighters=fighters)


def joining_fighters(
    context: Context, session: Session, who: tuple[str, ...], vs: tuple[str, ...]
) -> list[Fighter]:
    """New fighters for a crisis, on the side of their sheet or, with `vs`, players and opponents.

    Refused if they use another system.
    """
    groups = (who, vs) if vs else (who,)
    system, fighters = context.desk.gather(*groups, decide_sides=bool(vs), taken=session.scene.fighters)
    if system.name != session.system.name:
        raise Refused(
            f"{fighters[0].name} is {with_a(system.name)} sheet; this crisis is {session.system.name}",
            code="other_system",
        )
    return fighters
