"""What is wrong with a text that is not TOML, in plain words: its line, the fault, and what to do."""

from __future__ import annotations

import re

from ..values import NamedTuple

KEY = r"""(?:[\w.-]+|"[^"\n]*"|'[^'\n]*')"""
"""A key as a file spells it."""
PAIR = re.compile(rf"\s*({KEY})\s*=\s*(.*)")
HEADER = re.compile(r"\s*\[\[?\s*([^\[\]]+?)\s*\]")
WHERE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
"""Where the reader stopped, as its messages say it."""
PARTS = re.compile(r"'([^']*)'|\"([^\"]*)\"")
LONG_QUOTE = '"""'
CONSTANTS = ("true", "false", "inf", "nan")
"""Words that are values without quotes."""


class TomlFault(NamedTuple):
    """A fault of a text that is not TOML."""

    line: int
    key: str
    """The key on that line; empty if there is none."""
    message: str
    """The fault, and what to do."""


def toml_fault(text: str, error: str) -> TomlFault:
    """The fault that a message of the TOML reader means, in plain words."""
    lines = text.replace("\r\n", "\n").split("\n")
    found = WHERE.search(error)
    last = max((number for number, row in enumerate(lines, start=1) if row.strip()), default=1)
    number = int(found[1]) if found and found[1] else last
    column = int(found[2]) if found and found[2] else 0
    what = error[: found.start()] if found else error
    if what.startswith(("Cannot declare", "Cannot mutate", "Cannot redefine")):
        name = ".".join(_named(what))
        return TomlFault(number, name, _table_twice(lines, number, name))
    if what.startswith("Cannot overwrite"):
        return _key_twice(lines, number)
    if what.startswith("Duplicate inline table key"):
        name = ".".join(_named(what))
        return TomlFault(number, name, f"{name} stands twice between {{ and }}: delete one")
    sign = _quote_left_open(text, what)
    if sign:
        number = text.count("\n", 0, text.rfind(sign)) + 1
        key = _key_at(lines, number)
        return TomlFault(number, key, _quote_open(key) if len(sign) == 1 else _long_quote_open(key))
    if not column and (opened := _opened(lines, number, "[")):
        number = opened
    return TomlFault(number, _key_at(lines, number), _said(lines, number, what, column))


def _quote_left_open(text: str, what: str) -> str:
    """The quotes that open a text which goes on to the end of the file, the last of their kind; empty for another
    fault."""
    if what.startswith("Unterminated string"):
        return LONG_QUOTE if text.count(LONG_QUOTE) % 2 else LONG_QUOTE[0]
    return {'Expected "\'"': "'", "Expected \"'''\"": "'''"}.get(what, "")


def _named(message: str) -> list[str]:
    """The words that a message of the reader has in quotes."""
    return [one or other for one, other in PARTS.findall(message)]


def _table_twice(lines: list[str], number: int, name: str) -> str:
    """What to do about a header whose table is there already."""
    headers = [
        at
        for at, row in enumerate(lines[: number - 1], start=1)
        if (match := HEADER.match(row)) and match[1].replace(" ", "") == name
    ]
    if headers:
        one, other = (lines[at - 1].strip().startswith("[[") for at in (headers[0], number))
        if one != other:
            return f"[{name}] stands beside [[{name}]] (line {headers[0]}): write [[{name}]] each time"
        way = f"put all of it under one, or write [[{name}]] each time"
        return f"[{name}] stands twice, in line {headers[0]} too: {way}"
    return f"{name} is there already, as `{name} = …`: write all of it there, or under [{name}]"


def _key_twice(lines: list[str], number: int) -> TomlFault:
    """The fault of a key, or a table, that is there already; the reader stopped in the last line of its value."""
    header = HEADER.match(lines[number - 1])
    if header and not PAIR.match(lines[number - 1]):
        name = header[1].replace(" ", "")
        return TomlFault(number, name, _table_twice(lines, number, name))
    for at in range(number, 0, -1):
        key = _key_at(lines, at)
        earlier = _line_of_key(lines, at - 1, key) if key else 0
        if earlier:
            return TomlFault(at, key, f"{key} stands twice, in line {earlier} too: delete one")
        if key and at == number:
            return TomlFault(at, key, f"{key} stands twice: delete one")
    return TomlFault(number, "", "a key stands twice: delete one")


def _line_of_key(lines: list[str], number: int, key: str) -> int:
    """The line up to this one that has a key in the same table; 0 if there is none."""
    for at in range(number, 0, -1):
        if _key_at(lines, at) == key:
            return at
        if HEADER.match(lines[at - 1]):
            return 0
    return 0


def _key_at(lines: list[str], number: int) -> str:
    """The key with which a line begins; empty if it begins with none."""
    found = PAIR.match(lines[number - 1])
    return found[1] if found else ""


def _said(lines: list[str], number: int, what: str, column: int) -> str:
    """The plain words for a text that cannot be read any further than to this line; column 0 is its end."""
    row, key = lines[number - 1], _key_at(lines, number)
    of = f" of {key}" if key else ""
    if what.startswith("Unclosed array"):
        if not column:
            return f"the list{of} is not closed: add ]"
        opened = _opened(lines, number, "[")
        where = f" in the list {_key_at(lines, opened)} (line {opened})" if opened else ""
        return f"a comma or ] is missing{where}"
    if what.startswith("Unclosed inline table"):
        return f"the table{of} is not closed: add }} in the same line, and a comma between its keys"
    if what.startswith(("Illegal character", "Found invalid character")):
        if r"\n" in what or r"\r" in what:
            return _quote_open(key)
        return f"there is a character that no text may hold ({what.rpartition('character ')[2]}): delete it"
    if what.startswith(("Unescaped", "Invalid hex", "Escaped")):
        return f"\\ has a meaning of its own in the text{of}: write \\\\, or put the text between '…'"
    if what.startswith("Invalid value"):
        found = re.match(r"[^\s,\]}#]*", row[column - 1 :] if column else "")
        word = found[0][:40] if found else ""
        if not word:
            return f"{key or 'a key'} has no value"
        if word.startswith("="):
            return f"= stands twice behind {key}"
        if word.lower() in CONSTANTS:
            return f"{word}{of} must be written {word.lower()}"
        return f'{word}{of} is no value: text stands between quotes, "{word}"'
    if what.startswith("Expected '='"):
        return f"{row.strip()[:40]!r} is no `key = value`: = is missing, or a key with spaces has no quotes"
    if what.startswith("Expected newline"):
        return f"there is more behind the value{of}: one key a line; a comment begins with #"
    if what.startswith("Expected ']"):
        return "the brackets of a header are not closed: [name] or [[name]]"
    if what.startswith(("Invalid statement", "Invalid initial character")):
        return f"{row.strip()[:40]!r} is no `key = value`, no [table] and no # comment"
    if what.startswith("Invalid date"):
        return f"the date{of} is on no calendar"
    return f"{what[:80]}{of}"


def _quote_open(key: str) -> str:
    return f"the quote{f' of {key}' if key else ''} is not closed; a text of several lines stands between three quotes"


def _long_quote_open(key: str) -> str:
    return f"the text{f' of {key}' if key else ''} is not closed: add its three quotes"


def _opened(lines: list[str], number: int, sign: str) -> int:
    """The line, up to this one, of the last value that begins with a sign; 0 if there is none."""
    for at in range(number, 0, -1):
        found = PAIR.match(lines[at - 1])
        if found and found[2].startswith(sign):
            return at
    return 0
