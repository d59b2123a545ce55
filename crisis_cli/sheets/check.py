"""Reading sheets and checking them against their system; errors name file, line and key of every fault."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..columns import is_shown
from ..engine.kinds import LONGEST, Fault, guess
from ..engine.kinds import shown as said_as
from ..engine.sheet import FORMER_KEYS, NAME, as_written, renamed
from ..errors import FileError, Usage
from ..systems import load, names, require_unbroken
from ..values import NamedTuple
from .files import read_bytes

if TYPE_CHECKING:
    from ..engine.system import System
    from .toml_positions import KeyPath, Span

MAX_BYTES = 1_000_000
"""Most bytes of a sheet."""
MOST_FAULTS = 100
"""Most faults that one error holds."""
MOST_LINES = 10
"""Most lines of the message of one error."""
MAX_KEY_PARTS = 64
"""Parts a key may have between its dots; TOML readers take the square of that."""
KEY_REFERENCE = {
    "sheet": "crisis character schema SYSTEM",
    "doctrine": "crisis-doctrine(5)",
    "power": "crisis help system",
    "foes": "crisis help system",
    "table": "crisis-tables(5)",
    "campaign": "crisis-campaign(7)",
    "encounter": "crisis-encounter(5)",
    "casebook": "crisis help system",
}
"""Where the keys of each kind of file are documented."""
BYTE_ORDER_MARK = "\ufeff"
"""The byte order mark that some editors write at the start of a file."""


class Sheet(NamedTuple):
    """A sheet: its text on disk, and its checked values."""

    path: str
    text: str
    raw: Mapping[str, Any]
    """As TOML gives it."""
    values: Mapping[str, Any]
    """As the schema gives it: known spellings, words as numbers, defaults filled in."""
    mark: str = ""
    """The byte order mark before the text, if any."""


MoreFaults = Callable[[Mapping[str, Any]], Iterable[Fault]]
"""Gives what is wrong with the values of a sheet beyond what its system says."""


def read(path: str, display_path: str, more: MoreFaults = lambda values: ()) -> Sheet:
    """The checked sheet at a path; FileError listing every fault, those that `more` finds too."""
    return check_text(path, read_text(path, display_path), display_path, more=more)


def check_text(
    path: str, text: str, display_path: str, *, lines: bool = True, more: MoreFaults = lambda values: ()
) -> Sheet:
    """The checked sheet with this text; FileError listing every fault, those that `more` finds too, with line numbers
    if `lines`."""
    mark = BYTE_ORDER_MARK if text.startswith(BYTE_ORDER_MARK) else ""
    text = text.removeprefix(BYTE_ORDER_MARK)
    raw = parsed(text, display_path)
    name = raw.get("system")
    if not isinstance(name, str) or name not in names():
        require_unbroken(name)
        known = f"there are: {', '.join(names())}"
        near = guess(name, names()) if isinstance(name, str) else ""
        said = "is missing" if name is None else f"unknown system {said_as(name)}{near}"
        raise faults_error(display_path, text if lines else None, [Fault(("system",), f"{said}; {known}")])
    values, faults = faults_of(load(name), raw)
    faults += new_faults(faults, more(values))
    if faults:
        written = [one._replace(path=as_written(raw, one.path)) for one in faults]
        raise faults_error(display_path, text if lines else None, written)
    return Sheet(path, text, raw, values, mark)


def of_values(raw: Mapping[str, Any]) -> Sheet:
    """The checked sheet of values in memory, with the keys of a file; FileError listing every fault."""
    name = raw.get("system")
    title = str(raw.get("name", "the sheet"))
    if not isinstance(name, str) or name not in names():
        fault = Fault(("system",), f"must be one of {', '.join(names())}, not {said_as(name)}")
        raise faults_error(title, None, [fault])
    values, faults = faults_of(load(name), raw)
    if faults:
        raise faults_error(title, None, faults)
    return Sheet("", "", dict(raw), values)


def faults_of(system: System, raw: Mapping[str, Any]) -> tuple[dict[str, Any], list[Fault]]:
    """The values of a sheet as its system reads them, and all that is wrong with it."""
    twice = {old: new for old, new in FORMER_KEYS.items() if old in raw and new in raw}
    faults = [
        Fault((old,), f"is now called {new}, which is here too: delete one") for old, new in twice.items()
    ]
    once = {key: value for key, value in raw.items() if key not in twice}
    values = system.sheet.read(renamed(once), (), faults)
    return values, [*faults, *new_faults(faults, [*unusable_name(values["name"]), *system.faults(values)])]


def unusable_name(name: str) -> list[Fault]:
    """The fault of a name that commands could not tell from a number or a path: `12`, `..`, `/`.

    Journals may hold such a name from before, so this is no part of the schema.
    """
    return [] if any(map(str.isalpha, name)) else [Fault(("name",), "must have a letter in it")]


def unknown_doctrine(path: tuple[str | int, ...], name: str, known: Iterable[str]) -> Fault:
    """The fault of a doctrine that is not among those known."""
    there = list(known)
    return Fault(
        path, f"no doctrine is called {said_as(name)}{guess(name, there)}; there are: {', '.join(there)}"
    )


def require_usable_name(name: str) -> None:
    """Raise Usage for a name that no sheet may have, or that commands could not say."""
    faults: list[Fault] = []
    NAME.read(name, (), faults)
    for fault in (*faults, *unusable_name(name)):
        raise Usage(f"the name {fault.message}", code="bad_value")


def checked(
    path: str, display_path: str, kind: str, read: Callable[[dict[str, Any], list[Fault]], dict[str, Any]]
) -> dict[str, Any]:
    """The values that `read` gives for a TOML file of another kind than sheets; FileError listing every fault."""
    text, raw = toml_of(path, display_path, kind)
    faults: list[Fault] = []
    values = read(raw, faults)
    if faults:
        raise faults_error(display_path, text, faults, kind)
    return values


def toml_of(path: str, display_path: str, kind: str) -> tuple[str, dict[str, Any]]:
    """The text of a TOML file without its byte order mark, and what it holds; FileError if it cannot be read."""
    text = read_text(path, display_path, kind).removeprefix(BYTE_ORDER_MARK)
    return text, parsed(text, display_path, kind)


def new_faults(known: Iterable[Fault], found: Iterable[Fault]) -> list[Fault]:
    """The faults found in places without a known fault: defaults in place of faulty values are not to blame."""
    places = {fault.path for fault in known}
    return [
        fault
        for fault in found
        if not any(fault.path[:length] in places for length in range(1, len(fault.path) + 1))
    ]


def read_text(path: str, display_path: str, kind: str = "sheet") -> str:
    """The text of a file, byte order mark and all; FileError where it cannot be read, is too large, or is
    not UTF-8."""
    data = read_bytes(path, display_path, MAX_BYTES, kind, f"wrong_{kind}")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        what = f"this is not UTF-8: byte {error.start + 1} of the file is {data[error.start]:#04x}"
        raise FileError(
            f"{display_path}, line {line}: {what}",
            hint="save it as UTF-8",
            code=f"wrong_{kind}",
            faults=[{"file": display_path, "line": line, "message": what}],
        ) from error


def parsed(text: str, display_path: str, kind: str = "sheet") -> dict[str, Any]:
    """The values of a TOML text; FileError with the line if it is not valid."""
    import tomllib

    line = _line_of_long_key(text)
    if line:
        raise FileError(
            f"{display_path}, line {line}: the key has more than {MAX_KEY_PARTS} parts",
            hint=f"fix the {kind}",
            code=f"wrong_{kind}",
        )
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        from .toml_errors import toml_fault

        line, key, what = toml_fault(text, str(error))
        where = {"file": display_path, "line": line} | ({"key": key} if key else {})
        raise FileError(
            f"{display_path}, line {line}: this is not TOML: {what}",
            hint=f"fix the {kind}",
            code=f"wrong_{kind}",
            faults=[{**where, "message": what}],
        ) from error
    except RecursionError as error:
        raise FileError(f"{display_path} is too deeply nested", code=f"wrong_{kind}") from error
    except ValueError as error:
        # All that tomllib raises beside its own error: Python reads numbers up to a length.
        line, what = _line_of_long_number(text), "a number has too many digits"
        raise FileError(
            f"{display_path}, line {line}: {what}",
            hint=f"fix the {kind}",
            code=f"wrong_{kind}",
            faults=[{"file": display_path, "line": line, "message": what}],
        ) from error


def _line_of_long_number(text: str) -> int:
    """The line of a TOML text with a number that is longer than Python reads."""
    import re
    import sys

    found = re.search(rf"(?:\d_?){{{sys.get_int_max_str_digits()},}}", text)
    return text.count("\n", 0, found.start()) + 1 if found else 1


def _line_of_long_key(text: str) -> int:
    """The line of a TOML text with a key of too many parts; 0 if there is none."""
    if text.count(".") < MAX_KEY_PARTS:
        return 0
    import re

    part = r"""(?:[\w-]++|"(?:[^"\\\n]|\\.)*+"|'[^'\n]*+')[ \t]*+"""
    key = rf"(?:^|[{{,])[ \t]*+\[{{0,2}}+[ \t]*+(?:{part}\.[ \t]*+){{{MAX_KEY_PARTS}}}"
    found = re.search(key, text, re.MULTILINE)
    return text.count("\n", 0, found.start()) + 1 if found else 0


def faults_error(
    display_path: str,
    text: str | None,
    faults: Iterable[Fault],
    kind: str = "sheet",
    warnings: Iterable[Mapping[str, object]] = (),
) -> FileError:
    """The error that lists faults of a file, each with its key, and with its line if there is a text.

    `warnings` are records of possible slips.
    """
    error = records_error(fault_records(display_path, text or "", faults), kind, with_lines=text is not None)
    if warnings:
        error.about["warnings"] = list(warnings)
    return error


def records_error(
    records: Sequence[Mapping[str, object]], kind: str = "sheet", *, with_lines: bool = True
) -> FileError:
    """The error that lists records of faults, which may be of several files: MOST_FAULTS at most, of which its message
    says the first."""
    is_system = kind == "sheet" and len(records) == 1 and records[0].get("key") == "system"
    keys = "" if is_system else f"; all keys: {KEY_REFERENCE[kind]}"
    error = FileError(
        "\n".join(_first_lines(records, MOST_LINES, with_lines=with_lines)),
        hint=f"fix the {kind}{keys}",
        code=f"wrong_{kind}",
        faults=records[:MOST_FAULTS],
    )
    if len(records) > MOST_FAULTS:
        error.about["more"] = True
    return error


def _first_lines(records: Sequence[Mapping[str, object]], most: int, *, with_lines: bool) -> Iterator[str]:
    """Records of faults as at most so many lines, the last of which says how many more there are."""
    shown = len(records) if len(records) <= most else most - 1
    yield from (record_line(record, with_line=with_lines) for record in records[:shown])
    if left := min(len(records), MOST_FAULTS) - shown:
        yield f"and {'more than ' if len(records) > MOST_FAULTS else ''}{left} more"


def fault_records(display_path: str, text: str, faults: Iterable[Fault]) -> list[dict[str, object]]:
    """Faults of a file in the order of its lines: each with file, line, key and message."""
    from .toml_positions import spans

    places = spans(text)
    found = [(_line(text, places, fault.path), fault) for fault in faults]
    return [
        {"file": display_path, "line": line, "key": spelled(fault.path), "message": fault.message}
        for line, fault in sorted(found, key=lambda one: one[0])
    ]


def record_line(record: Mapping[str, object], *, with_line: bool = True) -> str:
    """The record of a fault as one line; one of a file that is not TOML has no key."""
    line = f", line {record['line']}" if with_line else ""
    key = f", {record['key']}" if "key" in record else ""
    return f"{record['file']}{line}{key}: {record['message']}"


def _line(text: str, places: Mapping[KeyPath, Span], path: KeyPath) -> int:
    """The line of a fault; a number behind a text of several lines is a line of it."""
    from .toml_positions import line_of

    home = places.get(path[:-1]) if path and path not in places else None
    line = line_of(places, path)
    if home is not None and isinstance(path[-1], int) and text[home.start :][:3] in ('"""', "'''"):
        return line + path[-1] - (text[home.start + 3 : home.start + 5].lstrip("\r")[:1] != "\n")
    return line


def spelled(path: Iterable[str | int]) -> str:
    """A key path as a player writes it."""
    words = ""
    for part in path:
        words += f"[{part}]" if isinstance(part, int) else f".{part}" if words else str(part)
    if len(words) > LONGEST:
        words = words[: LONGEST - 1] + "…"
    return "".join(
        sign if is_shown(words, at) else "\N{REPLACEMENT CHARACTER}" for at, sign in enumerate(words)
    )
