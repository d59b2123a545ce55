"""Opening a crisis (`init --open`, `play`): sides, positions, surprise and turn order."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import click

from .. import systems
from ..completion import Source
from ..context import Context, Session
from ..engine.journal import header
from ..engine.record import Entry
from ..engine.scene import Fighter, Intent, Scene
from ..errors import Refused, Usage
from ..sheets import journal_file
from ..sheets.find_fighters import find_name
from . import options as shared
from .naming import join_names
from .system_options import GroupedCommand

GREEDY = ("--vs", "--place")
"""Options that take all words up to the next option."""


class SidesCommand(GroupedCommand):
    """A click command in which --vs and --place take all words up to the next option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments after repeating the option before each of its words."""
        # Names are joined first: the option must not be repeated inside one.
        args = join_names(ctx, args)
        spread: list[str] = []
        greedy = ""
        for at, word in enumerate(args):
            if word == "--":
                return super().parse_args(ctx, spread + args[at:])
            if word in GREEDY:
                greedy = word
                if not ctx.resilient_parsing and (at + 1 == len(args) or args[at + 1].startswith("-")):
                    raise click.BadOptionUsage(word[2:], f"{word} needs at least one value.", ctx)
            elif word.startswith("-"):
                greedy = ""
                spread.append(word)
            elif greedy:
                spread += [greedy, word]
            else:
                spread.append(word)
        return super().parse_args(ctx, spread)


place_option = click.option(
    "--place",
    multiple=True,
    metavar="NAME=X,Y...",
    help="Positions of fighters.",
    shell_complete=Source("names.places"),
)
opening_options = shared.combine(
    click.option(
        "--vs",
        multiple=True,
        metavar="WHO...",
        help="Fighters of the other side: every word up to the next option.",
        shell_complete=Source("names.newcomers"),
    ),
    click.option(
        "--surprise",
        multiple=True,
        metavar="NAME",
        help="Fighter who surprises the others; acts alone in round 0.",
        shell_complete=Source("names.anyone"),
    ),
    click.option(
        "--initiator",
        multiple=True,
        metavar="NAME",
        help="Fighter who starts the fight; acts alone in round 0.",
        shell_complete=Source("names.anyone"),
    ),
    click.option("--order", metavar="A,B", help="Order agreed on by fighters who tie."),
    click.option("--group", is_flag=True, help="Copies of one sheet share a roll."),
    place_option,
    shared.of_systems("init"),
)
"""Options for opening a crisis."""


def with_positions(scene: Scene, places: Iterable[str]) -> Scene:
    """The scene with fighters moved to the positions of --place; Usage if one is not NAME=X,Y."""
    fighters = dict(scene.fighters)
    for word in places:
        who, equals, where = word.rpartition("=")
        if not equals:
            raise Usage(f"--place takes NAME=X,Y, not {word!r}")
        name = find_name(scene, who)
        fighters[name] = fighters[name]._replace(at=shared.parse_position(where))
    return scene._replace(fighters=fighters)


def with_one_off_positions(session: Session, places: Iterable[str]) -> Session:
    """The one-off session with fighters at the positions of --place; Usage in a crisis."""
    places = tuple(places)
    if places and session.journal is not None:
        raise Usage("--place is for beginnings and one-offs", hint="in a crisis: crisis set WHO at X,Y")
    return session._replace(scene=with_positions(session.scene, places))


def init_intent(session: Session, names: list[str], given: dict[str, Any]) -> Intent:
    """The intent of rolling for the turn order of these fighters."""
    options = {
        key: value
        for key, value in given.items()
        if key not in ("vs", "place", "surprise", "initiator", "order")
    }
    extra: dict[str, Any] = {}
    for key in ("surprise", "initiator"):
        if given[key]:
            extra[key] = [find_name(session.scene, word) for word in given[key]]
    if given["order"]:
        extra["order"] = [find_name(session.scene, word) for word in given["order"].split(",")]
    values = shared.intent_options(options, session, "init")
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
    from .run_action import make_entry

    has_journal = not given.get("no_journal")
    if has_journal and context.active_journal() is not None:
        raise Refused(
            f"a crisis is open already ({context.file})",
            hint="look at it: crisis status; end it: crisis end",
            code="open",
        )
    groups = (who, given["vs"]) if given["vs"] else (who,)
    system, fighters = context.gather(*groups, decide_sides=bool(given["vs"]))
    names = {one.name: one for one in fighters}
    scene = with_positions(Scene(system.name, names, open=True), given["place"])
    session = Session(system, scene)
    dice = shared.parse_dice_options(given)
    seed = context.environment.fresh_seed() if dice.seed is None else dice.seed
    entry, _ = make_entry(
        context, dice._replace(seed=seed), session, init_intent(session, list(names), given)
    )
    now, package = context.environment.clock(), systems.package(system.name)
    head = header(context.program, system.name, seed, now, scene.fighters.values(), {}, package)
    if given.get("dry_run"):
        return session, entry, seed
    journal = (journal_file.create if has_journal else journal_file.create_in_memory)(
        context.journal_path, context.file, head, entry
    )
    context.last_recorded = f"entry {entry.number}" if has_journal else ""
    return Session(system, journal.crisis.scene, journal), entry, seed


def joining_fighters(
    context: Context, session: Session, who: tuple[str, ...], vs: tuple[str, ...]
) -> list[Fighter]:
    """New fighters for a crisis, on the side of their sheet or, with `vs`, players and opponents.

    Refused if they use another system.
    """
    groups = (who, vs) if vs else (who,)
    system, fighters = context.gather(*groups, decide_sides=bool(vs), taken=session.scene.fighters)
    if system.name != session.system.name:
        raise Refused(
            f"{fighters[0].name} is a {system.name} sheet; this crisis is {session.system.name}",
            code="other_system",
        )
    return fighters
