"""A crisis as Markdown, to be read in a campaign journal: CommonMark with tables, and no HTML."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ..engine.journal import Crisis
from ..engine.system import System
from .blocks import Block, Heading, Item, Paragraph, Quote, of_crisis

SPECIAL = re.compile(r"([\\`*_\[\]<>|~&])")
"""What Markdown would take as its own anywhere in a line."""
AT_START = re.compile(r"^(\d+)?([.)#+=-])")
"""What it would take as a heading, a rule or the mark of a list."""
FACES = re.compile(r"(\[[-−\d ]+\])")
"""The faces of dice, as `[6 4 3]`."""


def markdown(crisis: Crisis, system: System, title: str = "") -> str:
    """The whole crisis: facts, a table of the fighters, and every entry in a section for each round."""
    return written(of_crisis(crisis, system, title, 2))


def written(blocks: Iterable[Block]) -> str:
    """The blocks as Markdown, a blank line between them but in lists."""
    lines: list[str] = []
    last: Block | None = None
    for block in blocks:
        if last is not None and not (isinstance(last, Item) and isinstance(block, Item)):
            lines.append("")
        lines += _lines(block)
        last = block
    return "\n".join(lines) + "\n"


def _lines(block: Block) -> Iterator[str]:
    if isinstance(block, Heading):
        yield f"{'#' * block.level} {escaped(block.text)}"
    elif isinstance(block, Paragraph):
        yield f"**{escaped(block.text)}**" if block.is_strong else escaped(block.text)
    elif isinstance(block, Item):
        yield f"- {escaped(block.text)}"
        yield from (f"  - {escaped(line)}" for line in block.below)
    elif isinstance(block, Quote):
        yield from (f"> {escaped(line)}".rstrip() for line in block.lines)
    else:
        head, *rows = ([*map(escaped, row)] for row in block.rows)
        yield f"| {' | '.join(head)} |"
        yield f"| {' | '.join('---' for _ in head)} |"
        yield from (f"| {' | '.join(row)} |" for row in rows)


def escaped(text: str) -> str:
    """A line that Markdown shows as it is, the faces of dice in code spans."""
    return _joined(FACES.split(" ".join(text.split())))


def _joined(parts: Iterable[str]) -> str:
    shown = "".join(f"`{part}`" if FACES.fullmatch(part) else SPECIAL.sub(r"\\\1", part) for part in parts)
    return AT_START.sub(r"\1\\\2", shown)
