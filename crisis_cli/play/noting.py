"""Notes: the text that is recorded, and what it means in a campaign, where it may open a thread or award something."""

from __future__ import annotations

import re
from math import ceil
from typing import TYPE_CHECKING, Any

from ..engine.scene import Intent
from ..errors import Refused, Usage
from ..values import NamedTuple
from .attacking import Planned
from .desk import Desk
from .session import Session

if TYPE_CHECKING:
    from ..sheets.campaign import Campaign

LONGEST_NOTE = 2_000
"""Most characters of one note."""
AWARD = re.compile(r"(?P<who>.+?)\s+(?P<amount>[+-]?\d{1,6})(?P<rest>(\s|:).*)?")
"""An award: who, how much, and perhaps of what and for what."""
UNIT = re.compile(r"\s+(?P<unit>[^\s:]+)\s*(:.*)?")
"""What is behind the amount of an award of something: one word, and perhaps for what."""


class Note(NamedTuple):
    """A note as it is asked for."""

    text: str
    thread: bool = False
    """Whether it opens a thread: a question that stays open."""
    closes: int = 0
    """The number of the thread that it closes; 0 for none."""
    award: bool = False
    """Whether it awards something: who, how much, and perhaps of what and for what."""


def noted(desk: Desk, note: Note, session: Session | None = None) -> Planned:
    """A note to be recorded, in the session in use if none is given.

    Usage for a text that is empty or too long; Refused outside a campaign for what only campaigns have.
    """
    # One line: line breaks and tabs become spaces.
    text = " ".join(note.text.split())
    if not text and not note.closes:
        raise Usage("missing argument: TEXT", hint="crisis note TEXT", code="missing_argument")
    if len(text) > LONGEST_NOTE:
        raise Usage(
            f"a note has at most {LONGEST_NOTE:,} characters; this one has {len(text):,}",
            hint=f"split it into {ceil(len(text) / LONGEST_NOTE)} notes",
            code="too_long",
        )
    session = session or desk.require_session_in_use()
    values: dict[str, Any] = {"text": text}
    if note.closes:
        values = _closed(desk, desk.campaigns.campaign(), note.closes, text)
    elif note.thread or note.award:
        desk.campaigns.campaign()
        values = _awarded(desk, text) if note.award else {"text": text, "thread": True}
    return Planned(session, Intent("note", "", (), values))


def _closed(desk: Desk, campaign: Campaign, number: int, text: str) -> dict[str, Any]:
    """What the note says that closes a thread; Refused if none that is open has that number."""
    from ..story.campaign import open_threads

    story, journal = desk.campaigns.story(), desk.journals.active()
    fought = story.crisis if story else None
    threads = open_threads(campaign, fought, journal.crisis if journal else None, desk.warn)
    open_ones = {one.number: one.text for one in threads}
    if number not in open_ones:
        known = "; ".join(f"{at} {said}" for at, said in open_ones.items())
        raise Refused(
            f"no open thread has the number {number}",
            hint=f"open threads: {known}" if known else "open one: crisis note --thread TEXT",
            code="no_thread",
        )
    closes = open_ones[number]
    return {"text": f"closed: {closes}" + (f" ({text})" if text else ""), "closes": closes}


def _awarded(desk: Desk, text: str) -> dict[str, Any]:
    """What the note says that awards something to a fighter; Usage if it lacks the name or the amount."""
    match = AWARD.fullmatch(text)
    if match is None:
        raise Usage(
            f"--award takes WHO and a number, not {text!r}",
            hint="crisis note --award 'ada 2 xp: the bridge'",
            code="bad_value",
        )
    name = str(desk.shelves.sheets().read(match["who"]).values["name"])
    unit = UNIT.fullmatch(match["rest"] or "")
    return {
        "text": f"{name} {match['amount']}{match['rest'] or ''}",
        "award": name,
        "amount": int(match["amount"]),
        **({"unit": unit["unit"]} if unit else {}),
    }
