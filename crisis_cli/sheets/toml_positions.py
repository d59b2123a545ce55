"""The position of each key in a TOML text: its line, and the characters of its value."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from typing import Literal

from ..values import NamedTuple

KeyPath = tuple[str | int, ...]
"""The way to a value: keys of tables and indexes of arrays, from the outside in."""

Kind = Literal["value", "braces", "header", "rows", "dotted", "implied"]
"""How a thing is written:

- value: a number, text, truth, date or array, as `key = value` or as an element of an array;
- braces: a table written inline, `{ pistol = 3 }`;
- header: a table under a header, `[state]` or one `[[gear]]`; also the whole text, whose path is ();
- rows: the array that `[[gear]]` headers fill;
- dotted: a table made only by a dotted key, `state` in `state.hp = 3`;
- implied: a table made only by the header of another, `state` in `[state.ammo]`.
"""

DEEPEST = 64
"""The number of parts of a path that are distinguished; deeper values count as one place."""
BLANK = " \t\r\n"
AFTER_BARE = ",]}#\r\n"
"""What ends a number, truth or date; spaces do not, a date may hold one."""


class Span(NamedTuple):
    """The place of one key and its value; offsets count characters, and ends are exclusive."""

    line: int
    """The line of the key, or of the header, counted from 1."""
    start: int
    """Where the value begins; for a table with a header, right behind the header's brackets."""
    end: int
    """Where the value ends; for a table with a header, the end of the last value under that header."""
    key_start: int
    """Where the key begins, or the bracket of a header, or an element of an array."""
    inline: bool
    """It lies inside an inline table or an array."""
    kind: Kind
    home: KeyPath
    """The table under whose header it is written; a table with a header is its own home."""

    @property
    def pair(self) -> bool:
        """It is a `key = value` with lines of its own."""
        return self.kind in ("value", "braces") and not self.inline


def spans(text: str) -> dict[KeyPath, Span]:
    """The position of every table, array and value of a valid TOML text, by key path; () is the whole text."""
    reader = _Reader(text)
    reader.read()
    return reader.found


def line_of(found: Mapping[KeyPath, Span], path: KeyPath) -> int:
    """The line of a path, or of its nearest ancestor that is there, or 1."""
    for length in range(len(path), 0, -1):
        if path[:length] in found:
            return found[path[:length]].line
    return 1


def under(found: Mapping[KeyPath, Span], path: KeyPath) -> Iterator[Span]:
    """The positions of a path and of everything inside it."""
    return (span for here, span in found.items() if here[: len(path)] == path)


def line_start(text: str, at: int) -> int:
    """Where the line that holds an offset begins."""
    return text.rfind("\n", 0, at) + 1


def line_end(text: str, at: int) -> int:
    """Where that line ends, its line end not counted."""
    end = text.find("\n", at)
    if end < 0:
        return len(text)
    return end - text.startswith("\r", max(at, end - 1), end)


def next_line(text: str, at: int) -> int:
    """Where the line after it begins, or the end of the text."""
    return text.find("\n", at) + 1 or len(text)


class _Reader:
    """One pass over a text; it trusts the text to be valid, so each step knows what must come next."""

    def __init__(self, text: str):
        self.text = text
        self.at = 0
        self.newlines = [at for at, sign in enumerate(text) if sign == "\n"]
        self.found: dict[KeyPath, Span] = {(): Span(1, 0, 0, 0, False, "header", ())}
        self.rows: dict[KeyPath, int] = {}
        """How many `[[headers]]` each array has had so far."""

    def read(self) -> None:
        home: KeyPath = ()
        while self.skip_blank():
            if self.text[self.at] == "[":
                home = self.read_header()
            else:
                end = self.read_pair(home, home, inline=False)
                self.found[home] = self.found[home]._replace(end=end)

    def read_header(self) -> KeyPath:
        """Step over a header; gives the path of the table that it opens."""
        begin = self.at
        twice = self.text.startswith("[[", begin)
        self.at += 2 if twice else 1
        *outer, last = self.read_key()
        self.at += 2 if twice else 1
        path: KeyPath = ()
        for part in outer:
            path = _deeper(path, part)
            self.found.setdefault(path, self.span(begin, begin, False, "implied", path))
            if path in self.rows:
                path = _deeper(path, self.rows[path] - 1)
        path = _deeper(path, last)
        if twice:
            self.found.setdefault(path, self.span(begin, self.at, False, "rows", path))
            index = self.rows.get(path, 0)
            self.rows[path] = index + 1
            path = _deeper(path, index)
        self.found[path] = self.span(begin, self.at, False, "header", path)
        return path

    def read_pair(self, table: KeyPath, home: KeyPath, *, inline: bool) -> int:
        """Step over `key = value`; gives the end of the value."""
        begin = self.at
        *outer, last = self.read_key()
        path = table
        for part in outer:
            path = _deeper(path, part)
            self.found.setdefault(path, self.span(begin, begin, inline, "dotted", home))
        self.at += 1  # the equals sign
        self.skip_blank()
        return self.read_value(_deeper(path, last), begin, home, inline=inline)

    def read_key(self) -> list[str]:
        """Step over a key, its dots and the spaces around them; gives its parts."""
        parts = [self.read_part()]
        while self.skip_blank() and self.text[self.at] == ".":
            self.at += 1
            parts.append(self.read_part())
        return parts

    def read_part(self) -> str:
        self.skip_blank()
        begin = self.at
        if self.text[begin] in "\"'":
            self.skip_string()
            return _unquoted(self.text[begin : self.at])
        while self.text[self.at] not in " \t.=]":
            self.at += 1
        return self.text[begin : self.at]

    def read_value(self, path: KeyPath, key_start: int, home: KeyPath, *, inline: bool) -> int:
        """Step over a value and all that lies in it; gives its end."""
        begin = self.at
        first = self.text[begin]
        # Noted before what lies in it, so that paths come in the order of the text.
        self.found[path] = self.span(key_start, begin, inline, "braces" if first == "{" else "value", home)
        if first == "[":
            for index, _ in enumerate(self.items("]")):
                self.read_value(_deeper(path, index), self.at, home, inline=True)
        elif first == "{":
            for _ in self.items("}"):
                self.read_pair(path, home, inline=True)
        elif first in "\"'":
            self.skip_string()
        else:
            while self.at < len(self.text) and self.text[self.at] not in AFTER_BARE:
                self.at += 1
            self.at = begin + len(self.text[begin : self.at].rstrip(BLANK))
        self.found[path] = self.found[path]._replace(end=self.at)
        return self.at

    def items(self, closing: str) -> Iterator[None]:
        """Stop at each item between brackets, for the caller to step over it, and leave behind the last."""
        self.at += 1
        while self.skip_blank() and self.text[self.at] != closing:
            yield
            if self.skip_blank() and self.text[self.at] == ",":
                self.at += 1
        self.at += 1

    def skip_blank(self) -> bool:
        """Step over spaces, line ends and comments; says whether anything is left."""
        text, at, size = self.text, self.at, len(self.text)
        while at < size and (text[at] in BLANK or text[at] == "#"):
            if text[at] == "#":
                at = text.find("\n", at) % (size + 1)  # without another line end: the end of the text
            else:
                at += 1
        self.at = at
        return at < size

    def skip_string(self) -> None:
        """Step over a string of any of the four kinds."""
        text, at = self.text, self.at
        quote = text[at]
        long = text.startswith(quote * 3, at)
        fence = quote * 3 if long else quote
        at += len(fence)
        while not text.startswith(fence, at):
            at += 2 if text[at] == "\\" and quote == '"' else 1
        at += len(fence)
        if long:  # one or two quotes more belong to the text before the fence
            for _ in range(2):
                at += text.startswith(quote, at)
        self.at = at

    def span(self, key_start: int, start: int, inline: bool, kind: Kind, home: KeyPath) -> Span:
        line = bisect_left(self.newlines, key_start) + 1
        return Span(line, start, start, key_start, inline, kind, home)


def _deeper(path: KeyPath, part: str | int) -> KeyPath:
    return (*path, part) if len(path) < DEEPEST else path


def _unquoted(key: str) -> str:
    if key[0] == "'" or "\\" not in key:
        return key[1:-1]
    import tomllib

    name: str = tomllib.loads(f"key = {key}")["key"]
    return name
