"""`crisis character`: the sheets."""

from __future__ import annotations

from importlib import import_module

import click

SUBVERBS = {
    "new": "Make a sheet: asks at a terminal, takes options elsewhere.",
    "show": "Show a sheet.",
    "list": "List the sheets in reach.",
    "check": "Check sheets, and tell every fault with its line.",
    "reset": "Make a sheet whole again.",
    "copy": "Copy a sheet into your own characters folder.",
    "schema": "Print the JSON Schema of a system's sheets.",
}


class Sheets(click.Group):
    """What can be done with sheets, each loaded when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The sub-verbs in the order of the table."""
        return [*SUBVERBS]

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """The command of a sub-verb."""
        if name not in SUBVERBS:
            return None
        command: click.Command = import_module(f"{__name__}.{name}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The table of sub-verbs."""
        with formatter.section("Sub-verbs"):
            formatter.write_dl([*SUBVERBS.items()])


@click.group("character", cls=Sheets)
def command() -> None:
    """Make, show, list, check, reset or copy sheets.

    \b
    Examples:
      crisis character list
      crisis character show jack
    """
