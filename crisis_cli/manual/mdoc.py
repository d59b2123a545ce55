"""Words into mdoc(7), the language of manual pages: paragraphs, lists, tables, examples."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

DATED = "November 21, 2026"
"""The date that the pages carry; raise it with a release."""
SIGNS = {
    "\\": "\\e", "−": "\\(mi", "–": "\\(en", "—": "\\(em", "×": "\\(mu", "→": "\\(->", "±": "\\(+-",
    "≥": "\\(>=", "≤": "\\(<=", "’": "\\(cq", "“": "\\(lq", "”": "\\(rq", "·": "\\(pc", "√": "\\(sr",
    '"': "\\(dq", "'": "\\(aq", "^": "\\(ha", "~": "\\(ti",
}  # fmt: skip
"""What mdoc writes for signs that it has its own spelling for, or that it would obey or make typographic."""
MACRO = re.compile(r"^(?:[A-Z%][A-Za-z0-9]{1,2}|[.,:;()\[\]?!|]+)$")
"""Words that mdoc would obey in a line of macros."""
SENTENCE = re.compile(r'(?<=[A-Za-z0-9)`\]"][.!?:]) +(?=[A-Z`“(])')
WIDE = 24
"""Signs of the longest cell of a column from which on it takes the room that is left in the line."""

PAGE = re.compile(r"(\(?)\b(crisis(?:-[a-z0-9]+)*)\((\d)\)([.,:;)]*)")
"""Another page of the manual, with the bracket that it stands in."""


def escaped(text: str) -> str:
    """A text as mdoc has to write it."""
    return "".join(SIGNS.get(sign, sign if sign < "\x7f" else f"\\[u{ord(sign):04X}]") for sign in text)


def literal(text: str) -> str:
    """A text to be typed as it stands: its hyphens are those of the keyboard."""
    return "\\-".join(map(escaped, text.split("-")))


def inline(text: str) -> str:
    """A text with the parts in backquotes in bold: they are typed literally."""
    parts = text.split("`")
    if len(parts) % 2 == 0:
        raise ValueError(f"an odd number of backquotes: {text}")
    return "".join(f"\\fB{literal(part)}\\fR" if at % 2 else escaped(part) for at, part in enumerate(parts))


def words(text: str) -> str:
    """A text as arguments of a macro, none of which is obeyed."""
    return " ".join(f"\\&{word}" if MACRO.match(word) else word for word in inline(text).split())


def paragraph(text: str) -> Iterator[str]:
    """A sentence to a line, as mdoc likes it, and a line for each page that it names."""
    for sentence in SENTENCE.split(" ".join(text.split())):
        at = 0
        for page in PAGE.finditer(sentence):
            yield from _plain(sentence[at : page.start()])
            macro = ".Pf ( Xr" if page[1] else ".Xr"
            yield f"{macro} {page[2]} {page[3]} {' '.join(page[4])}".rstrip()
            at = page.end()
        yield from _plain(sentence[at:])


def _plain(text: str) -> Iterator[str]:
    line = inline(text.strip())
    if line:
        yield _no_request(line)


def _no_request(line: str) -> str:
    """A line that neither mdoc nor tbl obeys."""
    return f"\\&{line}" if line[:1] == "." or line in ("", "_", "=") else line


def section(title: str) -> str:
    """The head of a section, which `Page.text` puts in capitals."""
    return f".Sh {title}"


def subsection(title: str) -> str:
    """The head of a part of a section."""
    return f".Ss {words(title)}"


def example(lines: Iterable[str]) -> Iterator[str]:
    """Lines as they stand."""
    yield ".Bd -literal -offset indent"
    for line in lines:
        shown = literal(line)
        yield _no_request(shown) if shown else ""
    yield ".Ed"


def terms(pairs: Iterable[tuple[str, Iterable[str]]]) -> Iterator[str]:
    """A list of terms, each with the lines that explain it."""
    yield ".Bl -tag -width Ds"
    for term, lines in pairs:
        yield f".It {term}"
        yield from lines
    yield ".El"


def table(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Rows under their heads, for tbl(1), which breaks the cells of wide columns between words."""
    wide = [max(map(len, column)) > WIDE for column in zip(*rows, strict=True)]
    yield ".TS"
    yield " ".join("lx" if is_wide else "l" for is_wide in wide) + "."
    for number, row in enumerate(rows):
        cells = [_no_request(inline(cell)) if number else f"\\fI{inline(cell)}\\fR" for cell in row]
        yield "\t".join(
            f"T{{\n{cell}\nT}}" if is_wide else cell for cell, is_wide in zip(cells, wide, strict=True)
        )
    yield ".TE"


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
            "'\\\" t",
            '.\\" Made by python -m crisis_cli.manual; do not edit.',
            f".Dd {DATED}",
            f".Dt {self.name.upper()} {self.number}",
            ".Os crisis",
            ".Sh NAME",
            f".Nm {self.name}",
            f".Nd {words(self.about)}",
        ]
        body = [
            f".Sh {words(line.removeprefix('.Sh ').upper())}" if line.startswith(".Sh ") else line
            for line in self.lines
        ]
        return "\n".join([*head, *body]) + "\n"


def see_also(pages: Iterable[tuple[str, int]]) -> list[str]:
    """Other pages by name, in order of section and name."""
    found = sorted(set(pages), key=lambda page: (page[1], page[0]))
    return [
        f".Xr {name} {number}" + (" ," if at < len(found) - 1 else "")
        for at, (name, number) in enumerate(found)
    ]
