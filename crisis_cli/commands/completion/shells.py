"""What a shell asks while one types, and the answer it understands; nothing that goes wrong here is ever said."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import click

from ...desk import Desk, World
from . import SHELLS, script
from .sources import Offer
from .words import offers

VARIABLE = "_CRISIS_COMPLETE"
"""`bash_complete` asks for words, `bash_source` for the script; likewise for the other shells."""
LINE, BREAKS = "_CRISIS_LINE", "_CRISIS_BREAKS"
"""The line up to the cursor; and where readline breaks words."""
SPECIAL = frozenset(" \t\n'\"\\$`&;|<>()*?[]{}!#~")
"""What bash would not take as it stands."""


class Split(NamedTuple):
    """A line as a shell splits it."""

    words: tuple[str, ...]
    begun: str
    """The word under the cursor, as far as it has been typed."""
    quote: str = ""
    """The quote that is open in it."""


def answer(group: click.Group, verbs: Mapping[str, str], world: World) -> int:
    """Answer the shell, as the variable says; always in peace."""
    shell, _, what = world.env[VARIABLE].partition("_")
    if shell not in SHELLS:
        return 2
    if what == "source":
        world.out.write(script(shell))
        return 0
    asked = split(world.env.get(LINE, ""))
    try:
        found = offers(group, verbs, Desk(world, color=False), asked.words[1:], asked.begun)
    except Exception:
        # A sheet, a journal or a folder may be broken in any way; a shell must not be bothered with that.
        found = []
    lines = _for_bash(found, asked, world.env.get(BREAKS, "")) if shell == "bash" else _with_help(found)
    world.out.write("".join(f"{line}\n" for line in lines))
    return 0


def split(line: str) -> Split:
    """The words of a line, the last of them perhaps unfinished."""
    words: list[str] = []
    word, quote, inside, signs = "", "", False, iter(line)
    for sign in signs:
        if sign == "\\" and quote != "'":
            word, inside = word + next(signs, ""), True
        elif quote:
            word, quote = (word, "") if sign == quote else (word + sign, quote)
        elif sign in "'\"":
            quote, inside = sign, True
        elif sign in " \t\n":
            if inside:
                words.append(word)
            word, inside = "", False
        else:
            word, inside = word + sign, True
    return Split(tuple(words), word, quote)


def _with_help(found: Iterable[Offer]) -> Iterator[str]:
    for one in found:
        told = " ".join(one.help.split())
        yield f"{one.kind}\t{one.value}\t{told}"


def _for_bash(found: Iterable[Offer], asked: Split, breaks: str) -> Iterator[str]:
    """Bash inserts what it is told as it stands, in place of what follows the last break of the word."""
    cut = (
        0
        if asked.quote
        else 1 + max((asked.begun.rfind(sign) for sign in ":=" if sign in breaks), default=-1)
    )
    for one in found:
        yield f"{one.kind} {_quoted(one.value[cut:], asked.quote)}"


def _quoted(value: str, quote: str) -> str:
    if quote == "'":
        return value.replace("'", "'\\''")
    special = frozenset('"\\$`') if quote else SPECIAL
    return "".join("\\" + sign if sign in special else sign for sign in value)
