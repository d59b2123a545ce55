"""`crisis init`."""

from __future__ import annotations

from typing import Any

import click

from ..completion import Source
from ..context import Context
from ..engine.scene import Scene
from ..errors import Usage
from ..play.attacking import Planned
from ..play.opening import init_intent
from ..play.party import those_who_play
from ..play.session import Session
from ..sheets.files import exists
from ..sheets.find_fighters import find_name
from . import options, setup
from .acting import ActingOnSides
from .placing import with_apart_told


@click.command("init", cls=ActingOnSides)
@click.argument("who", nargs=-1, metavar="[WHO]...", shell_complete=Source("names.fighters"))
@setup.opening_options
@click.option(
    "--apart",
    type=options.CountRange(0, 1_000),
    metavar="N",
    help="With --open: put the sides in two rows, N units of the system apart (default, and 0: no positions).",
)
@click.option("--open", "opens", is_flag=True, help="Open a crisis with this order.")
@options.dice_options
@options.report_options
@options.common_options
def command(
    context: Context,
    /,
    run: options.Run,
    who: tuple[str, ...],
    opens: bool,
    apart: int | None,
    by: str | None,
    vs: tuple[str, ...],
    encounter: str | None,
    surprise: tuple[str, ...],
    initiator: tuple[str, ...],
    place: tuple[str, ...],
    **given: Any,
) -> Planned | int:
    """Roll for the turn order; with --open, open a crisis. --encounter NAME opens an encounter.

    In a campaign WHO is its party where a crisis is opened and only --vs or --encounter is given.

    \b
    Examples:
      crisis init jack drone:3
      crisis init jack --vs drone:3 --open
      crisis init jack --vs drone --open --surprise jack --place jack=0,0 drone=12,0
      crisis init ada jack --vs drone:2 --open --apart 12
      crisis init --encounter bridge
    """
    if opens or encounter:
        who = those_who_play(context.desk, who, bool(vs or encounter))
        if not who and not encounter:
            raise _nobody()
        asked = setup.read_opening(
            who,
            vs=vs,
            encounter=encounter,
            apart=apart,
            place=place,
            surprise=surprise,
            initiator=initiator,
            **given,
        )
        asked = with_apart_told(context, asked)
        # Without a distance nobody gets a position, as ever.
        return setup.open_crisis(context, asked._replace(apart=asked.apart or 0), run)
    if not who:
        raise _nobody()
    groups = (who, vs) if vs else (who,)
    if exists(context.desk.places.journal_path) and not vs:
        session = context.desk.open_session(*groups)
        names = [find_name(session.scene, word) for word in who]
        scene = Scene(session.system.name, {name: session.scene.fighters[name] for name in names})
    else:
        system, fighters = context.desk.gather(*groups, decide_sides=bool(vs))
        names = [one.name for one in fighters]
        session = Session(system, Scene(system.name, {one.name: one for one in fighters}))
        scene = session.scene
    if surprise or initiator or place or apart is not None:
        raise Usage(
            "--surprise, --initiator, --place and --apart begin a crisis",
            hint="add --open",
            code="needs_open",
        )
    session = Session(session.system, scene)
    intent = init_intent(session, names, setup.read_opening(who, vs=vs, **given))
    return Planned(session, intent)


def _nobody() -> Usage:
    return Usage(
        "missing argument: WHO", hint="list the sheets: crisis character list", code="missing_argument"
    )
