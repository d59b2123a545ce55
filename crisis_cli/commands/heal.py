"""`crisis heal`."""

from __future__ import annotations

from typing import Any

import click

from ..completion import Source
from ..context import Context
from ..engine.scene import Intent
from ..errors import Usage
from ..play.session import Session
from ..sheets.find_fighters import find_name
from . import options, run_action, system_options


@click.command("heal", cls=system_options.GroupedCommand)
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
@click.pass_obj
def command(context: Context, /, who: tuple[str, ...], **given: Any) -> int:
    """Treat wounds: WHO treats PATIENT, or themselves.

    In a crisis a single name is the patient: the fighter whose turn it is treats them.

    \b
    Examples:
      crisis heal ada
      crisis heal ada jack --item bandage
    """
    who = tuple(dict.fromkeys(who))
    if not who and not given["by"] and context.desk.journals.active() is None:
        raise Usage("missing argument: WHO", hint="crisis heal WHO [PATIENT]", code="missing_argument")
    helpers = [word for word in system_options.fighters_in_options(given) if word not in who]
    session = context.desk.open_session((given["by"], *who) if given["by"] else who, helpers)
    actor, patients = run_action.actor_and_others(session, who, given["by"])
    if session.journal is None:
        patients = [
            name for name in patients if name not in [find_name(session.scene, word) for word in helpers]
        ]
    turn = session.scene.turn
    if session.journal is not None and turn and not (given["by"] or patients) and actor != turn:
        # Of a group that acts together, the one whose turn it is treats the others.
        actor, patients = turn, [actor]
    if session.journal is not None and len(patients) > 1 and not given["by"]:
        if not given["force"]:
            raise run_action.not_their_turn(actor, patients[0])
        actor, patients = patients[0], patients[1:]
    intent = run_action.build_intent(session, "heal", actor, patients or [actor], given)
    status = run_action.carry_out(context, session, intent, given)
    if run_action.is_beside_story(context, session) and not (given["dry_run"] or given["quiet"]):
        _warn_not_saved(context, session, intent)
    return status


def _warn_not_saved(context: Context, session: Session, intent: Intent) -> None:
    """Say that a treatment beside the story of a campaign was not saved, and how to treat so that it counts."""
    if context.intent_handler is not None:
        return
    if intent.action == session.system.rest:
        way = f"crisis rest {run_action.typed_sheets(session)}"
    else:
        way = f"crisis init {run_action.typed_sheets(session)} --open, the treatment, crisis end"
    context.output.warn(f"nothing was saved; to treat wounds in the campaign: {way}", "not_saved")
