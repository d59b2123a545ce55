"""Imported actors in words: what became of each, what is carried inexactly, and what is not carried."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from .style import Ink

Record = Mapping[str, Any]
WORDS = {"changed": "changed", "lost": "not carried"}
"""The kinds of notes that are shown."""
INDENT = 13


def actor_lines(ink: Ink, record: Record) -> Iterator[str]:
    """What became of an actor, and its notes."""
    where, who = record["file"], f"{record['name']}, {record['system']} ({record['importer']})"
    did = record["did"]
    if did == "left out":
        yield f"left out {who}: {'; '.join(_said(record['lost']))}"
    elif did == "kept" and not record["kept"]:
        yield f"kept {where}: {who}"
    elif record["faults"]:
        yield ink("red", f"{did} {where}: {who}")
        yield from (
            f"  {fault.get('key', '')}: {fault['message']}".replace(" : ", " ") for fault in record["faults"]
        )
    else:
        counts = f"{len(record['changed'])} changed, {len(record['lost'])} not carried"
        yield f"{did} {where}: {who}; {counts}"
        for kind, word in WORDS.items():
            if record[kind]:
                yield f"  {word:<{INDENT}}{' · '.join(_said(record[kind]))}"
        if record["kept"]:
            yield f"  {'kept':<{INDENT}}{', '.join(record['kept'])} (yours)"


def _said(notes: Iterable[Record]) -> Iterator[str]:
    """Notes by what they are about."""
    by_key: dict[str, list[str]] = {}
    for note in notes:
        by_key.setdefault(note["key"], []).extend([note["what"]] if note["what"] else [])
    return (f"{key}: {', '.join(whats)}" if whats else key for key, whats in by_key.items())


def counted(records: Iterable[Record]) -> dict[str, int]:
    """How many sheets were written, kept and faulty, and how much is not carried."""
    listed = [*records]
    done = [record for record in listed if record["did"] in ("wrote", "updated")]
    return {
        "written": len(done),
        "kept": sum(record["did"] == "kept" for record in listed),
        "faulty": sum(bool(record["faults"]) for record in listed),
        "lost": sum(len(record["lost"]) for record in done),
    }


def summary_line(count: Mapping[str, int]) -> str:
    """The last line of an import."""
    written = f"{count['written']} {'sheet' if count['written'] == 1 else 'sheets'} written, {count['faulty']} faulty"
    kept = f", {count['kept']} there already (--update takes over what has changed)" if count["kept"] else ""
    lost = count["lost"]
    things = "1 thing not carried that matters" if lost == 1 else f"{lost} things not carried that matter"
    return f"{written}{kept}; {things} in a fight"
