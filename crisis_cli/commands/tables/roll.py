"""`crisis tables roll`."""

from __future__ import annotations

import click

from ...completion import Source
from ...context import Context
from ...play.drawing import MOST_TIMES, Draws, draw
from ...play.results import Result
from ...render import text
from .. import options
from ..terminal import Terminal


@click.command("roll")
@click.argument("names", nargs=-1, required=True, metavar="NAME...", shell_complete=Source("names.tables"))
@click.option(
    "-n", "--times", type=click.IntRange(1, MOST_TIMES), metavar="N", help="Roll N times on each table."
)
@click.option("--unique", is_flag=True, help="With -n: give no row twice.")
@click.option(
    "--without", type=options.DiceResults(), metavar="4,5,1", help="Leave out the rows with these numbers."
)
@options.roll_options
@click.option("--quiet", is_flag=True, help="Print the bare text.")
@click.option("--dry-run", is_flag=True, help="In a crisis: show the result; record nothing.")
@options.common_options
@click.pass_obj
@options.typed
def command(
    context: Context,
    /,
    run: options.Run,
    names: tuple[str, ...],
    times: int | None,
    unique: bool,
    without: tuple[int, ...] | None,
) -> int:
    """Roll on tables. In an open crisis the result is recorded in the log, and can be undone.

    A table that is a deck gives no row twice until it is shuffled; without an open crisis it is whole again at each
    command.

    \b
    Examples:
      crisis tables roll twists
      crisis tables twists spoils
      crisis tables spoils -n 3 --unique
    """
    asked = Draws(names, times or 1, unique, without or ())
    for done in draw(context.desk, asked, run.dice, run.keep, Terminal(context)):
        show_answer(context, done, run.report)
    return 0


def show_answer(context: Context, done: Result, report: options.Report) -> None:
    """Print what a table or the oracle has answered."""
    session, entry, _ = done
    if report.as_json:
        context.output.print_json(done.to_dict())
    elif report.quiet:
        context.output.say(*text.quiet(entry))
    else:
        context.output.say(*text.entry_lines(entry, session.scene, session.system, context.output.ink))
