"""Pages of the manual as Markdown, for the documentation site: read from the mdoc(7) that `mdoc` writes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from textwrap import indent

from . import mdoc

SIGNS = {spelling: sign for sign, spelling in mdoc.SIGNS.items()} | {"\\-": "-", "\\&": ""}
"""The sign for each of mdoc's spellings."""
SPELLING = re.compile(r"\\(?:\(..|\[u([0-9A-F]+)\]|[-&e])")
FONT = re.compile(r"\\f([BI])(.*?)\\fR")
MARKUP = re.compile(r"[\\`*_<>\[\]|{}]")
"""Signs that Markdown would obey."""


def linked(text: str, folder: str = "") -> str:
    """Markdown with a link at each page of the manual that it names; `folder` leads to the pages."""
    return mdoc.PAGE.sub(lambda page: f"{page[1]}{_link(page[2], page[3], folder)}{page[4]}", text)


def markdown(page: mdoc.Page) -> str:
    """A page of the manual as Markdown: its name as the title, then its sections."""
    about = f"{page.about[:1].upper()}{page.about[1:]}."
    parts = [f"# {page.name}({page.number})", _text([about]), *_blocks(iter(page.lines))]
    return "\n\n".join(parts) + "\n"


def _blocks(lines: Iterator[str]) -> Iterator[str]:
    """The blocks of a page, or of a list's term."""
    text: list[str] = []
    for line in lines:
        macro, _, rest = line.partition(" ")
        if macro in (".Pp", ".Sh", ".Ss", ".Bd", ".Bl", ".TS") and text:
            yield _text(text)
            text = []
        match macro:
            case ".Sh":
                yield f"## {rest[:1].upper()}{rest[1:]}"
            case ".Ss":
                yield f"### {_inline(rest)}"
            case ".Bd":
                yield _example(_until(lines, ".Ed"))
            case ".Bl":
                yield "\n\n".join(_terms(_until(lines, ".El")))
            case ".TS":
                yield "\n".join(_table(_until(lines, ".TE")))
            case ".Pp":
                pass
            case _:
                text.append(line)
    if text:
        yield _text(text)


def _until(lines: Iterable[str], end: str) -> Iterator[str]:
    for line in lines:
        if line == end:
            return
        yield line


def _usage(lines: Iterable[str]) -> str:
    """A synopsis, a line for each `.Nm`."""
    words = re.sub(r"\.Op Ar ([^\n]+)", r"[\1]", "\n".join(lines))
    return _example(re.sub(r"\n(?!\.Nm)(?:\.\w\w )?", " ", words).replace(".Nm ", "").split("\n"))


def _example(lines: Iterable[str]) -> str:
    """Lines in a fence, marked as a session of the shell or of Python where they are one."""
    shown = [_plain(line) for line in lines]
    language = "console" if shown[0].startswith("$ ") else "pycon" if shown[0].startswith(">>> ") else "text"
    return "\n".join([f"```{language}", *shown, "```"])


def _terms(lines: Iterable[str]) -> Iterator[str]:
    """The terms of a list, each with its blocks, as a definition list."""
    items: list[list[str]] = []
    for line in lines:
        if line.startswith(".It "):
            items.append([line.removeprefix(".It ")])
        else:
            items[-1].append(line)
    for head, *body in items:
        blocks = "\n\n".join(_blocks(iter(body))) or "–"
        yield f"{_head(head)}\n:   {indent(blocks, '    ').lstrip()}"


def _head(head: str) -> str:
    """The term of a list: options, arguments and verbs are macros in its line."""
    if not re.match(r"(?:Fl|Ar|Cm|Ic) ", head):
        return _inline(head)
    parts: list[str] = []
    for macro, word in re.findall(r"(Fl|Ar|Cm|Ic|,) ?((?:(?! Ar | , ).)*)", head):
        text = _plain(word.strip())
        if macro == "Fl":
            parts.append(f"`-{text}`")
        elif macro == ",":
            parts[-1] += ","
            parts += [f"`-{text.removeprefix('Fl ')}`"] if text.startswith("Fl ") else []
        else:
            parts.append(f"*{MARKUP.sub(_escaped, text)}*" if macro == "Ar" else f"`{text}`")
    return " ".join(parts)


def _table(lines: Iterable[str]) -> Iterator[str]:
    """The rows of a table, the first as its heads."""
    text = "\n".join([*lines][1:])
    heads, *rows = re.sub(r"T\{\n(.*?)\nT\}", r"\1", text, flags=re.S).split("\n")
    for number, row in enumerate([FONT.sub(r"\2", heads), *rows]):
        cells = [_inline(cell).replace("|", r"\|") for cell in row.split("\t")]
        yield f"| {' | '.join(cells)} |"
        if number == 0:
            yield "|" + " --- |" * len(cells)


def _text(lines: Sequence[str]) -> str:
    """A paragraph, whose macros are other pages and words in italics; or a synopsis."""
    if lines[0].startswith(".Nm "):
        return _usage(lines)
    parts = []
    for line in lines:
        if reference := re.match(r"\.(Pf \( )?Xr (\S+) (\d) ?(.*)", line):
            bracket = "(" if reference[1] else ""
            parts.append(f"{bracket}{_link(reference[2], reference[3])}{reference[4].replace(' ', '')}")
        elif line.startswith(".Em "):
            parts.append(f"*{_inline(line.removeprefix('.Em ').removesuffix(' :'))}:*")
        else:
            parts.append(_inline(line))
    return " ".join(parts)


def _link(name: str, number: str, folder: str = "") -> str:
    return f"[{name}({number})]({folder}{name}.{number}.md)"


def _inline(text: str) -> str:
    """Words with what is typed in backquotes, what is to be replaced in italics, the rest as it stands."""
    parts, at = [], 0
    for span in FONT.finditer(text):
        parts.append(MARKUP.sub(_escaped, _plain(text[at : span.start()])))
        words = _plain(span[2])
        ticks = "``" if "`" in words else "`"
        parts.append(f"{ticks}{words}{ticks}" if span[1] == "B" else f"*{MARKUP.sub(_escaped, words)}*")
        at = span.end()
    return "".join([*parts, MARKUP.sub(_escaped, _plain(text[at:]))])


def _escaped(sign: re.Match[str]) -> str:
    return f"\\{sign[0]}"


def _plain(text: str) -> str:
    """A text of mdoc with its signs as they are, without fonts."""
    text = re.sub(r"\\f[BIR]", "", text)
    return SPELLING.sub(lambda sign: chr(int(sign[1], 16)) if sign[1] else SIGNS[sign[0]], text)
