"""`crisis undo` and, beside it, `crisis redo`."""

from __future__ import annotations

import click

from ..context import Context
from ..play import history
from ..play.history import HistoryChange
from ..render import data, text
from ..systems import load
from . import options

quiet_option = click.option(
    "--quiet", is_flag=True, help="Print only the numbers of the entries, one per line."
)


@click.command("undo")
@click.argument("count", type=click.IntRange(1, 10_000), default=1, metavar="[N]")
@click.option(
    "--fresh", is_flag=True, help="Roll new dice for the same action (default: the same dice as before)."
)
@click.option(
    "--mine",
    is_flag=True,
    help="Go back to before your own last action; opponents' turns since are undone too.",
)
@quiet_option
@options.common_options
@click.pass_obj
def command(context: Context, /, count: int, fresh: bool, mine: bool, quiet: bool, as_json: bool) -> int:
    """Undo the last action, or the last N.

    If no crisis is open, the end of the last one is undone: the crisis is open again, and the sheets
    are as they were before. A sheet changed since is left as it is, with a warning. In a campaign a night of rest
    or a note after that fight is undone first.

    \b
    Examples:
      crisis undo
      crisis undo 3
    """
    desk = context.desk
    change = history.undo(desk, desk.journals.active(), count, mine=mine, fresh=fresh)
    show_change(context, change, "undone", as_json, quiet)
    if fresh and not (as_json or quiet or change.journal.crisis.is_story):
        context.output.say("the next action gets new dice")
    return 0


def show_change(context: Context, change: HistoryChange, what: str, as_json: bool, quiet: bool) -> None:
    """Print which entries were undone or redone (`what`), and whose sheets changed with them."""
    scene, output = change.journal.crisis.scene, context.output
    for entry in change.entries:
        sheets = change.sheets.get(entry.number)
        if as_json:
            record = {"v": data.VERSION, what: entry.number, "action": entry.intent.action}
            output.print_json(record | ({} if sheets is None else {"sheets": sheets}))
            continue
        if quiet:
            output.say(str(entry.number))
            continue
        with text.legible(entry):
            head = text.headline(entry, scene, load(scene.system), output.ink)
        output.say(f"{what} {entry.number}: {head or f'{entry.intent.actor} ends the turn'}")
        if sheets:
            output.say(f"  sheets {'restored' if what == 'undone' else 'saved'}: {', '.join(sheets)}")
