"""A click group that loads each of its commands when it is used."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


class HelpContext(click.Context):
    """A click context whose help has only what the output can carry: click writes UTF-8 where there is only ASCII."""

    def get_help(self) -> str:
        """The help of the command."""
        from .render.style import Ink

        environment = getattr(self.obj, "environment", self.obj)
        return Ink.fitting({}, environment.out, False).carried(super().get_help())


class LazyGroup(click.Group):
    """A click group whose commands live in modules of their own, each imported when it is used."""

    context_class = HelpContext

    def __init__(
        self,
        *args: Any,
        package: str,
        modules: Mapping[str, str],
        table: Mapping[str, str],
        heading: str,
        **kwargs: Any,
    ) -> None:
        """`table` gives each command a line of help, `modules` its module below `package`, and behind a colon its name
        there if that is not `command`; `heading` stands above the table in help."""
        super().__init__(*args, **kwargs)
        self.package, self.modules, self.table, self.heading = package, modules, table, heading

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names in the order of the table."""
        return [*self.table]

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """The command of that name, imported; None if the table does not have it."""
        name = name.replace("_", "-")
        if name not in self.table:
            return None
        module, _, attribute = self.modules[name].partition(":")
        page = import_module(f"{self.package}.{module}")
        command: click.Command = getattr(page, attribute) if attribute else page.command
        command.context_class = HelpContext
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command and the words after it; Usage with a suggestion if there is none of that name."""
        if args and not args[0].startswith("-") and self.get_command(ctx, args[0]) is None:
            from .engine.kinds import guess
            from .errors import Usage

            raise Usage(
                f"no command is called {args[0]!r}{guess(args[0], self.table)}",
                hint=f"options: {ctx.command_path} --help"
                + ("" if ctx.parent else "; actions of a fight, such as move: crisis act ACTION"),
                code="unknown_command",
            )
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the table of commands into the help."""
        with formatter.section(self.heading):
            formatter.write_dl([*self.table.items()])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """The command names that begin with `incomplete`, with their help, and the group's own options."""
        from click.shell_completion import CompletionItem

        items = [
            CompletionItem(name, help=about)
            for name, about in self.table.items()
            if name.startswith(incomplete)
        ]
        return [*items, *click.Command.shell_complete(self, ctx, incomplete)]


class SubVerbs(LazyGroup):
    """A verb whose sub-verbs are modules of its package, each of its name; alone it runs too."""

    def __init__(
        self, *args: Any, package: str, table: Mapping[str, str], files: Iterable[str] = (), **kwargs: Any
    ) -> None:
        """`table` gives each sub-verb a line of help; those named in `files` are together in a module `files`."""
        modules = {name: name for name in table} | {name: f"files:{name}_command" for name in files}
        super().__init__(
            *args,
            package=package,
            modules=modules,
            table=table,
            heading="Sub-verbs",
            invoke_without_command=True,
            **kwargs,
        )
