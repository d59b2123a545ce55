"""What of an entry is shown, in text and as JSON."""

from __future__ import annotations

from ..engine.record import Entry, Modifier
from ..engine.system import System

INTERNAL = ("mark:", "until:", "fighter")
"""Events that are not shown as effects: counters of the rules, and fighters who join."""
CLOCK = ("init", "join", "leave", "next", "end")
"""Intents with which turns begin and end."""
HIDDEN = (*INTERNAL, "gone", "player", "mind")
"""What events are about that no line of text shows beside the action itself."""


def in_play(done: Entry, system: System) -> list[Modifier]:
    """The modifiers of an action, without those of reactions that nobody rolled."""
    row, rolled = system.actions.get(done.intent.action), {one.what for one in done.rolls}
    idle = [one for one in (row.reactions if row else ()) if one not in rolled]
    return [one for one in done.modifiers if one.roll not in (*idle, *(f"{name} dice" for name in idle))]
