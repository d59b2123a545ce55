"""The candidates for the word under the cursor: click finds the parameter, its source gives the words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import click
from click.shell_completion import CompletionItem, ShellComplete, split_arg_string

from ..columns import is_printable
from ..context import Context
from ..errors import CrisisError
from .line import WORDS

END = "\0"
"""Marks the end of the line, so that there is a word under the cursor even if nothing of it is typed."""


def candidates(
    command: click.Command, words: Sequence[str], begun: str, context: Context
) -> list[CompletionItem]:
    """The candidates after `words` that begin with `begun`; `--option=` stays in front of its values."""
    head, equals, value = begun.partition("=")
    if not (equals and begun.startswith("--")):
        return _fitting(_found(command, words, _plain(begun), context), begun)
    found = _fitting(_found(command, [*words, _plain(head)], _plain(value), context), value)
    for one in found:
        one.value = f"{head}={one.value}"
    return [one for one in found if one.type in ("plain", "nospace")]


def _found(
    command: click.Command, words: Sequence[str], begun: str, context: Context
) -> list[CompletionItem]:
    """The candidates of click and of the sources; none if the words before are invalid."""
    above = click.Context(command, obj=context)
    above.meta[WORDS] = [*words]
    asked = ShellComplete(command, {"parent": above}, "crisis", "")
    try:
        found = asked.get_completions([*words], begun)
        if not (found or begun) and words and isinstance(command, click.Group):
            verb = command.get_command(above, words[-1])
            if verb and not any(isinstance(param, click.Argument) for param in verb.params):
                # Nothing but options can follow.
                return asked.get_completions([*words], "--")
    except (click.UsageError, CrisisError):
        return []
    return found


def _fitting(found: Iterable[CompletionItem], begun: str) -> list[CompletionItem]:
    """The candidates that begin with what was typed, each once, keeping the player's own spelling."""
    wanted, fit = _plain(begun), {}
    for one in found:
        if one.type in ("file", "dir"):
            fit[one.type] = one
        elif _plain(one.value).startswith(wanted) and is_printable(one.value):
            one.value = begun + one.value[len(begun) :]
            fit.setdefault(one.value, one)
    return list(fit.values())


def _plain(word: str) -> str:
    """A word without the differences that commands ignore: case, and `_` or a space for a hyphen."""
    return word.casefold().replace("_", "-").replace(" ", "-")


def split(line: str) -> tuple[list[str], str]:
    """The complete words of a line, and the begun word under the cursor, without quotes."""
    *words, begun = split_arg_string(line + END)
    return words, begun.removesuffix(END)
