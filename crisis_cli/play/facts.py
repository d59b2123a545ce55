"""The facts of a journal's records: numbers, faces, names and choices, without the sentences a program may reword."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

SENTENCES = frozenset(("text", "why"))
"""Options of an intent that hold what somebody wrote."""


def facts(record: Mapping[str, Any]) -> dict[str, Any]:
    """A header, an entry, an undo, a redo or a save without its seal and without sentences."""
    kept = {key: value for key, value in record.items() if key != "seal"}
    if "entry" not in record:
        return kept
    intent, outcome = record["intent"], dict(record["outcome"])
    options = {key: value for key, value in intent["options"].items() if key not in SENTENCES}
    for key in ("skipped", "surplus"):
        # Pairs of a name and the reason in words.
        if key in outcome:
            outcome[key] = [name for name, _ in outcome[key]]
    return kept | {
        "intent": {**intent, "options": options},
        "forced": len(record.get("forced", ())),
        "modifiers": [modifier(one) for one in record.get("modifiers", ())],
        "outcome": outcome,
    }


def modifier(one: Any) -> list[Any]:
    """A modifier as a journal lists it, without its name and where it comes from."""
    return [part for at, part in enumerate(one) if at not in (1, 4)]


def seal(record: Mapping[str, Any]) -> str:
    """The checksum of a record's facts: whoever edits one of them in the journal is found out by `crisis verify`."""
    import json
    import zlib

    known = json.dumps(facts(record), sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return f"{zlib.crc32(known.encode('utf-8')):08x}"
