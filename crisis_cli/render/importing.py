"""Imported actors in words: what became of each, what is carried inexactly, and what is not carried."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .style import Ink

Record = Mapping[str, Any]


def actor_lines(ink: Ink, record: Record, changed: Sequence[str], lost: Sequence[str]) -> Iterator[str]:
    """What became of an actor, and what was changed and lost, in words."""
    did, where = record["did"], f" {record['file']}:" if record["file"] else ""
    what = f"{did}{where} {record['name']}, {record['system']} ({record['importer']})"
    if record["faults"]:
        yield ink("red", what)
        faults = ((f"{one['key']}: " if "key" in one else "", one["message"]) for one in record["faults"])
        yield from (f"  {key}{message}" for key, message in faults)
    elif did == "left out" or (did == "kept" and not record["kept"]):
        yield f"{what}: {'; '.join(lost)}" if did == "left out" else what
    else:
        yield f"{what}; {len(record['changed'])} changed, {len(record['lost'])} not carried"
        yield from (
            f"  {word:<13}{' · '.join(said)}"
            for word, said in (("changed", changed), ("not carried", lost))
            if said
        )
        if record["kept"]:
            said = (f"{name} ({_whose(record['newer'].get(name))})" for name in record["kept"])
            yield f"  {'kept':<13}{', '.join(said)}"


def _whose(newer: str | None) -> str:
    return "yours" if newer is None else f"yours; the source has {newer} now"


def counted(records: Sequence[Record]) -> dict[str, int]:
    """How many sheets were written, kept and faulty, and how much is not carried of those written."""
    lost = [len(one["lost"]) for one in records if one["did"] in ("wrote", "updated")]
    faulty, kept = sum(bool(one["faults"]) for one in records), sum(one["did"] == "kept" for one in records)
    return {"written": len(lost), "kept": kept, "faulty": faulty, "lost": sum(lost)}


def summary_line(updates: bool, written: int, kept: int, faulty: int, lost: int) -> str:
    """The last line of an import."""
    way_on = "" if updates else " (--update takes over what has changed)"
    there = f", {kept} there already{way_on}" if kept else ""
    things = "1 thing not carried that matters" if lost == 1 else f"{lost} things not carried that matter"
    return f"{written} sheet{'s' * (written != 1)} written, {faulty} faulty{there}; {things} in a fight"
