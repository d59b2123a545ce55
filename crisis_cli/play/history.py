"""What undo and redo take together: an action, and the events that followed from it."""

from __future__ import annotations

from collections.abc import Sequence

from ..engine.record import EVENT, Entry


def is_event(entry: Entry) -> bool:
    """Whether an entry is an event of the encounter: it is undone and redone with the action before it."""
    return entry.intent.action == EVENT


def actions_of(entries: Sequence[Entry]) -> int:
    """How many entries are no events."""
    return sum(not is_event(entry) for entry in entries)


def with_their_events(entries: Sequence[Entry], count: int) -> int:
    """How many of the last entries belong to so many actions, their events included."""
    at = len(entries)
    for _ in range(count):
        at -= 1
        while at > 0 and is_event(entries[at]):
            at -= 1
    return len(entries) - at


def undone_with_events(entries: Sequence[Entry], count: int) -> int:
    """How many of the last entries undone belong to so many actions; the events of each were undone before it."""
    at = len(entries)
    for _ in range(count):
        at -= 1
        while at > 0 and is_event(entries[at - 1]):
            at -= 1
    return len(entries) - at
