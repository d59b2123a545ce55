"""The prose of the manuals: plain text files, read into mdoc.

`% NAME(N) WORDS` on the first line is the page and what it is about; `# Section` and `## Part` are heads; a block
indented by four is an example; `- term :: words` are terms, going on in lines indented by two; lines between bars are
a table, the first row its heads; `{name}` alone on a line is where the program puts what it knows itself; everything
else is a paragraph. What is typed as it stands is in backquotes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from ..render.prose import prose
from . import mdoc


def page(text: str, lines: Mapping[str, Iterable[str]], names: Mapping[str, str] | None = None) -> mdoc.Page:
    """The page of a file in `text/`: `lines` stand where it says `{name}`, `names` in its first line."""
    head, body = prose(text).split("\n", 1)
    found = re.fullmatch(r"% (\S+)\((\d)\) (.+)", head.format(**names or {}))
    assert found is not None, f"{text}.md begins {head!r}"
    return mdoc.Page(found[1], int(found[2]), found[3], tuple(marked_up(body, lines)))


def sections(text: str) -> dict[str, str]:
    """The sections of a file in `text/`, by their heads."""
    parts = re.split(r"^# ", prose(text), flags=re.M)[1:]
    return {head: body for head, _, body in (part.partition("\n") for part in parts)}


def marked_up(text: str, given: Mapping[str, Iterable[str]] | None = None) -> Iterator[str]:
    """A text as lines of mdoc."""
    begun = True
    for block in _blocks(text):
        first = block[0]
        if first.startswith("#"):
            title = first.lstrip("# ")
            yield mdoc.subsection(title) if first.startswith("##") else mdoc.section(title)
            begun = True
            continue
        if first.startswith("{") and first.endswith("}"):
            yield from (given or {})[first[1:-1]]
        elif first.startswith("    "):
            yield from mdoc.example(line[4:] for line in block)
        elif first.startswith("- "):
            yield from mdoc.terms(terms(block))
        elif first.startswith("|"):
            yield from mdoc.table([[cell.strip() for cell in line.strip("|").split("|")] for line in block])
        else:
            if not begun:
                yield ".Pp"
            yield from mdoc.paragraph(" ".join(block))
        begun = False


def _blocks(text: str) -> Iterator[list[str]]:
    """Lines that belong together; a head is a block of its own, and an example may have empty lines."""
    block: list[str] = []
    for line in [*text.split("\n"), ""]:
        if line.strip() and not line.startswith("#"):
            block.append(line.rstrip())
            continue
        if block:
            yield block
            block = []
        if line.startswith("#"):
            yield [line]


def terms(block: Iterable[str]) -> Iterator[tuple[str, list[str]]]:
    """The terms of a block, each with the lines of mdoc that explain it."""
    found: list[str] = []
    for line in block:
        if line.startswith("- "):
            found.append(line[2:])
        else:
            found[-1] += " " + line.strip()
    for one in found:
        term, _, said = one.partition(" :: ")
        yield mdoc.words(term), list(mdoc.paragraph(said))
