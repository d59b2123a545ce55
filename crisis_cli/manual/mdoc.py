"""Words into mdoc(7), the language of manual pages: paragraphs, lists, tables, examples."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

DATED = "November 21, 2026"
"""The date that the pages carry; raise it with a release."""
SIGNS = {
    "\\": "\\e", "−": "\\-", "–": "\\(en", "—": "\\(em", "…": "...", "×": "\\(mu", "→": "\\(->", "±": "\\(+-",
    "≥": "\\(>=", "≤": "\\(<=", "’": "\\(cq", "“": "\\(lq", "”": "\\(rq", "·": "\\(pc", "√": "\\(sr",
}  # fmt: skip
"""What mdoc writes for signs that it has its own spelling for."""
MACRO = re.compile(r"^(?:[A-Z%][A-Za-z0-9]{1,2}|[.,:;()\[\]?!|]+)$")
"""Words that mdoc would obey in a line of macros."""
SENTENCE = re.compile(r"(?<=[A-Za-z0-9)`\]][.!?:]) +(?=[A-Z`“(])")

PAGE = re.compile(r"\b(crisis(?:-[a-z0-9]+)*)\((\d)\)([.,:;)]*)")
"""Another page of the manual."""


def escaped(text: str) -> str:
    """A text as mdoc has to write it."""
    return "".join(SIGNS.get(sign, sign if sign < "\x7f" else f"\\[u{ord(sign):04X}]") for sign in text)


def inline(text: str) -> str:
    """A text with the parts in backquotes in bold: they are typed literally."""
    parts = text.split("`")
    if len(parts) % 2 == 0:
        raise ValueError(f"an odd number of backquotes: {text}")
    return "".join(
        f"\\fB{escaped(part).replace('-', chr(92) + '-')}\\fR" if at % 2 else escaped(part)
        for at, part in enumerate(parts)
    )


def words(text: str) -> str:
    """A text as arguments of a macro, none of which is obeyed."""
    return " ".join(f"\\&{word}" if MACRO.match(word) else word for word in inline(text).split())


def paragraph(text: str) -> Iterator[str]:
    """A sentence to a line, as mdoc likes it, and a line for each page that it names."""
    for sentence in SENTENCE.split(" ".join(text.split())):
        at = 0
        for page in PAGE.finditer(sentence):
            yield from _plain(sentence[at : page.start()])
            yield f".Xr {page[1]} {page[2]} {' '.join(page[3])}".rstrip()
            at = page.end()
        yield from _plain(sentence[at:])


def _plain(text: str) -> Iterator[str]:
    line = inline(text.strip())
    if line:
        yield f"\\&{line}" if line[0] in (".", "'") else line


def section(title: str) -> str:
    """The head of a section."""
    return f".Sh {words(title.upper())}"


def subsection(title: str) -> str:
    """The head of a part of a section."""
    return f".Ss {words(title)}"


def example(lines: Iterable[str]) -> Iterator[str]:
    """Lines as they stand."""
    yield ".Bd -literal -offset indent"
    for line in lines:
        shown = escaped(line).replace("-", "\\-")
        yield f"\\&{shown}" if shown[:1] in (".", "'") else shown
    yield ".Ed"


def terms(pairs: Iterable[tuple[str, Iterable[str]]]) -> Iterator[str]:
    """A list of terms, each with the lines that explain it."""
    yield ".Bl -tag -width Ds"
    for term, lines in pairs:
        yield f".It {term}"
        yield from lines
    yield ".El"


def table(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Rows under their heads."""
    columns = range(len(rows[0]))
    wide = [max(len(row[column].replace("`", "")) for row in rows) for column in columns]
    yield ".Bl -column " + " ".join(f'"{"x" * min(size, 40)}"' for size in wide)
    for number, row in enumerate(rows):
        cells = [words(cell) or "\\&" for cell in row]
        yield ".It " + " Ta ".join(f"Em {cell}" if number == 0 else cell for cell in cells)
    yield ".El"


class Page(NamedTuple):
    """A manual page."""

    name: str
    number: int
    about: str
    lines: tuple[str, ...]
    """Everything after the section NAME."""

    @property
    def path(self) -> str:
        """Its place under man/."""
        return f"man{self.number}/{self.name}.{self.number}"

    def text(self) -> str:
        """The page as a file."""
        head = [
            '.\\" Made by python -m crisis_cli.manual; do not edit.',
            f".Dd {DATED}",
            f".Dt {self.name.upper()} {self.number}",
            ".Os crisis",
            ".Sh NAME",
            f".Nm {self.name}",
            f".Nd {words(self.about)}",
        ]
        return "\n".join([*head, *self.lines]) + "\n"


def see_also(pages: Iterable[tuple[str, int]]) -> list[str]:
    """Other pages by name, in order of section and name."""
    found = sorted(set(pages), key=lambda page: (page[1], page[0]))
    return [
        f".Xr {name} {number}" + (" ," if at < len(found) - 1 else "")
        for at, (name, number) in enumerate(found)
    ]
