"""`crisis save`."""

from __future__ import annotations

import click

from ..context import Context, Dice
from ..engine.events import apply_all
from ..engine.scene import Intent
from ..render import data
from ..sheets import save_sheets
from ..sheets.fighters import numbered
from . import options, run_action


@click.command("save")
@options.here
@click.pass_obj
def command(context: Context, /, as_json: bool) -> int:
    """Save what lasts to the sheets now, as `crisis end` would; the crisis stays open.

    A value edited by hand in a sheet during the crisis is kept, and reported.

    \b
    Example:
      crisis save
    """
    context.open_ledger()
    session = context.sit()
    ledger = session.ledger
    assert ledger is not None
    number = len(ledger.crisis.done) + 1
    entry, _ = run_action.entered(context, Dice(), session, Intent("end"), number)
    after = apply_all(session.scene, entry.events)
    store = context.store()
    allowed = save_sheets.in_reach(store, context.warn, ledger.path.parent)
    before = save_sheets.known(session.system, ledger.crisis)
    plan = save_sheets.planned(store, context.warn, session.system, after, before, allowed)
    written: list[str] = []
    if plan.held:
        # Said before and after: where this is cut short between, what stands in a sheet is no edit by hand.
        ledger = ledger.with_saving(plan.held)
        written = save_sheets.carried_out(store, context.warn, plan.changes, allowed)
        ledger.with_save(plan.held)
        context.recorded = "the save"
    if as_json:
        context.tell({"v": data.VERSION, "action": "save", "written": written, "number": number - 1})
    elif written:
        context.say(f"written into their sheets: {numbered(written)}")
    else:
        context.say("no sheet had to be changed")
    return 0
