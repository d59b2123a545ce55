"""The pages of rules, made from the rulebooks."""

from __future__ import annotations

from collections.abc import Iterator

from ..rulebooks import SHARED, Rulebook, RuleText, load, names
from . import mdoc
from .markup import page


def pages() -> Iterator[mdoc.Page]:
    """A page for what the systems share, and one for each system."""
    systems = [name for name in names() if name != SHARED]
    rows = [["System", "Page", "In a line"]]
    rows += [[name, f"crisis-rules-{name}(7)", load(name).title] for name in systems]
    seen = [("crisis", 1), ("crisis-rules", 1)]
    for book in map(load, names()):
        shared = book.name == SHARED
        others = [(f"crisis-rules-{name}", 7) for name in systems]
        lines = {
            "summary": mdoc.paragraph(book.summary),
            "dice": mdoc.paragraph(book.dice),
            "topics": _topics(book),
            "systems": mdoc.table(rows),
            "also": mdoc.see_also(
                [*seen, *(others if shared else [("crisis-rules", 7), ("crisis-character", 5)])]
            ),
        }
        title = {"name": book.name, "title": book.title[:1].lower() + book.title[1:]}
        yield page("rules" if shared else "rulebook", lines, title)


def _topics(book: Rulebook) -> Iterator[str]:
    for topic in book.topics:
        yield mdoc.section(topic.title)
        for rule in topic.rules:
            yield from _rule(rule)


def _rule(rule: RuleText) -> Iterator[str]:
    yield mdoc.subsection(f"{rule.id} {rule.title}")
    for number, text in enumerate(rule.text):
        if number:
            yield ".Pp"
        yield from mdoc.paragraph(text)
    if rule.table:
        yield from mdoc.table(rule.table)
    marked = [("Example", rule.example)] if rule.example else []
    marked += [("From another chapter", text) for text in rule.elsewhere]
    marked += [("Reading", text) for text in rule.readings]
    for label, text in marked:
        yield ".Pp"
        yield f".Em {mdoc.words(label)} :"
        yield from mdoc.paragraph(text)
