"""Options as the pages list them: how they are spelled, what they do, who has them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import click

from ..commands import options as shared
from ..commands.system_options import SystemOption
from ..systems import SYSTEMS, command_options
from . import mdoc

WIDE = 10_000_000_000
"""Bounds beyond this say nothing to a player."""
GROUPS: tuple[tuple[str, Callable[[Any], Any]], ...] = (
    ("The attack", shared.attack_options),
    ("The dice", shared.dice_options),
    ("The result", shared.report_options),
    ("Files and output", shared.common_options),
)
"""The options that verbs share, under the heads that the pages give them."""


def typed(text: str) -> str:
    """The text with the options in it set off."""
    return re.sub(r"(?<![`\w-])(--[a-z][a-z-]*)(?![\w-]*`)", r"`\1`", text)


def names(decorator: Callable[[Any], Any]) -> set[str]:
    """The long names of the options that a decorator adds."""

    def verb() -> None: ...

    decorator(verb)
    return {spelled(param) for param in verb.__click_params__}  # type: ignore[attr-defined]


def listed(found: Iterable[click.Option]) -> Iterator[str]:
    """Options with what they do."""
    pairs = [(_head(one), list(mdoc.paragraph(_help(one)))) for one in found]
    if pairs:
        yield from mdoc.terms(pairs)


def spelled(param: click.Parameter) -> str:
    """An option's long name."""
    return max(param.opts, key=len)


def _head(option: click.Option) -> str:
    names = sorted((*option.opts, *option.secondary_opts), key=len)
    dashes = [f"Fl {name[1:].replace('-', chr(92) + '-')}" for name in names]
    value = (
        ""
        if option.is_flag or option.count
        else option.metavar or _choices(option) or option.type.name.upper()
    )
    heads = [f"{dash} Ar {mdoc.words(value)}" if value else dash for dash in dashes]
    return " , ".join(heads)


def _choices(option: click.Option) -> str:
    return "|".join(option.type.choices) if isinstance(option.type, click.Choice) else ""


def _help(option: click.Option) -> str:
    """What the help says, which systems have it by which rule, and what it may be repeated or bounded by."""
    owned = owners().get(spelled(option), {}) if is_of_some_systems(option) else {}
    if isinstance(option, SystemOption) and len(option.help_by_system) > 1:
        return " ".join(
            f"In {', '.join(owned[system] for system in systems)}: {typed(words)}"
            for systems, words in option.help_by_system
        )
    said = re.sub(r"^\[[^]]*\] ", "", option.help or "").strip()
    said = typed(said if said.endswith((".", ")")) else said + ".")
    if owned:
        said += f" Only in {', '.join(owned.values())}."
    kind = option.type
    if isinstance(kind, click.IntRange):
        low, high = (
            bound if bound is not None and abs(bound) < WIDE else None for bound in (kind.min, kind.max)
        )
        if low is not None or high is not None:
            said += f" From {f'{low:,}' if low is not None else 'any number'} " + (
                f"to {high:,}." if high is not None else "up."
            )
    return said


def is_of_some_systems(option: click.Option) -> bool:
    """Whether an option is one that only some systems have."""
    return isinstance(option, SystemOption)


def owners() -> dict[str, dict[str, str]]:
    """By the option the systems that have it as their own, each with the rule there."""
    found: dict[str, dict[str, str]] = {}
    for system in SYSTEMS:
        for option in command_options(system):
            found.setdefault(f"--{option.name}", {})[system] = f"`{system}` ({option.rule})"
    return found
