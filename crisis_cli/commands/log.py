"""`crisis log`."""

from __future__ import annotations

import click

from ..completion import Source
from ..context import Context
from ..engine.journal import Crisis
from ..engine.record import Entry
from ..errors import Refused
from ..render import data, text
from ..systems import load
from . import options


@click.command("log")
@click.argument(
    "number",
    type=click.IntRange(1),
    required=False,
    metavar="[N]",
    shell_complete=Source("names.entry_numbers"),
)
@click.option("--explain", is_flag=True, help="Show every modifier with its rule.")
@options.common_options
@click.pass_obj
def command(context: Context, /, number: int | None, explain: bool, as_json: bool) -> int:
    """Show the log, or entry N alone.

    \b
    Examples:
      crisis log
      crisis log 7 --explain
    """
    crisis = context.latest_journal().crisis
    system = load(crisis.scene.system)
    lines: list[str] = []
    try:
        for entry in crisis.done if number is None else (entry_numbered(crisis, number),):
            with text.legible(entry):
                if as_json:
                    context.print_json(data.entry(entry, system, crisis.seed, True, explain))
                    continue
                first, *rest = text.entry_lines(entry, crisis.scene, system, context.ink, explain) or [""]
                lines += [
                    f"{context.ink('dim', f'{entry.number:3}')} {first}",
                    *(f"    {line}" for line in rest),
                ]
    finally:
        # Entries before one that cannot be shown are shown.
        context.say(*lines)
    return 0


def entry_numbered(crisis: Crisis, number: int) -> Entry:
    """The entry of that number; Refused if there is none that is not undone."""
    if number > len(crisis.done):
        raise Refused(
            f"no entry has the number {number}; the last one is {len(crisis.done)}",
            hint="crisis log",
            code="no_entry",
        )
    return crisis.done[number - 1]
