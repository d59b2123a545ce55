"""`crisis check`."""

from __future__ import annotations

from typing import Any

import click

from ..completion import Source
from ..context import Context
from ..play import action_words
from ..play.action_words import ActionWords
from ..play.attacking import Planned
from . import options, system_options
from .acting import ActingOnNames


@click.command("check", cls=ActingOnNames)
@click.argument(
    "words", nargs=-1, required=True, metavar="[WHO] SKILL", shell_complete=Source("actions.check_arguments")
)
@click.option("--difficulty", metavar="N", help="Difficulty of the roll.")
@click.option(
    "--vs",
    nargs=2,
    metavar="OTHER SKILL",
    help="Roll against another fighter's skill.",
    shell_complete=Source("names.opposing_skill"),
)
@options.override_option
@system_options.of_systems("check")
@options.dice_options
@options.report_options
@options.common_options
def command(
    context: Context,
    /,
    run: options.Run,
    words: tuple[str, ...],
    vs: tuple[str, str] | None,
    by: str | None,
    **given: Any,
) -> Planned:
    """Roll a check: WHO rolls SKILL, against a difficulty or an opponent's roll.

    In a crisis WHO defaults to the fighter whose turn it is.

    \b
    Examples:
      crisis check jack melee --difficulty 12
      crisis check jack stealth --vs drone perception
    """
    return action_words.check(context.desk, ActionWords(words, by or "", given), vs)
