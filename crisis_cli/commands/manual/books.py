"""The pages of rules, made from the rulebooks."""

from __future__ import annotations

from collections.abc import Iterator

from ...rulebooks import SHARED, Rule, Rulebook, load, names
from . import mdoc
from .markup import prose


def pages() -> Iterator[mdoc.Page]:
    """A page for what the systems share, and one for each system."""
    for name in names():
        book = load(name)
        lines = tuple(_shared(book) if name == SHARED else _system(book))
        page = "crisis-rules" if name == SHARED else f"crisis-rules-{name}"
        about = (
            "what the rule systems share" if name == SHARED else f"the rules of {name}: {_small(book.title)}"
        )
        yield mdoc.Page(page, 7, about, lines)


def _small(title: str) -> str:
    return title[:1].lower() + title[1:]


def _shared(book: Rulebook) -> Iterator[str]:
    systems = [name for name in names() if name != SHARED]
    yield from prose("rules", {"rules": mdoc.paragraph(book.summary)})
    yield from _topics(book)
    rows = [["System", "Page", "In a line"]]
    rows += [[name, f"crisis-rules-{name}(7)", load(name).title] for name in systems]
    yield ".Sh SYSTEMS"
    yield from mdoc.table(rows)
    yield ".Sh SEE ALSO"
    yield from mdoc.see_also(
        [("crisis", 1), ("crisis-rules", 1), *((f"crisis-rules-{name}", 7) for name in systems)]
    )


def _system(book: Rulebook) -> Iterator[str]:
    yield ".Sh DESCRIPTION"
    yield from mdoc.paragraph(book.summary)
    yield ".Pp"
    yield from mdoc.paragraph(
        "The same text is shown by `crisis rules`. `Reading` marks where the original leaves something open, and says "
        "how it is read here; `From another chapter` marks facts that come from elsewhere in the same game."
    )
    yield mdoc.subsection("Order of the dice")
    yield from mdoc.paragraph(book.dice)
    yield from _topics(book)
    yield ".Sh SEE ALSO"
    yield from mdoc.see_also(
        [("crisis", 1), ("crisis-rules", 1), ("crisis-rules", 7), ("crisis-character", 5)]
    )


def _topics(book: Rulebook) -> Iterator[str]:
    for topic in book.topics:
        yield mdoc.section(topic.title)
        for rule in topic.rules:
            yield from _rule(rule)


def _rule(rule: Rule) -> Iterator[str]:
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
