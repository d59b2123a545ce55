"""A sheet measured against its system: every fault with file, line and key."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import FileTrouble
from ..systems import SYSTEMS, load
from ..systems.kinds import Fault, guess
from .lines import line_of, spans

LARGEST = 1_000_000
"""Bytes a sheet may have."""


class Sheet(NamedTuple):
    """A sheet as it is on disk, and as the rules read it."""

    path: Path
    text: str
    raw: Mapping[str, Any]
    """As TOML gives it."""
    values: Mapping[str, Any]
    """As the schema gives it: known spellings, words as numbers, defaults filled in."""


def read(path: Path, shown: str) -> Sheet:
    """The sheet at a path; FileTrouble with every fault in it."""
    text = text_of(path, shown)
    raw = parsed(text, shown)
    name = raw.get("system")
    if not isinstance(name, str) or name not in SYSTEMS:
        known = f"there are: {', '.join(SYSTEMS)}"
        said = "is missing" if name is None else f"unknown system {name!r}{guess(str(name), SYSTEMS)}"
        raise _wrong(shown, text, [Fault(("system",), f"{said}; {known}")])
    system = load(name)
    faults: list[Fault] = []
    values = system.SHEET.read(raw, (), faults)
    if not faults:
        faults += system.faults(values)
    if faults:
        raise _wrong(shown, text, faults)
    return Sheet(path, text, raw, values)


def text_of(path: Path, shown: str) -> str:
    """The text of a file; FileTrouble where it cannot be read, is too large, or is not UTF-8."""
    try:
        data = path.read_bytes()
    except OSError as trouble:
        raise FileTrouble(f"{shown} cannot be read: {trouble.strerror}", code="unreadable") from trouble
    if len(data) > LARGEST:
        raise FileTrouble(
            f"{shown} has {len(data):,} bytes; a sheet has {LARGEST:,} at most", code="wrong_sheet"
        )
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as trouble:
        raise FileTrouble(
            f"{shown} is not UTF-8: byte {trouble.start + 1} is {data[trouble.start]:#04x}",
            hint="save it as UTF-8",
            code="wrong_sheet",
        ) from trouble


def parsed(text: str, shown: str) -> dict[str, Any]:
    """The TOML of a text; FileTrouble with the line where it is none."""
    import tomllib

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as trouble:
        raise FileTrouble(f"{shown} is not TOML: {trouble}", code="wrong_sheet") from trouble
    except (RecursionError, ValueError) as trouble:
        what = (
            "too deeply nested" if isinstance(trouble, RecursionError) else f"not TOML: {str(trouble)[:80]}"
        )
        raise FileTrouble(f"{shown} is {what}", code="wrong_sheet") from trouble


def _wrong(shown: str, text: str, faults: Iterable[Fault]) -> FileTrouble:
    places = spans(text)
    lines, told = [], []
    for fault in sorted(faults, key=lambda fault: line_of(places, fault.path)):
        line, key = line_of(places, fault.path), spelled(fault.path)
        lines.append(f"{shown}, line {line}, {key}: {fault.message}")
        told.append({"file": shown, "line": line, "key": key, "message": fault.message})
    system = (
        "" if len(told) == 1 and told[0]["key"] == "system" else "; all keys: crisis character schema SYSTEM"
    )
    return FileTrouble("\n".join(lines), hint=f"mend the sheet{system}", code="wrong_sheet", faults=told)


def spelled(path: Iterable[str | int]) -> str:
    """A key path as a player writes it."""
    words = ""
    for part in path:
        words += f"[{part}]" if isinstance(part, int) else f".{part}" if words else str(part)
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in words)
