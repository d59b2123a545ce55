"""Opening a crisis: who is on which side, where they stand, who is surprised (`init --open`, `play`)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import click

from .. import systems
from ..completion import Source
from ..context import Context, Session
from ..engine.journal import header
from ..engine.scene import Fighter, Intent, Scene
from ..errors import Refused, Usage
from ..sheets import journal_file
from ..sheets.find_fighters import named
from . import options as shared
from .naming import with_names_joined
from .system_options import Grouped

GREEDY = ("--vs", "--place")
"""Options that take every bare word up to the next option."""


class Sided(Grouped):
    """A command in which every bare word after `--vs`, up to the next option, is of that side."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """The arguments with the option repeated before each of its words."""
        # Before the options are repeated: a name of several words stands behind one of them.
        args = with_names_joined(ctx, args)
        spread: list[str] = []
        greedy = ""
        for at, word in enumerate(args):
            if word == "--":
                return super().parse_args(ctx, spread + args[at:])
            if word in GREEDY:
                greedy = word
                if not ctx.resilient_parsing and (at + 1 == len(args) or args[at + 1].startswith("-")):
                    raise click.BadOptionUsage(word[2:], f"{word} wants at least one word after it.", ctx)
            elif word.startswith("-"):
                greedy = ""
                spread.append(word)
            elif greedy:
                spread += [greedy, word]
            else:
                spread.append(word)
        return super().parse_args(ctx, spread)


placing = click.option(
    "--place",
    multiple=True,
    metavar="NAME=X,Y...",
    help="Positions of fighters.",
    shell_complete=Source("names.places"),
)
opening = shared.stacked(
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
    placing,
    shared.of_systems("init"),
)
"""The options of a beginning."""


def placed(scene: Scene, places: Iterable[str]) -> Scene:
    """The scene with fighters where `--place` puts them."""
    fighters = dict(scene.fighters)
    for word in places:
        who, equals, where = word.rpartition("=")
        if not equals:
            raise Usage(f"--place takes NAME=X,Y, not {word!r}")
        name = named(scene, who)
        fighters[name] = fighters[name]._replace(at=shared.place(where))
    return scene._replace(fighters=fighters)


def standing(session: Session, places: Iterable[str]) -> Session:
    """The sitting of a one-off with fighters where `--place` puts them; Usage in a crisis, where they stand."""
    places = tuple(places)
    if places and session.journal is not None:
        raise Usage("--place is for beginnings and one-offs", hint="in a crisis: crisis set WHO at X,Y")
    return session._replace(scene=placed(session.scene, places))


def intent(session: Session, names: list[str], given: dict[str, Any]) -> Intent:
    """The intent of rolling for the turn order."""
    said = {
        key: value
        for key, value in given.items()
        if key not in ("vs", "place", "surprise", "initiator", "order")
    }
    extra: dict[str, Any] = {}
    for key in ("surprise", "initiator"):
        if given[key]:
            extra[key] = [named(session.scene, word) for word in given[key]]
    if given["order"]:
        extra["order"] = [named(session.scene, word) for word in given["order"].split(",")]
    wanted = shared.heeded(said, session, "init")
    return Intent("init", "", tuple(names), {**wanted, **extra})


def open_crisis(context: Context, who: tuple[str, ...], given: dict[str, Any]) -> int:
    """Open a crisis, and show how it begins."""
    from . import run_action

    session, entry, seed = opened(context, who, given)
    run_action.show(context, session, entry, seed, given)
    return 0


def opened(context: Context, who: tuple[str, ...], given: dict[str, Any]) -> tuple[Session, Any, int]:
    """The sitting of a new crisis, its first entry and its seed; Refused where one is open."""
    from .run_action import entered

    kept = not given.get("no_journal")
    if kept and context.active_journal() is not None:
        raise Refused(
            f"a crisis is open already ({context.file})",
            hint="look at it: crisis status; end it: crisis end",
            code="open",
        )
    groups = (who, given["vs"]) if given["vs"] else (who,)
    system, fighters = context.gather(*groups, decide_sides=bool(given["vs"]))
    names = {one.name: one for one in fighters}
    scene = placed(Scene(system.name, names, open=True), given["place"])
    session = Session(system, scene)
    how = shared.dice(given)
    seed = context.environment.fresh_seed() if how.seed is None else how.seed
    entry, _ = entered(context, how._replace(seed=seed), session, intent(session, list(names), given))
    now, package = context.environment.clock(), systems.package(system.name)
    head = header(context.program, system.name, seed, now, scene.fighters.values(), {}, package)
    if given.get("dry_run"):
        return session, entry, seed
    found = (journal_file.opened if kept else journal_file.unwritten)(
        context.journal_path, context.file, head, entry
    )
    context.last_recorded = f"entry {entry.number}" if kept else ""
    return Session(system, found.crisis.scene, found), entry, seed


def newcomers(context: Context, session: Session, who: tuple[str, ...], vs: tuple[str, ...]) -> list[Fighter]:
    """The fighters who join: of the sides their sheets say, or as `--vs` decides."""
    groups = (who, vs) if vs else (who,)
    system, fighters = context.gather(*groups, decide_sides=bool(vs), taken=session.scene.fighters)
    if system.name != session.system.name:
        raise Refused(
            f"{fighters[0].name} is a {system.name} sheet; this crisis is {session.system.name}",
            code="other_system",
        )
    return fighters
