"""The facts of a journal's records: numbers, faces, names and choices, without the sentences a program may reword."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

SENTENCES = frozenset(("text", "why"))
"""Options of an intent that hold what somebody wrote."""
PAIRS = frozenset(("skipped", "surplus"))
"""Lists in an outcome of pairs: a name, and a reason in words."""


def outputs(record: Mapping[str, Any]) -> dict[str, Any]:
    """A header, an entry, an undo, a redo or a save without its seal and without sentences."""
    kept = {key: value for key, value in record.items() if key != "seal"}
    if "entry" not in record:
        return kept
    intent, outcome = record["intent"], dict(record["outcome"])
    options = {key: value for key, value in intent["options"].items() if key not in SENTENCES}
    for key in PAIRS & outcome.keys():
        outcome[key] = [name for name, _ in outcome[key]]
    kept |= {"intent": {**intent, "options": options}, "outcome": outcome}
    if "forced" in record:
        kept["forced"] = len(record["forced"])
    if "modifiers" in record:
        kept["modifiers"] = [_without_words(one) for one in record["modifiers"]]
    if "choices" in record:
        kept["choices"] = [choice[:4] for choice in record["choices"]]
    return kept


def _without_words(modifier: Any) -> list[Any]:
    """A modifier as a journal lists it, without its name and where it comes from."""
    return [part for at, part in enumerate(modifier) if at not in (1, 4)]


WHOLE = 6
"""The first format of the journal whose seals cover the whole line; before, they left sentences out."""


def seal(record: Mapping[str, Any], form: int) -> str:
    """The checksum of a record in a journal of a format; with it `crisis verify` finds edits of the journal."""
    import json
    import zlib

    sealed = (
        {key: value for key, value in record.items() if key != "seal"} if form >= WHOLE else outputs(record)
    )
    text = json.dumps(sealed, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return f"{zlib.crc32(text.encode('utf-8')):08x}"
