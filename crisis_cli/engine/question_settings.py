"""The setting of questions in the middle of actions, which stands in the entries of a crisis."""

from __future__ import annotations

from collections.abc import Sequence

from .record import QUESTIONS as QUESTIONS
from .record import Entry

ALL, FEW, NONE, AGAIN = "all", "few", "none", "again"
SETTINGS = (ALL, FEW, NONE)
"""Ask all that differs; ask what matters; ask nothing and buy nothing. `again` forgets the answers that hold for
later."""
ALWAYS = "!"
"""The mark of an answer that the player wants taken for the rest of the fight."""


def setting_for(done: Sequence[Entry], who: str | None = None, usual: str = "") -> str:
    """The setting of questions for a fighter, or for all, by the entries in force; without such an entry the `usual`,
    or else `few`."""
    for entry in reversed(done):
        if _is_setting(entry, who) and entry.intent.get("value") != AGAIN:
            return str(entry.intent.get("value"))
    return usual or FEW


def last_forgetting(done: Sequence[Entry], who: str) -> int:
    """The number of the last entry that ends earlier answers of a fighter's player; 0 for none."""
    return next(
        (one.number for one in reversed(done) if _is_setting(one, who) and one.intent.get("value") == AGAIN),
        0,
    )


def _is_setting(entry: Entry, who: str | None) -> bool:
    """Whether an entry sets the questions of a fighter, alone or with all others."""
    return entry.intent.action == QUESTIONS and entry.intent.get("who") in (None, who)
