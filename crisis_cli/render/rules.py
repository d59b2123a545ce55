"""Rules on the terminal: wrapped to the width, readings marked as such."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from .style import Ink

if TYPE_CHECKING:
    from ..rulebooks import Rulebook, RuleText, Topic

WIDEST = 92
"""Signs to a line at most: longer ones are hard to read."""
TYPED = re.compile(r"`([^`]*)`")
GLUE = "\N{NO-BREAK SPACE}"
OPEN, SHUT = "\x02", "\x03"
"""Stand round what is typed until the lines are made."""


def contents(books: Sequence[Rulebook], ink: Ink, width: int) -> Iterator[str]:
    """Every rulebook with its topics."""
    for book in books:
        yield f"{ink('bold', book.name)}  {book.title}"
        topics = ", ".join(topic.name for topic in book.topics)
        yield from _wrapped(topics, ink, width, "    ")
    yield ""
    first = books[0]
    words = (first.name, f"{first.name} {first.topics[0].name}", next(first.rules()).id)
    ways = ", ".join(f"`{ink.way(f'rules {each}')}`" for each in words)
    yield from _wrapped(f"Read on: {ways}", ink, width)


def page(book: Rulebook, topics: Iterable[Topic], ink: Ink, width: int, whole: bool) -> Iterator[str]:
    """The rules of some topics; `whole`: of all of them, with what stands at the head of the book."""
    if whole:
        yield ink("bold", f"{book.name} · {book.title}")
        yield from _wrapped(book.summary, ink, width)
        if book.dice:
            yield ""
            yield from _wrapped(f"Order of the dice (ALL-2): {book.dice}", ink, width)
        yield ""
    for at, topic in enumerate(topics):
        if at:
            yield ""
        yield ink("bold", topic.title.upper())
        for number, rule in enumerate(topic.rules):
            if number:
                yield ""
            yield from _rule(rule, ink, width)


def _rule(rule: RuleText, ink: Ink, width: int) -> Iterator[str]:
    yield f"{ink('cyan', rule.id)}  {ink('bold', rule.title)}"
    for number, paragraph in enumerate(rule.text):
        if number:
            yield ""
        yield from _wrapped(paragraph, ink, width, "  ")
    if rule.table:
        yield ""
        yield from table(rule.table, ink, width, "    ")
    marked = [("Example", "green", rule.example)] if rule.example else []
    marked += [("From another chapter", "dim", part) for part in rule.elsewhere]
    marked += [("Reading", "yellow", part) for part in rule.readings]
    if rule.table and marked:
        yield ""
    for label, style, part in marked:
        first, *rest = _wrapped(f"{label.replace(' ', GLUE)}: {part}", ink, width, "  ", "    ")
        yield first.replace(f"{label}:", ink(style, f"{label}:"), 1)
        yield from rest


def _wrapped(text: str, ink: Ink, width: int, indent: str = "", hanging: str | None = None) -> list[str]:
    """A text in lines; what is to be typed is never broken, and is coloured where there is colour."""
    glued = TYPED.sub(lambda typed: typed[0].replace(" ", GLUE), text)
    if ink.color:
        # The backquotes make way for the colour, but they still count: a line is rather short than long.
        glued = TYPED.sub(lambda typed: f"{OPEN}{typed[1]}{SHUT}", glued)
    lines = wrap(
        glued,
        max(20, min(width, WIDEST)),
        initial_indent=indent,
        subsequent_indent=indent if hanging is None else hanging,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [_inked(line, ink) for line in lines]


def _inked(line: str, ink: Ink) -> str:
    line = re.sub(f"{OPEN}([^{SHUT}]*){SHUT}", lambda typed: ink("cyan", typed[1]), line)
    return line.replace(GLUE, " ")


def table(rows: Sequence[Sequence[str]], ink: Ink, width: int, indent: str) -> Iterator[str]:
    """Rows under their heads; the last column is wrapped where the line ends."""
    plain = [[TYPED.sub(r"\1", cell) for cell in row] for row in rows]
    wide = [ink.widest(column) for column in zip(*plain, strict=True)]
    room = min(width, WIDEST) - len(indent) - sum(wide[:-1]) - 2 * (len(wide) - 1)
    for number, row in enumerate(plain):
        last = ink.wrapped(row[-1], max(16, room)) or [""]
        cells = map(ink.padded, row[:-1], wide)
        head = "  ".join([*cells, last[0]]).rstrip()
        yield indent + (ink("dim", head) if number == 0 else head)
        yield from (indent + " " * (sum(wide[:-1]) + 2 * (len(wide) - 1)) + more for more in last[1:])


def records(book: Rulebook, topics: Iterable[Topic]) -> Iterator[dict[str, Any]]:
    """Every rule of the topics as an object for `--json`."""
    for topic in topics:
        for rule in topic.rules:
            yield {
                "system": book.name,
                "topic": topic.name,
                "rule": rule.id,
                "title": rule.title,
                "text": list(rule.text),
                "table": [list(row) for row in rule.table],
                "example": rule.example or None,
                "elsewhere": list(rule.elsewhere),
                "readings": list(rule.readings),
            }
