"""`crisis rewind`."""

from __future__ import annotations

import click

from ..completion import Source
from ..context import Context
from ..play import history
from ..render import text
from ..systems import load
from . import options


@click.command("rewind")
@click.argument("number", type=click.IntRange(0), metavar="N", shell_complete=Source("names.entry_numbers"))
@click.option(
    "--fresh", is_flag=True, help="Roll new dice for the same actions (default: the same dice as before)."
)
@click.option("--quiet", is_flag=True, help="Print only the number of the last entry still in force.")
@options.common_options
@click.pass_obj
def command(context: Context, /, number: int, fresh: bool, quiet: bool, as_json: bool) -> int:
    """Go back to entry N of the log: undo all that came after it in one step.

    Entry N stays in force; 0, like 1, is the opening of the crisis. What was undone can be redone.

    \b
    Examples:
      crisis rewind 0
      crisis rewind 2 --fresh
    """
    output = context.output
    change = history.rewind(context.desk, context.desk.journals.require(), number, fresh)
    crisis, undone = change.journal.crisis, change.entries
    last_kept = len(crisis.done)
    if as_json:
        output.print_record(
            "rewind",
            number=last_kept,
            undone=[entry.number for entry in undone],
            fresh=fresh,
            round=crisis.scene.round,
            turn=crisis.scene.turn or None,
        )
        return 0
    if quiet:
        output.say(str(last_kept))
        return 0
    last = crisis.done[-1]
    with text.legible(last):
        head = text.headline(last, crisis.scene, load(crisis.scene.system), output.ink) or "the next turn"
    count = "1 entry" if len(undone) == 1 else f"{len(undone)} entries"
    output.say(
        f"back at {last_kept}: {head}", f"  {count} undone; to redo: {output.ink.way(f'redo {len(undone)}')}"
    )
    if crisis.scene.turn:
        output.say(output.ink("bold", f"  Round {crisis.scene.round}, {crisis.scene.turn}'s turn."))
    if fresh:
        output.say("the next action gets new dice")
    return 0
