"""`crisis undo` and, beside it, `crisis redo`."""

from __future__ import annotations

import click

from ..desk import Desk
from ..errors import Refused
from ..play.record import Entry
from ..sheets.ledger import Ledger
from ..show import data, text
from . import options


@click.command("undo")
@click.argument("count", type=click.IntRange(1, 10_000), default=1, metavar="[N]")
@click.option(
    "--fresh", is_flag=True, help="Let the same action roll new dice; without it they fall as before."
)
@options.here
@click.pass_obj
def command(desk: Desk, /, count: int, fresh: bool, as_json: bool) -> int:
    """Take back the last action, or the last N, whole.

    \b
    Examples:
      crisis undo
      crisis undo 3
    """
    ledger = desk.open_ledger()
    # The first entry opened the crisis: it is ended, not undone.
    if count > len(ledger.crisis.done) - 1:
        left = len(ledger.crisis.done) - 1
        raise Refused(
            f"there {'is 1 action' if left == 1 else f'are {left} actions'} to take back, not {count}",
            hint="to give up the crisis: crisis end --no-save" if not left else f"crisis undo {left}",
            code="nothing_to_undo",
        )
    before = ledger.crisis.done
    ledger = ledger.with_undo(count, fresh)
    for entry in reversed(before[-count:]):
        tell(desk, ledger, entry, "undone", as_json)
    if fresh and not as_json:
        desk.say("the next action re-rolls: new dice")
    return 0


def tell(desk: Desk, ledger: Ledger, entry: Entry, what: str, as_json: bool) -> None:
    """Say which entry was undone or redone."""
    if as_json:
        desk.tell({"v": data.VERSION, what: entry.number, "action": entry.intent.action})
        return
    with text.legible(entry):
        head = text.headline(entry, ledger.crisis.scene, desk.ink) or f"{entry.intent.actor} ends the turn"
    desk.say(f"{what} {entry.number}: {head}")


def needed(ledger: Ledger, count: int) -> None:
    """Usage where there is nothing to redo."""
    left = len(ledger.crisis.taken_back)
    if count > left:
        raise Refused(
            f"there {'is 1 action' if left == 1 else f'are {left} actions'} to redo, not {count}",
            hint="a new action empties what can be redone",
            code="nothing_to_redo",
        )
