"""A sheet measured against its system: every fault with file, line and key."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from ..engine.kinds import LONGEST, Fault, guess
from ..engine.kinds import shown as said_as
from ..errors import FileTrouble
from ..systems import load, names
from .files import contents
from .lines import line_of, spans

LARGEST = 1_000_000
"""Bytes a sheet may have."""
DEEPEST = 64
"""Parts a key may have between its dots; TOML readers take the square of that."""
KEYS = {"sheet": "crisis character schema SYSTEM", "doctrine": "crisis-doctrine(5)"}
"""Where all keys of a kind of file are told."""
MARK = "\ufeff"
"""The byte order mark that some editors begin a file with."""


class Sheet(NamedTuple):
    """A sheet as it is on disk, and as the rules read it."""

    path: Path
    text: str
    raw: Mapping[str, Any]
    """As TOML gives it."""
    values: Mapping[str, Any]
    """As the schema gives it: known spellings, words as numbers, defaults filled in."""
    mark: str = ""
    """The byte order mark in front of the text, where there is one."""


def read(path: Path, shown: str) -> Sheet:
    """The sheet at a path; FileTrouble with every fault in it."""
    return measured(path, text_of(path, shown), shown)


def measured(path: Path, text: str, shown: str, *, lines: bool = True) -> Sheet:
    """The sheet that a text is; FileTrouble with every fault in it, `lines` where there is a file to look them up."""
    mark = MARK if text.startswith(MARK) else ""
    text = text.removeprefix(MARK)
    raw = parsed(text, shown)
    name = raw.get("system")
    if not isinstance(name, str) or name not in names():
        known = f"there are: {', '.join(names())}"
        near = guess(name, names()) if isinstance(name, str) else ""
        said = "is missing" if name is None else f"unknown system {said_as(name)}{near}"
        raise _wrong(shown, text if lines else "", [Fault(("system",), f"{said}; {known}")])
    system = load(name)
    faults: list[Fault] = []
    values = system.sheet.read(raw, (), faults)
    faults += _further(faults, [*_unspeakable(values["name"]), *system.faults(values)])
    if faults:
        raise _wrong(shown, text if lines else "", faults)
    return Sheet(path, text, raw, values, mark)


def _unspeakable(name: str) -> list[Fault]:
    """The fault of a name that no command could tell from a number or a path: `12`, `..`, `/`.

    Journals may hold such a name from before, so this is no part of the schema.
    """
    return [] if any(map(str.isalpha, name)) else [Fault(("name",), "must have a letter in it")]


def checked(
    path: Path, shown: str, kind: str, read: Callable[[dict[str, Any], list[Fault]], dict[str, Any]]
) -> dict[str, Any]:
    """What `read` makes of a file that is no sheet, but written and checked like one; FileTrouble with every fault."""
    text = text_of(path, shown, kind).removeprefix(MARK)
    faults: list[Fault] = []
    values = read(parsed(text, shown, kind), faults)
    if faults:
        raise _wrong(shown, text, faults, kind)
    return values


def _further(known: Iterable[Fault], found: Iterable[Fault]) -> list[Fault]:
    """The faults found where none is known yet: what stands in for a faulty value is not to blame."""
    places = {fault.path for fault in known}
    return [
        fault
        for fault in found
        if not any(fault.path[:length] in places for length in range(1, len(fault.path) + 1))
    ]


def text_of(path: Path, shown: str, kind: str = "sheet") -> str:
    """The text of a file, byte order mark and all; FileTrouble where it cannot be read, is too large, or is
    not UTF-8."""
    data = contents(path, shown, LARGEST, kind, f"wrong_{kind}")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as trouble:
        raise FileTrouble(
            f"{shown} is not UTF-8: byte {trouble.start + 1} is {data[trouble.start]:#04x}",
            hint="save it as UTF-8",
            code=f"wrong_{kind}",
        ) from trouble


def parsed(text: str, shown: str, kind: str = "sheet") -> dict[str, Any]:
    """The TOML of a text; FileTrouble with the line where it is none."""
    import re
    import tomllib

    part = r"""(?:[\w-]++|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')[ \t]*+"""
    long = re.search(
        rf"(?:^|[{{,])[ \t]*+\[{{0,2}}+[ \t]*+(?:{part}\.[ \t]*+){{{DEEPEST}}}", text, re.MULTILINE
    )
    if long:
        line = text.count("\n", 0, long.start()) + 1
        raise FileTrouble(
            f"{shown}, line {line}: the key has more than {DEEPEST} parts",
            hint=f"mend the {kind}",
            code=f"wrong_{kind}",
        )
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as trouble:
        raise FileTrouble(f"{shown} is not TOML: {trouble}", code=f"wrong_{kind}") from trouble
    except (RecursionError, ValueError) as trouble:
        what = (
            "too deeply nested" if isinstance(trouble, RecursionError) else f"not TOML: {str(trouble)[:80]}"
        )
        raise FileTrouble(f"{shown} is {what}", code=f"wrong_{kind}") from trouble


def _wrong(shown: str, text: str, faults: Iterable[Fault], kind: str = "sheet") -> FileTrouble:
    places = spans(text)
    lines, told = [], []
    for fault in sorted(faults, key=lambda fault: line_of(places, fault.path)):
        line, key = line_of(places, fault.path), spelled(fault.path)
        lines.append(
            f"{shown}, line {line}, {key}: {fault.message}" if text else f"{shown}, {key}: {fault.message}"
        )
        told.append({"file": shown, "line": line, "key": key, "message": fault.message})
    keys = "" if len(told) == 1 and told[0]["key"] == "system" else f"; all keys: {KEYS[kind]}"
    return FileTrouble("\n".join(lines), hint=f"mend the {kind}{keys}", code=f"wrong_{kind}", faults=told)


def spelled(path: Iterable[str | int]) -> str:
    """A key path as a player writes it."""
    words = ""
    for part in path:
        words += f"[{part}]" if isinstance(part, int) else f".{part}" if words else str(part)
    if len(words) > LONGEST:
        words = words[: LONGEST - 1] + "…"
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in words)
