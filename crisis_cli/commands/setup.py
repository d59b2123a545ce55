"""Opening a crisis (`init --open`, `play`): sides, positions, surprise and turn order."""

from __future__ import annotations

from typing import Any

import click

from ..completion import Source
from ..context import Context
from ..errors import Refused, Usage
from ..play.opening import Opening, create
from . import options as shared
from . import run_action, system_options
from .placing import parsed, place_option
from .terminal import Terminal

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


def read_opening(
    who: tuple[str, ...],
    *,
    vs: tuple[str, ...] = (),
    encounter: str | None = None,
    apart: int | None = None,
    place: tuple[str, ...] = (),
    surprise: tuple[str, ...] = (),
    initiator: tuple[str, ...] = (),
    order: str | None = None,
    doctrine: tuple[str, ...] = (),
    why: str | None = None,
    no_journal: bool = False,
    **options: Any,
) -> Opening:
    """The opening that the options of a command ask for; those of the system are words of its roll.

    Usage where positions cannot be read, or where an encounter is to be played at another distance.
    """
    if encounter and apart is not None:
        raise Usage(
            "--encounter and --apart cannot go together",
            hint="where everybody begins stands in its file: at = …",
            code="conflicting_options",
        )
    ties = tuple(order.split(",")) if order else ()
    doctrines = tuple((fighter, name) for fighter, _, name in (word.rpartition("=") for word in doctrine))
    places, has_journal = parsed(place), not no_journal
    return Opening(
        who,
        vs,
        encounter or "",
        apart,
        places,
        surprise,
        initiator,
        ties,
        doctrines,
        options,
        has_journal,
        why=why or "",
    )


def open_crisis(context: Context, asked: Opening, run: shared.Run) -> int:
    """Open a crisis and show its first entry; the exit status."""
    try:
        done = create(context.desk, asked, run.dice, run.keep, Terminal(context))
    except Refused as refusal:
        if refusal.code == "open" and context.environment.at_prompt:
            refusal.hint = refusal.hint.removeprefix("resume it: crisis play; ")
        raise
    run_action.show_entry(context, done, run.report, run.keep.is_dry)
    return 0
