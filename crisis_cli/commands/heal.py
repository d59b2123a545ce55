"""`crisis heal`."""

from __future__ import annotations

from typing import Any

import click

from ..completion import Source
from ..context import Context
from ..errors import Usage
from ..play.attacking import Planned
from ..play.naming import actor_and_others, is_beside_story, not_their_turn, typed_sheets
from ..play.wording import build_intent, fighters_in_options
from ..sheets.find_fighters import find_name
from . import options, system_options
from .acting import ActingOnNames


class HealCommand(ActingOnNames):
    """The command `heal`, which warns where a treatment is not saved."""

    def perform(self, context: Context, planned: Planned, run: options.Run) -> int:
        """Perform a treatment, and warn that it is beside the story of a campaign; the exit status."""
        status = super().perform(context, planned, run)
        if is_beside_story(context.desk, planned.session) and not (run.keep.is_dry or run.report.quiet):
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

    In a crisis a single name is the patient: the fighter whose turn it is treats them.

    \b
    Examples:
      crisis heal ada
      crisis heal ada jack --item bandage
    """
    who = tuple(dict.fromkeys(who))
    if not who and not by and context.desk.journals.active() is None:
        raise Usage("missing argument: WHO", hint="crisis heal WHO [PATIENT]", code="missing_argument")
    helpers = [word for word in fighters_in_options(words) if word not in who]
    session = context.desk.open_session((by, *who) if by else who, helpers)
    actor, patients = actor_and_others(session, who, by or "")
    if session.journal is None:
        patients = [
            name for name in patients if name not in [find_name(session.scene, word) for word in helpers]
        ]
    turn = session.scene.turn
    if session.journal is not None and turn and not (by or patients) and actor != turn:
        # Of a group that acts together, the one whose turn it is treats the others.
        actor, patients = turn, [actor]
    if session.journal is not None and len(patients) > 1 and not by:
        if not words["force"]:
            raise not_their_turn(actor, patients[0])
        actor, patients = patients[0], patients[1:]
    return Planned(session, build_intent(session, "heal", actor, patients or [actor], words))


def _warn_not_saved(context: Context, planned: Planned) -> None:
    """Say that a treatment beside the story of a campaign was not saved, and how to treat so that it counts."""
    session, intent = planned.session, planned.intent
    if intent.action == session.system.rest:
        way = f"crisis rest {typed_sheets(session)}"
    else:
        way = f"crisis init {typed_sheets(session)} --open, the treatment, crisis end"
    context.output.warn(f"nothing was saved; to treat wounds in the campaign: {way}", "not_saved")
