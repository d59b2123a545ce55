"""`crisis system new`."""

from __future__ import annotations

import click

from ...context import Context
from ...play.own_systems import make_package
from .. import options


@click.command("new")
@click.argument("name", metavar="NAME")
@options.common_options
@click.pass_obj
def command(context: Context, /, name: str, as_json: bool) -> int:
    """Make the package of a small rule system that can be played: a folder NAME with a rulebook, its rules in words,
    two sheets, and a casebook.

    Install it with pip install -e ./NAME, and play: crisis play ann --vs bob. Each attack is one die against a guard.
    Change the rulebook into that of your own game, and check it as you go: crisis system check NAME. How rulebooks are
    written, with recipes to paste: crisis help system, or man 7 crisis-system.

    \b
    Example:
      crisis system new knives
    """
    made = make_package(context.desk, name)
    if as_json:
        context.output.print_record("system new", folder=made.folder, files=made.files)
    else:
        install = f"pip install -e ./{made.folder}"
        context.output.say(
            f"made {made.folder}; its rulebook is {made.rulebook}; now: {install}, then: crisis system check {name}"
        )
    return 0
