"""`crisis redo`."""

from __future__ import annotations

import click

from ..context import Context
from ..sheets.save_sheets import finish_end
from . import options
from .run_action import planned_ending
from .undo import require_redoable, show_undone


@click.command("redo")
@click.argument("count", type=click.IntRange(1, 10_000), default=1, metavar="[N]")
@options.common_options
@click.pass_obj
def command(context: Context, /, count: int, as_json: bool) -> int:
    """Redo the last action undone, with the same dice.

    \b
    Example:
      crisis redo
    """
    journal = context.require_journal()
    require_redoable(journal, count)
    before = journal.crisis.taken_back
    last, sheets = before[-count], None
    if last.intent.action == "end":
        crisis = journal.crisis
        for _ in range(count - 1):
            crisis = crisis.redo()
        journal = journal.with_redo(count, planned_ending(context, journal._replace(crisis=crisis), last))
        sheets = finish_end(context.store(), context.warn, journal).written
    else:
        journal = journal.with_redo(count)
    context.last_recorded = "the redo"
    for entry in reversed(before[-count:]):
        show_undone(context, journal, entry, "redone", as_json, sheets if entry is last else None)
    return 0
