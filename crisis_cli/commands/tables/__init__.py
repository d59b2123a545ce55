"""`crisis tables`: random tables."""

from __future__ import annotations

import click

from ...lazy_group import SubVerbs

SUBVERBS = {
    "roll": "Roll on tables.",
    "list": "List all tables.",
    "show": "Show a table, with --odds the chance of each row.",
    "check": "Check files of tables; report every error with its line.",
    "shuffle": "Put all rows back into a deck.",
    "new": "Make a table of your own, to be edited.",
    "copy": "Copy a table into your own tables folder.",
    "import": "Make tables of text, CSV, Markdown, JSON, Foundry and datasworn.",
    "schema": "Print the JSON Schema of tables.",
}


class Tables(SubVerbs):
    """The group `tables`, for which a name that is no sub-verb is a table to roll on."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The sub-verb and the words after it; `roll` where the first word is no sub-verb."""
        if args and not args[0].startswith("-") and args[0].replace("_", "-") not in self.table:
            args = ["roll", *args]
        return super().resolve_command(ctx, args)


@click.group(
    "tables",
    cls=Tables,
    package=__name__,
    table=SUBVERBS,
    files=("check", "copy", "list", "new", "schema"),
    subcommand_metavar="COMMAND|NAME [ARGS]...",
)
@click.pass_context
def command(ctx: click.Context) -> None:
    """Roll on random tables, list and show them, or make your own. A NAME alone rolls on that table.

    \b
    Examples:
      crisis tables twists
      crisis tables show twists --odds
      crisis tables list
    """
    if ctx.invoked_subcommand is None:
        ctx.obj.output.say(*ctx.get_help().splitlines())
