"""`crisis act`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from ..completion import Source
from ..context import Context
from ..output import Ranking
from ..play import action_words, move_words
from ..play.action_words import ActionWords
from ..play.attacking import Planned
from ..render import action_list
from ..render.command_text import typed
from . import options, system_options
from .acting import ActingOnNames


@click.command("act", cls=ActingOnNames)
@click.argument(
    "words",
    nargs=-1,
    metavar="[WHO] ACTION [ITEM | TARGET]...",
    shell_complete=Source("actions.action_arguments"),
)
@click.option(
    "--list", "lists", is_flag=True, help="List what WHO can do now, and why the rest is not possible."
)
@click.option("--to", type=options.Position(), metavar="X,Y", help="Position to move to.")
@click.option("--share", is_flag=True, help="Move there even if someone stands there.")
@click.option("--item", metavar="NAME", help="Item to use.", shell_complete=Source("names.items"))
@click.option("--difficulty", metavar="N", help="Difficulty of a test.")
@options.attack_options
@options.override_option
@system_options.of_systems("act")
@options.dice_options
@options.report_options
@options.common_options
def command(
    context: Context,
    /,
    run: options.Run,
    words: tuple[str, ...],
    lists: bool,
    share: bool,
    by: str | None,
    **given: Any,
) -> Planned | int:
    """Take an action: WHO does ACTION, any action of the rules.

    In a crisis WHO defaults to the fighter whose turn it is. ACTION is followed by its item or its targets,
    a move by `toward` and a fighter or a place of the map, by `beside` and a fighter, or by `away`.

    \b
    Examples:
      crisis act jack stand-up
      crisis act draw pistol
      crisis act move --to 3,4
      crisis act move toward drone
      crisis act ada use-item bandage jack
      crisis act --list
      crisis act heal --list
    """
    if lists:
        return _show_list(context, (*words, *([by] if by else [])), run.report)
    planned = action_words.act(context.desk, ActionWords(words, by or "", given), share, not run.is_weighed)
    if context.environment.at_prompt:
        move_words.require_place(planned)
    return planned


def _show_list(context: Context, words: Sequence[str], report: options.Report) -> int:
    """Print the actions a fighter can take now, and the others with why not, or one action; the exit status."""
    output = context.output
    session, who, can, cannot, is_all = action_words.possible(context.desk, words)
    scene, system = session.scene, session.system
    if report.as_json:
        for record in action_list.records(who, can, cannot, scene, system):
            output.print_json(record)
    elif report.quiet:
        output.say(*(typed(scene, one.intent) for one in can))
    else:
        width, folded = context.environment.width, context.environment.at_prompt and is_all
        if folded:
            output.ranking = Ranking(who, action_list.lines(who, can), scene)
        output.say(*action_list.action_list(who, can, cannot, scene, system, output.ink, width, folded))
    return 0
