"""The click command of a verb whose words are dice."""

from __future__ import annotations

import re
from collections.abc import Iterable

import click

from ..click_errors import unknown_option
from ..completion import Source

OPTION = re.compile(r"-(?:-.*|h|n\d*)?")
"""A word that begins with a hyphen and is no expression."""

as_option = click.option(
    "--as",
    "who",
    metavar="WHO",
    help="Take @values from the sheet of WHO.",
    shell_complete=Source("names.all_fighters"),
)
"""The sheet that gives the values of an expression."""


class DiceCommand(click.Command):
    """A command that takes `-2d6kh1` for an expression, where click reads the options -2, -d, -6, -k and -h."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the words; an expression with a letter of an option in it is hidden from click behind a minus sign."""
        hidden = {
            "−" + word[1:]: word
            for word in args
            if word.startswith("-") and {"n", "h"} & {*word} and not OPTION.fullmatch(word)
        }
        shown = {word: sign for sign, word in hidden.items()}
        rest = super().parse_args(ctx, [shown.get(word, word) for word in args])
        # Completion parses lines that lack words.
        words = ctx.params.get("expressions") or ()
        ctx.params["expressions"] = tuple(hidden.get(word, word) for word in words)
        return rest


def refuse_unknown(command: click.Command, words: Iterable[str], help_line: str) -> None:
    """Raise Usage where one of the words of a command of expressions looks like an option."""
    for word in words:
        if word.startswith("--") and word[2:3].isalpha():
            known = [name for param in command.params for name in param.opts]
            raise unknown_option(str(command.name), word, known, f"options: {help_line}")
