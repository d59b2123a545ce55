"""Options that only some systems have, help that lists them by system, and how options become those of an intent."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import click
from click.exceptions import BadOptionUsage

from .. import systems
from ..click_errors import as_usage
from ..context import Context
from ..engine.command_option import CommandOption
from ..errors import CrisisError
from ..play.wording import accepts, other_systems_option
from .naming import NameJoiningCommand, join_names, option_value
from .options import WHOLE, Verb, combine

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

    def help_in(self, system: str) -> str:
        """The help of the option in a system that has it."""
        return next(words for systems, words in self.help_by_system if system in systems)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """The values of the system in play; those of all systems if it is not known."""
        from ..completion.line import CommandLine, candidate

        system = CommandLine(ctx, incomplete).system
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

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments; an option without its value is explained as it is in the open crisis."""
        try:
            return super().parse_args(ctx, args)
        except BadOptionUsage as error:
            error.ctx = ctx
            option = next((one for one in self.params if error.option_name in one.opts), None)
            context = ctx.find_object(Context)
            crisis = context.desk.journals.peek(option_value(args, "--file")) if context else None
            if crisis is None or not isinstance(option, SystemOption):
                raise
            raise _explained(error, option, crisis.scene.system) from error

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
        from ..completion.line import CommandLine

        system, found = CommandLine(ctx, incomplete).system, super().shell_complete(ctx, incomplete)
        if system is None:
            return found
        left_out = {
            opt
            for one in self.params
            if isinstance(one, click.Option) and not accepts(system, one.name or "")
            for opt in one.opts
        }
        return [one for one in found if one.value not in left_out]


GREEDY = ("--vs", "--against", "--place")
"""Options that take all words up to the next option."""


class SidesCommand(GroupedCommand):
    """A click command in which --vs, --against and --place take all words up to the next option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments after repeating the option before each of its words."""
        # Names are joined first: the option must not be repeated inside one.
        args = join_names(ctx, args)
        spread: list[str] = []
        greedy = ""
        for at, word in enumerate(args):
            if word == "--":
                return super().parse_args(ctx, spread + args[at:])
            if word in GREEDY:
                greedy = word
                if not ctx.resilient_parsing and (at + 1 == len(args) or args[at + 1].startswith("-")):
                    raise click.BadOptionUsage(word, f"{word} needs at least one value.", ctx)
            elif word.startswith("-"):
                greedy = ""
                spread.append(word)
            elif greedy:
                spread += [greedy, word]
            else:
                spread.append(word)
        return super().parse_args(ctx, spread)


def _explained(error: BadOptionUsage, option: SystemOption, system: str) -> CrisisError:
    """The error for an option without its value, with the help of one system alone."""
    if system not in option.owners:
        return other_systems_option(option.opts[0], option.owners, system)
    usage = as_usage(error)
    about = option.help_in(system).rstrip(".")
    usage.hint = usage.hint.replace((option.help or about).rstrip("."), about)
    return usage


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


def of_systems(verb: str) -> Callable[[Verb], Verb]:
    """The options that only some systems have, gathered from their tables."""
    found: dict[str, tuple[CommandOption, list[tuple[str, str]]]] = {}
    for name in systems.names():
        for option in systems.command_options(name):
            if verb in option.verbs:
                known, help_texts = found.get(option.name, (option, []))
                values = tuple(dict.fromkeys((*known.values, *option.values)))
                # If one system takes any text, click cannot check the values: each system does.
                kind = "text" if "text" in (known.kind, option.kind) else known.kind
                help_texts = [*help_texts, (name, option.help)]
                found[option.name] = (known._replace(values=values, kind=kind), help_texts)
    return combine(*(_option(option, group_help(help_texts)) for option, help_texts in found.values()))


def _option(option: CommandOption, help_by_system: SystemHelp) -> Callable[[Any], Any]:
    parameters: dict[str, dict[str, Any]] = {
        "flag": {"is_flag": True},
        "whole": {"type": WHOLE, "metavar": "N"},
        "text": {"metavar": "TEXT"},
        "choice": {"type": click.Choice(option.values)} | _short_metavar(option),
        "thing": {"metavar": "THING"},
        "names": {"metavar": "A,B"},
        "answers": {"metavar": "A=ACTION,B=ACTION"},
    }
    return click.option(
        f"--{option.name}", cls=SystemOption, help_by_system=help_by_system, **parameters[option.kind]
    )


MAX_METAVAR = 60
"""Longest list of values that help shows in place of the option's name."""


def _short_metavar(option: CommandOption) -> dict[str, Any]:
    return {"metavar": option.name.upper()} if len("|".join(option.values)) > MAX_METAVAR else {}
