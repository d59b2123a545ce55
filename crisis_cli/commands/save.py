"""`crisis save`."""

from __future__ import annotations

import os

import click

from ..context import Context
from ..engine.events import apply_all
from ..engine.scene import Intent
from ..play.answers import Answers, Given
from ..play.dice import AUTOMATIC
from ..play.perform import make_entry
from ..render import data
from ..sheets import save_sheets
from ..sheets.fighters import numbered
from . import options


@click.command("save")
@click.option("--quiet", is_flag=True, help="Print only the names of the sheets saved, one per line.")
@options.common_options
@click.pass_obj
def command(context: Context, /, quiet: bool, as_json: bool) -> int:
    """Save wounds, conditions and supplies to the sheets now, as `crisis end` does; the crisis stays open.

    A value edited by hand in a sheet during the crisis is kept, and reported.

    \b
    Example:
      crisis save
    """
    context.desk.journals.require()
    session = context.desk.open_session()
    journal = session.journal
    assert journal is not None
    number = len(journal.crisis.done) + 1
    entry, _ = make_entry(context.desk, AUTOMATIC, session, Intent("end"), Answers(Given()), number)
    after = apply_all(session.scene, entry.events)
    store = context.desk.shelves.sheets()
    allowed = save_sheets.only_in_reach(store, context.output.warn, os.path.dirname(journal.path))
    before = save_sheets.states_before(session.system, journal.crisis)
    plan = save_sheets.plan_changes(store, context.output.warn, session.system, after, before, allowed)
    written: list[str] = []
    if plan.states:
        # Recorded before and after: after a crash in between, the new values are not taken for edits by hand.
        journal = journal.with_saving(plan.states)
        written = save_sheets.write_changes(store, context.output.warn, plan.changes, allowed)
        context.desk.recorded.append("the save")
        journal.with_save(plan.states)
    if as_json:
        context.output.print_json(
            {"v": data.VERSION, "action": "save", "written": written, "number": number - 1}
        )
    elif quiet:
        context.output.say(*written)
    elif written:
        context.output.say(f"sheets saved: {numbered(written)}")
    else:
        context.output.say("no sheet had to be changed")
    return 0
