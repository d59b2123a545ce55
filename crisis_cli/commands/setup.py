"""Opening a crisis (`init --open`, `play`): sides, positions, surprise and turn order."""

from __future__ import annotations

from collections.abc import Mapping
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


def read_opening(who: tuple[str, ...], words: Mapping[str, Any], apart: int | None = 0) -> Opening:
    """The opening that the words of a command ask for; `apart` as in `Opening`.

    Usage where positions cannot be read, or where an encounter is to be played at another distance.
    """
    own = ("vs", "place", "doctrine", "surprise", "initiator", "order", "apart", "encounter", "no_journal")
    if words.get("encounter") and words.get("apart") is not None:
        raise Usage(
            "--encounter and --apart cannot go together",
            hint="where everybody begins stands in its file: at = …",
            code="conflicting_options",
        )
    order = words.get("order")
    doctrines = [word.rpartition("=") for word in words.get("doctrine", ())]
    return Opening(
        who,
        tuple(words.get("vs", ())),
        words.get("encounter") or "",
        apart,
        parsed(words.get("place", ())),
        tuple(words.get("surprise", ())),
        tuple(words.get("initiator", ())),
        tuple(order.split(",")) if order else (),
        tuple((fighter, name) for fighter, _, name in doctrines),
        {key: value for key, value in words.items() if key not in own},
        not words.get("no_journal"),
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
