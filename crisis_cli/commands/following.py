"""`log --follow`: entries as they are written, until the crisis has ended."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence

from ..context import Context
from ..engine.journal import Crisis
from ..engine.record import Entry
from ..errors import CrisisError
from ..sheets import journal_file
from ..sheets.files import exists
from ..sheets.journal_file import Journal

PAUSE = 0.2
"""Seconds between two looks at the journal."""
Show = Callable[[Crisis, Sequence[Entry], Sequence[Entry]], None]
"""Shows what has changed: the crisis now, the entries that were undone, and those that are new."""


def follow(context: Context, journal: Journal, since: int, show: Show) -> None:
    """Show the entries of a journal from `since` on, and then each as it is written; ends with the crisis."""
    shown: tuple[Entry, ...] = journal.crisis.done[: since - 1]
    while True:
        done = journal.crisis.done
        common = next(
            (at for at, (one, other) in enumerate(zip(shown, done, strict=False)) if one != other), None
        )
        kept = min(len(shown), len(done)) if common is None else common
        if kept < len(shown) or kept < len(done):
            show(journal.crisis, tuple(reversed(shown[kept:])), done[kept:])
        shown = done
        if journal.crisis.scene.over:
            return
        journal = _next(journal)


def _next(journal: Journal) -> Journal:
    """The journal after it has changed, read where it was or where its end has put it."""
    while True:
        time.sleep(PAUSE)
        try:
            now = journal_file.read(journal.path, journal.display_path, journal)
        except CrisisError:
            if exists(journal.path):
                raise
            archived = journal_file.last_archived(journal.path)
            if archived is None:
                raise
            now = journal_file.read(archived, os.path.basename(archived))
        if now.crisis.lines != journal.crisis.lines or now.crisis.header != journal.crisis.header:
            return now
