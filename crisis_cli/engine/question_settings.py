"""What a crisis is set to ask the player in the middle of actions, by its entries."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .record import Entry

QUESTIONS = "questions"
"""The action of the entries that set it."""
ALL, FEW, NONE, AGAIN = "all", "few", "none", "again"
SETTINGS = (ALL, FEW, NONE)
"""Ask all that differs; ask what matters; ask nothing and buy nothing. `again` forgets the answers that hold for
later."""
ALWAYS = "!"
"""What an answer holds for that the player wants taken for the rest of the fight."""


def setting_for(done: Sequence[Entry], who: str | None = None, usual: str = "") -> str:
    """What the entries in force have set the questions of a fighter to, or of all; the `usual` where they say
    nothing, else `few`."""
    for entry in reversed(done):
        if _is_setting(entry, who) and entry.intent.get("value") != AGAIN:
            return str(entry.intent.get("value"))
    return usual or FEW


def last_forgetting(done: Sequence[Entry], who: str) -> int:
    """The number of the last entry by which answers of a fighter's player hold no longer; 0 for none."""
    return next(
        (one.number for one in reversed(done) if _is_setting(one, who) and one.intent.get("value") == AGAIN),
        0,
    )


def _is_setting(entry: Entry, who: str | None) -> bool:
    """Whether an entry sets the questions of a fighter, alone or with all others."""
    return entry.intent.action == QUESTIONS and entry.intent.get("who") in (None, who)
