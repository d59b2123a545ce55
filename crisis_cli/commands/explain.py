"""`crisis explain`."""

from __future__ import annotations

import click

from .. import rulebooks
from ..completion import Source
from ..context import Context
from ..errors import Refused
from ..play import telling
from ..render import explaining
from ..render.text import legible
from ..systems import load
from . import options


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
    """Explain the last result, or entry N: every modifier and effect with its rule. Between the fights of a campaign it
    is one of its story.

    \b
    Examples:
      crisis explain
      crisis explain 7
    """
    try:
        crisis = context.desk.journals.latest().crisis
    except Refused:
        story = context.desk.campaigns.story()
        if story is None:
            raise
        crisis = story.crisis
    system = load(crisis.scene.system)
    entry = telling.last_explainable(crisis) if number is None else telling.entry_numbered(crisis, number)
    titles = rulebooks.titles(system.name)
    with legible(entry):
        if as_json:
            context.output.print_json(explaining.record(entry, system, crisis.seed, titles))
        else:
            ink, width = context.output.ink, context.environment.width
            lines = list(explaining.reasons(entry, crisis.scene, system, titles, ink, width))
            context.output.say(*lines, last=int(explaining.IN_SHORT in lines[-1]))
    return 0
