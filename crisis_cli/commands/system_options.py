"""Options that only some systems have, and the help in which they stand apart."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click

from .. import systems
from ..engine.kinds import Absent, Kind
from ..engine.system import System
from .naming import Naming

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

Said = tuple[tuple[tuple[str, ...], str], ...]
"""What an option does, by the systems that say so."""


class Owned(click.Option):
    """An option of some systems, which each of them may put in its own words."""

    def __init__(self, *args: Any, said: Said, **kwargs: Any) -> None:
        self.said = said
        kwargs["help"] = " ".join(f"[{', '.join(systems)}] {words}" for systems, words in said)
        super().__init__(*args, **kwargs)

    @property
    def owners(self) -> tuple[str, ...]:
        """The systems that have it."""
        return tuple(system for systems, _ in self.said for system in systems)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """The values that the system in play takes; those of all systems where none is known."""
        from ..completion.line import Line, offer

        system = Line(ctx, incomplete).system
        own = (
            next((one for one in system.command_options if one.name in self.opts[0]), None)
            if system
            else None
        )
        return [*map(offer, own.values)] if own and own.values else super().shell_complete(ctx, incomplete)


class Grouped(Naming):
    """A command whose help lists the options of all systems first, then those of some under their names."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The options, group by group."""
        groups: dict[tuple[str, ...], list[click.Option]] = {(): []}
        for one in (param for param in self.get_params(ctx) if isinstance(param, click.Option)):
            groups.setdefault(one.owners if isinstance(one, Owned) else (), []).append(one)
        for owners, some in sorted(groups.items(), key=lambda group: len(group[0]) > 1):
            rows = [row for one in some if (row := _row(one, ctx))]
            if rows:
                with formatter.section(f"Only in {' and '.join(owners)}" if owners else "Options"):
                    formatter.write_dl(rows)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """The options, without those that the system in play does not have."""
        from ..completion.line import Line

        system, found = Line(ctx, incomplete).system, super().shell_complete(ctx, incomplete)
        if system is None:
            return found
        left_out = {
            opt
            for one in self.params
            if isinstance(one, click.Option) and not heeds(system, one.name or "")
            for opt in one.opts
        }
        return [one for one in found if one.value not in left_out]


def _row(one: click.Option, ctx: click.Context) -> tuple[str, str] | None:
    row = one.get_help_record(ctx)
    if row and isinstance(one, Owned) and len(one.said) == 1:
        # The head of the group says whose it is.
        return row[0], row[1].replace(one.help or "", one.said[0][1])
    return row


def worded(told: Iterable[tuple[str, str]]) -> Said:
    """What systems say, those together that say the same."""
    found: dict[str, list[str]] = {}
    for system, words in told:
        found.setdefault(words, []).append(system)
    return tuple((tuple(systems), words) for words, systems in found.items())


def kinds(system: System) -> dict[str, Kind]:
    """What the options of all systems take in this one."""
    return {"range": system.range, "cover": system.cover, "difficulty": system.difficulty}


SOME_HEED = ("penetrable", "enemies", "behind")
"""Options in the shape of all systems that the actions of some do not heed."""


def heeds(system: System, name: str) -> bool:
    """Whether a system has an option, or every system has it."""
    return has(system, name) or not (
        name in kinds(system)
        or name in SOME_HEED
        or any(option.key == name for one in systems.names() for option in systems.command_options(one))
    )


def has(system: System, name: str) -> bool:
    """Whether an option of some systems only is one of this system."""
    if name in kinds(system):
        return not isinstance(kinds(system)[name], Absent)
    if name in SOME_HEED:
        return any(name in row.options for row in system.actions.values())
    return any(option.key == name for option in system.command_options)
