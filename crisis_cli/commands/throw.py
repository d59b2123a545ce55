"""`crisis throw`."""

from __future__ import annotations

from typing import Any

import click

from ..completion import Source
from ..context import Context
from ..play.attacking import Planned
from . import options, placing, system_options
from .acting import ActingOnSides
from .attack import strike


@click.command("throw", cls=ActingOnSides)
@click.argument("who", nargs=-1, metavar="[WHO] [TARGET]...", shell_complete=Source("names.fighters"))
@click.option(
    "--item",
    metavar="NAME",
    help="Throw this object instead of a weapon.",
    shell_complete=Source("names.items"),
)
@options.attack_options
@placing.place_option
@options.position_option
@options.override_option
@system_options.of_systems("throw")
@options.dice_options
@options.report_options
@options.common_options
def command(context: Context, /, run: options.Run, **words: Any) -> Planned:
    """Throw a weapon: WHO throws it at TARGET.

    By default it is the weapon in hand, or else the first on the sheet that can be thrown.

    \b
    Examples:
      crisis throw ada drone
      crisis throw ada drone --weapon knife --range 8
    """
    return strike(context, "throw", run, **words)
