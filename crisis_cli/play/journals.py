"""The journal in use, open or ended."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ..errors import CrisisError, FileError, Refused
from ..sheets.files import UNCHANGED, exists, path_from
from ..values import NamedTuple
from .campaigns import Campaigns

if TYPE_CHECKING:
    from ..engine.journal import Crisis
    from ..sheets.journal_file import JournalFile

WHAT_NOW = "what can be done now: crisis act --list"
QUICK = 8_000_000
"""Most bytes of a journal read for completion: more takes too long for a key press."""


class Journals(NamedTuple):
    """The journal in use, open or ended; an end that was interrupted is finished when it is met."""

    campaigns: Campaigns

    def latest(self) -> JournalFile:
        """The journal in place, of an open or an ended crisis; Refused if there is none."""
        journal = self._read()
        if journal is None or (
            journal.crisis.scene.over and not journal.is_archived and self._try_finish_end(journal)
        ):
            raise self.no_crisis_error()
        return journal

    def active(self) -> JournalFile | None:
        """The journal of the open crisis; None if there is none, Refused if an archived one is named.

        If ending a crisis was interrupted, this finishes it first and warns.
        """
        journal = self._read()
        if journal is None or not journal.crisis.scene.over:
            return journal
        if journal.is_archived:
            raise Refused(
                f"the crisis in {self._file} has ended",
                hint="read it: crisis log, status, map, explain, replay or verify; "
                "open another: crisis init WHO… --vs WHO… --open",
                code="ended",
            )
        self._finish_end(journal)
        return None

    def require(self) -> JournalFile:
        """The journal of the open crisis; Refused if there is none."""
        journal = self.active()
        if journal is None:
            raise self.no_crisis_error()
        return journal

    def require_ended(self, what: str, meanwhile: str = WHAT_NOW) -> None:
        """Raise Refused while a crisis is open, for what is done between fights; the hint says what can be done
        `meanwhile`."""
        if self.active() is not None:
            raise Refused(
                f"a crisis is open ({self._file}); {what} is for the time between fights",
                hint=f"{meanwhile}; to end the fight: crisis end",
                code="open",
            )

    def require_none(self) -> None:
        """Raise FileError if a crisis is there by now, whose journal takes what would go into the story."""
        if os.path.lexists(self._path):
            raise FileError(
                f"a crisis has been opened in {self._file} in the meantime",
                hint=f"{UNCHANGED}check with crisis status, then try again",
                code="moved",
            )

    def peek(self, file: str = "", largest: int | None = None) -> Crisis | None:
        """The open crisis, read without warnings or errors; None if there is none or it cannot be read.

        `file` names another journal than that in use; one of more than `largest` bytes is not read.
        """
        caches, shown = self.campaigns.caches, file or self._file
        path = path_from(self.campaigns.shelves.places.cwd, shown)
        try:
            if not os.path.isfile(path) or (largest and os.path.getsize(path) > largest):
                return None
            from ..sheets import journal_file

            caches.journal = journal_file.read(path, shown, caches.journal)
        except (CrisisError, OSError):
            return None
        crisis = caches.journal.crisis
        return None if crisis.scene.over else crisis

    @property
    def _file(self) -> str:
        return self.campaigns.shelves.places.file

    @property
    def _path(self) -> str:
        return self.campaigns.shelves.places.journal_path

    def _read(self) -> JournalFile | None:
        """The journal in place; None if there is no file. Warns if its last line is incomplete."""
        file, path, caches = self._file, self._path, self.campaigns.caches
        try:
            there = exists(path)
        except OSError as error:
            raise FileError(f"{file} cannot be read: {error.strerror}", code="unreadable") from error
        if not there:
            return None
        from ..sheets import journal_file

        journal = caches.journal = journal_file.read(path, file, caches.journal)
        if journal.torn_end.strip():
            self.campaigns.warn(
                f"the last line of {file} was cut short ({len(journal.torn_end)} bytes); "
                f"the next action moves it to {file}.torn",
                "torn_journal",
            )
        return journal

    def _try_finish_end(self, journal: JournalFile) -> bool:
        """Finish an interrupted end of a crisis; True if that worked, else False with a warning."""
        try:
            self._finish_end(journal)
        except FileError as error:
            self.campaigns.warn(
                f"the end of the crisis in {self._file} is still to be finished: {error.message}",
                "unfinished_end",
            )
            return False
        return True

    def _finish_end(self, journal: JournalFile) -> None:
        """Finish an interrupted end of a crisis, and warn that it was finished now."""
        written, archive = self.campaigns.finish_end(journal)
        if archive is not None:
            sheets = f"; sheets written: {', '.join(written)}" if written else ""
            self.campaigns.warn(
                f"the end of the crisis in {self._file} was interrupted, and is finished now"
                f"{sheets}; its journal is {self.campaigns.shelves.places.shown_archive(archive)}",
                "finished_end",
            )

    def no_crisis_error(self) -> Refused:
        """The refusal of what needs an open crisis, with ways to one."""
        from ..sheets.journal_file import last_archived

        ended = last_archived(self._path)
        return Refused(
            f"no crisis is open here ({self._file})",
            hint="begin one: crisis play ENCOUNTER (all: crisis encounter list), or "
            "crisis init WHO… --vs WHO… --open"
            + ("; reopen the one that ended last: crisis undo" if ended else ""),
            code="no_crisis",
        )
