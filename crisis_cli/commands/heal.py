"""`crisis heal`."""

from __future__ import annotations

from functools import partial
from typing import Any

import click

from ..completion import Source
from ..context import Context
from ..play import action_words
from ..play.action_words import ActionWords
from ..play.attacking import Planned
from ..play.naming import is_beside_story, typed_sheets
from ..play.tending import one_treatment, tend
from . import options, run_action, system_options
from .acting import ActingOnNames
from .terminal import Terminal


class HealCommand(ActingOnNames):
    """The command `heal`: between the fights of a campaign a treatment is care with one try, and warns where it is not
    saved."""

    def perform(self, context: Context, planned: Planned, run: options.Run) -> int:
        """Perform a treatment; the exit status."""
        if not is_beside_story(context.desk, planned.session):
            return super().perform(context, planned, run)
        is_kept = not (run.keep.is_dry or run.keep.saves)
        if is_kept and (treatment := one_treatment(context.desk, planned)):
            show = partial(run_action.show_done, context, run)
            (done,) = tend(context.desk, treatment, run.dice, run.keep, Terminal(context), show)
            return 1 if run.report.exit_status and not done.entry.success else 0
        status = super().perform(context, planned, run)
        if not (run.keep.is_dry or run.report.quiet):
            _warn_not_saved(context, planned)
        return status


@click.command("heal", cls=HealCommand)
@click.argument("who", nargs=-1, metavar="[WHO] [PATIENT]", shell_complete=Source("names.fighters"))
@click.option(
    "--item",
    metavar="NAME",
    help="Item to treat with (default: the first that heals).",
    shell_complete=Source("names.items"),
)
@options.override_option
@system_options.of_systems("heal")
@options.dice_options
@options.report_options
@options.common_options
def command(
    context: Context, /, run: options.Run, who: tuple[str, ...], by: str | None, **words: Any
) -> Planned:
    """Treat wounds: WHO treats PATIENT, or themselves.

    In a crisis a single name is the patient: the fighter whose turn it is treats them. Between the fights of a
    campaign it is one try of crisis tend, and the sheets are written.

    \b
    Examples:
      crisis heal ada
      crisis heal ada jack --item bandage
    """
    return action_words.heal(context.desk, ActionWords(who, by or "", words))


def _warn_not_saved(context: Context, planned: Planned) -> None:
    """Say that a treatment beside the story of a campaign was not saved, and how to treat so that it counts."""
    session, intent = planned.session, planned.intent
    if intent.action == session.system.rest.action:
        way = f"crisis rest {typed_sheets(session)}"
    else:
        way = "crisis tend, with sheets of the campaign"
    context.output.warn(f"nothing was saved; to treat wounds in the campaign: {way}", "not_saved")
