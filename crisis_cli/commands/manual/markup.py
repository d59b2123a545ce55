"""The prose of the manuals: plain text files, read into mdoc.

`# Section` and `## Part` are heads; a block indented by four is an example; `- term :: words` are terms, going on in
lines indented by two; lines between bars are a table, the first row its heads; `{name}` alone on a line is where the
program puts what it knows itself; everything else is a paragraph. What is typed as it stands is in backquotes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from . import mdoc


def prose(name: str, given: Mapping[str, Iterable[str]] | None = None) -> Iterator[str]:
    """The lines of a page whose text is in `text/`, with what is given put in its places."""
    text = (Path(__file__).parent / "text" / f"{name}.md").read_text(encoding="utf-8")
    return marked_up(text, given)


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
            yield from mdoc.terms(_terms(block))
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


def _terms(block: Iterable[str]) -> Iterator[tuple[str, Iterable[str]]]:
    found: list[str] = []
    for line in block:
        if line.startswith("- "):
            found.append(line[2:])
        else:
            found[-1] += " " + line.strip()
    for one in found:
        term, _, said = one.partition(" :: ")
        yield mdoc.words(term), list(mdoc.paragraph(said))
