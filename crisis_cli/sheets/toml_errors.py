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
CONSTANTS = ("true", "false", "inf", "nan")
"""Words that are values without quotes."""


class TomlFault(NamedTuple):
    """A fault of a text that is not TOML."""

    line: int
    message: str
    """The fault, and what to do."""


def toml_fault(text: str, error: str) -> TomlFault:
    """The fault that a message of the TOML reader means, in plain words."""
    lines = text.replace("\r\n", "\n").split("\n")
    found = WHERE.search(error)
    last = max((number for number, row in enumerate(lines, start=1) if row.strip()), default=1)
    number = int(found[1]) if found and found[1] else last
    what = error[: found.start()] if found else error
    if what.startswith(("Cannot declare", "Cannot mutate", "Cannot redefine")):
        return TomlFault(number, _table_twice(lines, number, ".".join(_named(what))))
    if what.startswith("Cannot overwrite"):
        return _key_twice(lines, number)
    if what.startswith("Duplicate inline table key"):
        return TomlFault(number, f"{'.'.join(_named(what))} stands twice between {{ and }}: delete one")
    column = int(found[2]) if found and found[2] else 0
    return TomlFault(number, _said(lines, number, what, column))


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
        return TomlFault(number, _table_twice(lines, number, header[1].replace(" ", "")))
    for at in range(number, 0, -1):
        found = PAIR.match(lines[at - 1])
        if not found:
            continue
        for earlier in range(at - 1, 0, -1):
            row = lines[earlier - 1]
            same = PAIR.match(row)
            if same and same[1] == found[1]:
                return TomlFault(at, f"{found[1]} stands twice, in line {earlier} too: delete one")
            if HEADER.match(row) and not same:
                break
        if at == number:
            return TomlFault(at, f"{found[1]} stands twice: delete one")
    return TomlFault(number, "a key stands twice: delete one")


def _said(lines: list[str], number: int, what: str, column: int) -> str:
    """The plain words for a text that cannot be read any further than to this line; column 0 is its end."""
    row = lines[number - 1]
    pair = PAIR.match(row)
    key = pair[1] if pair else ""
    of = f" of {key}" if key else ""
    if what.startswith("Unclosed array"):
        where = _opened(lines, number, "[")
        return f"a list is not closed{where}: add ]" if not column else f"a comma or ] is missing{where}"
    if what.startswith("Unclosed inline table"):
        return f"the table{of} is not closed: add }} in the same line, and a comma between its keys"
    if (
        what.startswith(("Unterminated string", "Expected '", 'Expected "'))
        and "=" not in what
        and "]" not in what
    ):
        where = _opened(lines, number, ('"""', "'''"))
        return f"a text of several lines is not closed{where}: add its three quotes" if where else _quote(of)
    if what.startswith(("Illegal character", "Found invalid character")):
        if r"\n" in what or r"\r" in what:
            return _quote(of)
        return f"there is a character that no text may hold ({what.rpartition('character ')[2]}): delete it"
    if what.startswith(("Unescaped", "Invalid hex", "Escaped")):
        return f"\\ has a meaning of its own in a text{of}: write \\\\, or put the text between '…'"
    if what.startswith("Invalid value"):
        found = re.match(r"[^\s,\]}#]*", row[column - 1 :] if column else "")
        word = found[0][:40] if found else ""
        if not word:
            return f"{key or 'a key'} has no value"
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
        return f"there is no such date{of}"
    return f"{what[:80]}{of}"


def _quote(of: str) -> str:
    return f"the quote{of} is not closed; a text of several lines stands between three quotes"


def _opened(lines: list[str], number: int, signs: str | tuple[str, ...]) -> str:
    """` (KEY, line N)`: the last value that begins with one of these signs; empty if there is none."""
    for at in range(number, 0, -1):
        found = PAIR.match(lines[at - 1])
        if found and found[2].startswith(signs):
            return f" ({found[1]}, line {at})"
    return ""
