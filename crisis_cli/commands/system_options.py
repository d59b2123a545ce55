"""Options that only some systems have, and help that lists them by system."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click

from .. import systems
from ..engine.kinds import Absent, Kind
from ..engine.system import System
from .naming import NameJoiningCommand

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

SystemHelp = tuple[tuple[tuple[str, ...], str], ...]
"""Help texts of an option, each with the systems that share it."""


class SystemOption(click.Option):
    """An option that only some systems have; its help may differ between them."""

    def __init__(self, *args: Any, help_by_system: SystemHelp, **kwargs: Any) -> None:
        self.help_by_system = help_by_system
        kwargs["help"] = " ".join(f"[{', '.join(systems)}] {words}" for systems, words in help_by_system)
        super().__init__(*args, **kwargs)

    @property
    def owners(self) -> tuple[str, ...]:
        """The names of the systems that have it."""
        return tuple(system for systems, _ in self.help_by_system for system in systems)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """The values of the system in play; those of all systems if it is not known."""
        from ..completion.line import Line, candidate

        system = Line(ctx, incomplete).system
        own = (
            next((one for one in system.command_options if one.name in self.opts[0]), None)
            if system
            else None
        )
        return (
            [*map(candidate, own.values)] if own and own.values else super().shell_complete(ctx, incomplete)
        )


class GroupedCommand(NameJoiningCommand):
    """A click command whose help lists common options first, then those of single systems under their names."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options into the help, group by group."""
        groups: dict[tuple[str, ...], list[click.Option]] = {(): []}
        for one in (param for param in self.get_params(ctx) if isinstance(param, click.Option)):
            groups.setdefault(one.owners if isinstance(one, SystemOption) else (), []).append(one)
        for owners, some in sorted(groups.items(), key=lambda group: len(group[0]) > 1):
            rows = [row for one in some if (row := _row(one, ctx))]
            if rows:
                with formatter.section(f"Only in {' and '.join(owners)}" if owners else "Options"):
                    formatter.write_dl(rows)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """The completions, without options that the system in play does not have."""
        from ..completion.line import Line

        system, found = Line(ctx, incomplete).system, super().shell_complete(ctx, incomplete)
        if system is None:
            return found
        left_out = {
            opt
            for one in self.params
            if isinstance(one, click.Option) and not accepts(system, one.name or "")
            for opt in one.opts
        }
        return [one for one in found if one.value not in left_out]


def _row(one: click.Option, ctx: click.Context) -> tuple[str, str] | None:
    row = one.get_help_record(ctx)
    if row and isinstance(one, SystemOption) and len(one.help_by_system) == 1:
        # The heading of the group names the system.
        return row[0], row[1].replace(one.help or "", one.help_by_system[0][1])
    return row


def group_help(help_texts: Iterable[tuple[str, str]]) -> SystemHelp:
    """Help texts grouped: pairs (system, text) with systems of equal text merged."""
    found: dict[str, list[str]] = {}
    for system, words in help_texts:
        found.setdefault(words, []).append(system)
    return tuple((tuple(systems), words) for words, systems in found.items())


def option_kinds(system: System) -> dict[str, Kind]:
    """The types of range, cover and difficulty in this system, by option name."""
    return {"range": system.range, "cover": system.cover, "difficulty": system.difficulty}


SOME_ACTIONS_ONLY = ("penetrable", "enemies", "behind", "react")
"""Common options that some systems have no use for: none of their actions takes them, or has reactions."""


def accepts(system: System, name: str) -> bool:
    """Whether a system accepts an option: its own, or one that every system has."""
    return has_option(system, name) or not (
        name in option_kinds(system)
        or name in SOME_ACTIONS_ONLY
        or any(option.key == name for one in systems.names() for option in systems.command_options(one))
    )


def has_option(system: System, name: str) -> bool:
    """Whether a system has this option, one that not all systems have."""
    if name in option_kinds(system):
        return not isinstance(option_kinds(system)[name], Absent)
    if name == "react":
        return any(row.reactions for row in system.actions.values())
    if name in SOME_ACTIONS_ONLY:
        return any(name in row.options for row in system.actions.values())
    return any(option.key == name for option in system.command_options)
