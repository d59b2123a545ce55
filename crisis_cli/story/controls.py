"""Control characters in the texts of a crisis: stories are told with escapes in their place, `verify` names them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ..columns import is_printable, is_shown
from ..engine.journal import Crisis, entry_record, folded_lines, parsed
from ..engine.record import EVENT
from ..engine.system import System
from ..engine.verify import Difference, differences
from ..render.style import escaped, harmless
from ..systems import load

LONG = "encounter"
"""The part of a header whose texts may have several lines, and are checked when they are read."""
OPENING, LINES = ("init", EVENT, "end"), ("outcome", "text")
"""The actions whose entries quote the text of an encounter, and where: it may have several lines, too."""
SHEETS = "sheets"
"""The part of an entry, or of an end, with the texts of sheets."""
TYPED = ("intent", "options"), ("outcome", "question")
"""The parts of an entry that hold what somebody typed, on one line."""


def faults(system: System, lines: Sequence[str]) -> list[Difference]:
    """What `verify` says of the lines of a journal: where they differ from what the program would have written, and
    their control characters."""
    return sorted((*differences(system, lines), *named(lines)), key=lambda one: one.line)


def named(lines: Iterable[str]) -> Iterator[Difference]:
    """The control characters in the lines of a journal. Only what somebody typed may have some, and no line break."""
    for number, written in enumerate(lines, start=1):
        if _is_plain(written):
            continue
        record = parsed(written)
        for path, signs in _texts({key: part for key, part in record.items() if key not in (LONG, SHEETS)}):
            if path == LINES and _quotes(record) and not (signs := [sign for sign in signs if sign != "\n"]):
                continue
            typed = path[:2] in TYPED and not any(len(f"{sign}.".splitlines()) > 1 for sign in signs)
            marks = ", ".join(f"U+{ord(sign):04X}" for sign in dict.fromkeys(signs))
            what = f"{escaped('.'.join(path))}: holds a control character ({marks})"
            yield Difference(number, record.get("entry"), what, is_remark=typed)


def _texts(value: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], list[str]]]:
    """The texts in what JSON gave that have control characters, by their keys, with these characters."""
    parts = (
        value.items() if isinstance(value, Mapping) else enumerate(value) if isinstance(value, list) else ()
    )
    for key, part in parts:
        for text in (key, part):
            signs = (
                [sign for at, sign in enumerate(text) if not is_shown(text, at)]
                if isinstance(text, str)
                else []
            )
            if signs:
                yield (*path, str(key)), signs
        yield from _texts(part, (*path, str(key)))


def with_escapes(crisis: Crisis) -> Crisis:
    """The crisis with control characters in its texts written as escapes, each text a line; the crisis itself where it
    has none. FileError where it cannot be read so."""
    head = {key: value for key, value in crisis.header.items() if key != LONG}
    # The sheets that an entry has written, which no story tells, are texts of many lines.
    lines = [_written(head), *(_written(entry_record(entry._replace(sheets={}))) for entry in crisis.done)]
    if all(_is_plain(one) for one in lines):
        return crisis
    head, *records = (_plain(json.loads(one)) for one in lines)
    if LONG in crisis.header:
        head[LONG] = crisis.header[LONG]
    told = folded_lines(map(_written, (head, *records)), load)
    done = (now._replace(sheets=was.sheets) for now, was in zip(told.done, crisis.done, strict=True))
    return crisis._replace(header=told.header, scene=told.scene, done=tuple(done))


def _written(record: Mapping[str, Any]) -> str:
    """A record as a line of a journal has it, without a seal."""
    return json.dumps(record, ensure_ascii=False)


def _is_plain(written: str) -> bool:
    """Whether a line of a journal has no character that is written as an escape, and no other one to escape."""
    return is_printable(written) and ("\\" not in written or _plain(record := json.loads(written)) == record)


def _quotes(record: Mapping[str, Any]) -> bool:
    """Whether a line of a journal is an entry that quotes the text of an encounter."""
    return "intent" in record and record["intent"]["action"] in OPENING


def _plain(record: Any) -> Any:
    """A line of a journal with all its texts escaped, each of them a line but for the text of an encounter."""
    told = _escaped(record)
    if _quotes(record) and isinstance(record["outcome"].get("text"), str):
        told["outcome"]["text"] = harmless(record["outcome"]["text"])
    return told


def _escaped(value: Any) -> Any:
    """What JSON gave, with all texts escaped."""
    if isinstance(value, str):
        return escaped(value)
    if isinstance(value, Mapping):
        return {escaped(key): _escaped(part) for key, part in value.items()}
    return [_escaped(part) for part in value] if isinstance(value, list) else value
