"""The threads and awards of a campaign, as notes record them."""

from __future__ import annotations

import re
from typing import Any

from ..context import Context
from ..errors import Refused, Usage
from ..sheets.campaign import Campaign

AWARD = re.compile(r"(?P<who>.+?)\s+(?P<amount>[+-]?\d{1,6})(?P<rest>(\s|:).*)?")
"""An award: who, how much, and perhaps of what and for what."""
UNIT = re.compile(r"\s+(?P<unit>[^\s:]+)\s*(:.*)?")
"""What is behind the amount of an award of something: one word, and perhaps for what."""


def closed(context: Context, campaign: Campaign, number: int, text: str) -> dict[str, Any]:
    """What the note says that closes a thread; Refused if none that is open has that number."""
    from ..story.campaign import open_threads

    story, journal = context.desk.campaigns.story(), context.desk.journals.active()
    fought = story.crisis if story else None
    threads = open_threads(campaign, fought, journal.crisis if journal else None, context.output.warn)
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


def awarded(context: Context, text: str) -> dict[str, Any]:
    """What the note says that awards something to a fighter; Usage if it lacks the name or the amount."""
    match = AWARD.fullmatch(text)
    if match is None:
        raise Usage(
            f"--award takes WHO and a number, not {text!r}",
            hint="crisis note --award 'ada 2 xp: the bridge'",
            code="bad_value",
        )
    name = str(context.desk.shelves.sheets().read(match["who"]).values["name"])
    unit = UNIT.fullmatch(match["rest"] or "")
    return {
        "text": f"{name} {match['amount']}{match['rest'] or ''}",
        "award": name,
        "amount": int(match["amount"]),
        **({"unit": unit["unit"]} if unit else {}),
    }
