"""What may stand where the cursor is: click finds the parameter, its source gives the words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import click
from click.shell_completion import CompletionItem, ShellComplete, split_arg_string

from ..context import Context
from ..errors import CrisisError
from .line import WORDS

END = "\0"
"""Marks the end of the line, so that the word under the cursor is there even where nothing of it is typed."""


def candidates(
    command: click.Command, words: Sequence[str], begun: str, context: Context
) -> list[CompletionItem]:
    """The words that may stand behind `words`, where `begun` has been typed; `--option=` stays before its values."""
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
    """What click and the sources find; nothing where the words lead nowhere."""
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
    """Those that go on from what has been typed, in the player's own spelling of that, each once."""
    wanted, fit = _plain(begun), {}
    for one in found:
        if one.type in ("file", "dir"):
            fit[one.type] = one
        elif _plain(one.value).startswith(wanted) and one.value.isprintable():
            one.value = begun + one.value[len(begun) :]
            fit.setdefault(one.value, one)
    return list(fit.values())


def _plain(word: str) -> str:
    """A word without the differences that commands ignore: case, and `_` or a space for a hyphen."""
    return word.casefold().replace("_", "-").replace(" ", "-")


def split(line: str) -> tuple[list[str], str]:
    """The whole words of a line, and the word under the cursor as far as it has been typed, without quotes."""
    *words, begun = split_arg_string(line + END)
    return words, begun.removesuffix(END)
