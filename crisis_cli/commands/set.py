"""`crisis set`."""

from __future__ import annotations

import click

from ..completion import Source
from ..context import Context
from ..play.attacking import Planned
from ..play.settings import Setting, planned
from . import options
from .acting import ActingOnNames


@click.command("set", cls=ActingOnNames, context_settings={"ignore_unknown_options": True})
@click.argument("who", metavar="WHO", shell_complete=Source("names.fighters"))
@click.argument("what", metavar="WHAT", shell_complete=Source("actions.set_properties"))
@click.argument("value", nargs=-1, metavar="VALUE", shell_complete=Source("actions.set_values"))
@click.option("--why", type=options.TextLine(), metavar="TEXT", help="Record this reason in the log.")
@click.option("--dry-run", is_flag=True, help="Show the result; change nothing.")
@options.quiet_option
@options.common_options
def command(
    context: Context, /, run: options.Run, who: str, what: str, value: tuple[str, ...], why: str | None
) -> Planned:
    """GM override: set WHAT of WHO to VALUE, whatever the rules say.

    WHAT is a pool, `at`, `held`, `condition:NAME`, or `cover:NAME` (WHO hides from NAME). crisis set order A,B sets
    the turn order; those not named follow as they stood. crisis set tension N sets the tension of the oracle;
    crisis set terrain X,Y NAME puts something else on the map, named as in its legend, or `open`. Some systems have
    more to set: marks of WHO (`mark:NAME`), counters of the scene (crisis set NAME N), and decks (crisis set NAME
    shuffled).

    \b
    Examples:
      crisis set drone health 10
      crisis set jack at 3,4
      crisis set jack condition:prone on
      crisis set jack cover:drone heavy
      crisis set order jack,drone
      crisis set terrain 7,2 open-door
    """
    return planned(context.desk, Setting(who, what, value, why or ""))
