"""`crisis tables show`."""

from __future__ import annotations

import click

from ...completion import Source
from ...context import Context
from ...play.drawing import aside, drawn_before
from ...random_tables.odds import chances
from ...render.chances import chance
from ...render.charts import percent
from .. import options


@click.command("show")
@click.argument("name", metavar="NAME", shell_complete=Source("names.tables"))
@click.option("--odds", is_flag=True, help="Show the exact chance of each row, also of the tables inside.")
@options.common_options
@click.pass_obj
def command(context: Context, /, name: str, odds: bool, as_json: bool) -> int:
    """Show the rows of a table; of a deck also which are drawn, in the open crisis or the story of the campaign.

    \b
    Examples:
      crisis tables show twists
      crisis tables show twists --odds
    """
    output = context.output
    tables = context.desk.shelves.tables().with_references(name)
    first = next(iter(tables.values()))
    out = drawn_before(aside(context.desk), tables)
    found = {(one.table, one.row): one.chance for one in chances(tables, first.name, out)} if odds else {}
    if as_json:
        for one in tables.values() if odds else (first,):
            for at, row in enumerate(one.rows, start=1):
                record = {"table": one.name, "row": at, "low": row.low, "high": row.high, "text": row.text}
                share = found.get((one.name, at))
                ways = chance(share.numerator, share.denominator) if share is not None else {}
                drawn = {"drawn": at in out[one.name]} if one.deck else {}
                output.print_record("tables show", **record, **drawn, **ways)
        return 0
    for one in tables.values() if odds else (first,):
        if one is not first:
            output.say("", f"{output.ink('bold', one.title)} ({one.name}), with one roll on {first.name}")
        else:
            deck = ", a deck" if one.deck else ""
            output.say(f"{output.ink('bold', one.title)} ({one.name}), {one.dice}{deck}")
            output.say(*([f"  {one.about}"] if one.about else []))
        for at, row in enumerate(one.rows, start=1):
            share = found.get((one.name, at))
            shown = f"{percent(share.numerator, share.denominator):>9}" if share is not None else ""
            faces = str(row.low) if row.low == row.high else f"{row.low}-{row.high}"
            mark = " (drawn)" if at in out.get(one.name, ()) else ""
            output.say(f"  {faces:>7}{shown}  {row.text}{mark}")
    return 0
