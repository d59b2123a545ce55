"""`crisis redo`."""

from __future__ import annotations

import click

from ..context import Context
from ..sheets.save_sheets import finish
from . import options
from .run_action import ending_by
from .undo import needed, tell


@click.command("redo")
@click.argument("count", type=click.IntRange(1, 10_000), default=1, metavar="[N]")
@options.here
@click.pass_obj
def command(context: Context, /, count: int, as_json: bool) -> int:
    """Redo the last action undone, with the same dice.

    \b
    Example:
      crisis redo
    """
    ledger = context.open_ledger()
    needed(ledger, count)
    before = ledger.crisis.taken_back
    last, sheets = before[-count], None
    if last.intent.action == "end":
        crisis = ledger.crisis
        for _ in range(count - 1):
            crisis = crisis.redo()
        ledger = ledger.with_redo(count, ending_by(context, ledger._replace(crisis=crisis), last))
        sheets = finish(context.store(), context.warn, ledger).written
    else:
        ledger = ledger.with_redo(count)
    context.recorded = "the redo"
    for entry in reversed(before[-count:]):
        tell(context, ledger, entry, "redone", as_json, sheets if entry is last else None)
    return 0
