"""`crisis explain`."""

from __future__ import annotations

import click

from .. import rulebooks
from ..completion import Source
from ..context import Context
from ..engine.journal import Crisis
from ..engine.record import Entry
from ..engine.system import System
from ..render import explaining
from ..render.text import legible
from ..systems import load
from . import options
from .log import entry_numbered


@click.command("explain")
@click.argument(
    "number",
    type=click.IntRange(1),
    required=False,
    metavar="[N]",
    shell_complete=Source("names.entry_numbers"),
)
@options.common_options
@click.pass_obj
def command(context: Context, /, number: int | None, as_json: bool) -> int:
    """Explain the last result, or entry N: every modifier and effect with its rule.

    \b
    Examples:
      crisis explain
      crisis explain 7
    """
    crisis = context.desk.journals.latest().crisis
    system = load(crisis.scene.system)
    entry = _last_explainable(crisis, system) if number is None else entry_numbered(crisis, number)
    titles = rulebooks.titles(system.name)
    with legible(entry):
        if as_json:
            context.output.print_json(explaining.record(entry, system, crisis.seed, titles))
        else:
            ink, width = context.output.ink, context.environment.width
            lines = list(explaining.reasons(entry, crisis.scene, system, titles, ink, width))
            context.output.say(*lines, last=int(explaining.IN_SHORT in lines[-1]))
    return 0


def _last_explainable(crisis: Crisis, system: System) -> Entry:
    """The last action of a fighter, or entry with rolls; else the last entry."""
    actions = {name for name, row in system.actions.items() if row.window != "table"}
    explainable = (one for one in reversed(crisis.done) if one.rolls or one.intent.action in actions)
    return next(explainable, crisis.done[-1])
