"""A journal as it grows: its entries as they are written, until the crisis has ended."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence

from ..engine.journal import Crisis
from ..engine.record import Entry
from ..errors import CrisisError
from ..sheets import journal_file
from ..sheets.files import exists
from ..sheets.journal_file import JournalFile
from ..values import NamedTuple

PAUSE = 0.2
"""Seconds between two looks at the journal."""


class Growth(NamedTuple):
    """What has changed in a journal since it was looked at last."""

    crisis: Crisis
    """The crisis now."""
    undone: Sequence[Entry]
    """The entries that were undone, the last first."""
    new: Sequence[Entry]


def follow(journal: JournalFile, since: int) -> Iterator[Growth]:
    """The entries of a journal from `since` on, and then each as it is written; ends with the crisis."""
    known: tuple[Entry, ...] = journal.crisis.done[: since - 1]
    while True:
        done = journal.crisis.done
        common = next(
            (at for at, (one, other) in enumerate(zip(known, done, strict=False)) if one != other), None
        )
        kept = min(len(known), len(done)) if common is None else common
        if kept < len(known) or kept < len(done):
            yield Growth(journal.crisis, tuple(reversed(known[kept:])), done[kept:])
        known = done
        if journal.crisis.scene.over:
            return
        journal = _next(journal)


def _next(journal: JournalFile) -> JournalFile:
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
