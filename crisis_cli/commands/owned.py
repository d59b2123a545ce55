"""Options that only some systems have, and the help in which they stand apart."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import click

from .naming import Naming

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
