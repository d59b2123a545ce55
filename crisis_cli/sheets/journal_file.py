"""Journal files: create, read, append, repair and archive the journal of a crisis."""

from __future__ import annotations

import os
import zlib
from collections.abc import Mapping
from typing import Any, Self

from ..engine.journal import (
    Crisis,
    Ending,
    ReadBack,
    dice_record,
    ending_record,
    entry_record,
    finished_record,
    folded_lines,
    read_back,
    redo_record,
    save_record,
    saving_record,
    undo_record,
    way_on,
)
from ..engine.record import Entry
from ..errors import BrokenSystem, CrisisError, FileError, Refused
from ..systems import load
from ..values import NamedTuple
from .files import (
    append,
    exists,
    file_stem,
    locked,
    no_link,
    own_place,
    path_below,
    read_bytes,
    replace,
    require_folder,
    require_movable,
    sibling,
    write_error,
)

MOST_ENTRIES = 100_000
"""Most entries of a journal in force."""
LARGEST = 500_000_000
"""Most bytes of a journal."""


class JournalFile(NamedTuple):
    """A journal as read from its file: the crisis, and how far the file was read."""

    path: str
    display_path: str
    crisis: Crisis
    size: int
    """Bytes of all complete lines."""
    checksum: int
    """The checksum of these bytes: a file that begins with them has only grown."""
    torn_end: bytes = b""
    """The bytes after them: an incomplete line left by a crash, or blank lines."""
    lacks_newline: bool = False
    """Whether only the newline of the last line is missing."""

    @property
    def is_on_disk(self) -> bool:
        """Whether the journal is written to disk."""
        return True

    def with_entry(self, entry: Entry, *events: Entry) -> Self:
        """The journal with one more entry and the events that follow from it, on disk in one step; Refused where it has
        as many as it may.

        BrokenSystem, and nothing is written, where reading would not give them back: so for every way to append.
        """
        if len(self.crisis.done) >= MOST_ENTRIES:
            raise Refused(
                f"{self.display_path} has {MOST_ENTRIES:,} entries, the most that there may be",
                hint="begin another campaign" if self.crisis.is_story else "end the crisis: crisis end",
                code="out_of_bounds",
            )
        return self._append(*map(entry_record, (entry, *events)))

    def with_end(self, entry: Entry, ending: Ending) -> Self:
        """The journal with the end of the crisis and what it will write, on disk in one step."""
        return self._append(ending_record(ending), entry_record(entry))

    def with_undo(self, count: int = 1, fresh: bool = False) -> Self:
        """The journal with its last entries undone, on disk in one step; `fresh`: new dice from there."""
        return self._append(*self._undo_records(count, fresh))

    def with_undo_locked(self, count: int, fresh: bool) -> Self:
        """The journal with its last entries undone, for a caller that holds the lock."""
        return self._append_locked(*self._undo_records(count, fresh))

    def _undo_records(self, count: int, fresh: bool) -> list[dict[str, Any]]:
        last = reversed(self.crisis.done[len(self.crisis.done) - count :])
        return [undo_record(entry.number, fresh and at == count) for at, entry in enumerate(last, start=1)]

    def with_redo(self, count: int = 1, ending: Ending | None = None) -> Self:
        """The journal with the entries last undone restored, on disk in one step.

        If the last of them ends the crisis, `ending` holds the sheet changes to write.
        """
        last = self.crisis.taken_back[len(self.crisis.taken_back) - count :]
        records = [redo_record(entry.number) for entry in reversed(last)]
        if ending:
            records.insert(-1, ending_record(ending))
        return self._append(*records)

    def with_saving(self, wanted: Mapping[str, Mapping[str, Any]]) -> Self:
        """The journal with a note, on disk, of what is about to be written to sheets."""
        return self._append(saving_record(wanted))

    def with_save(self, written: Mapping[str, Mapping[str, Any]]) -> Self:
        """The journal with a note, on disk, of what was written to sheets."""
        return self._append(save_record(written))

    def with_dice(self, dice: str) -> Self:
        """The journal with a note, on disk, of whose dice are used from now on."""
        return self._append(dice_record(dice))

    def with_finished(self, name: str) -> Self:
        """The journal with its end marked as finished, or, with an empty name, as about to be undone.

        Its caller holds the lock.
        """
        assert self.crisis.ending is not None
        return self._append_locked(finished_record(self.crisis.ending, name))

    @property
    def is_archived(self) -> bool:
        """Whether the crisis has ended and its journal was archived: it can only be read."""
        if not self.crisis.scene.over:
            return False
        ending = self.crisis.ending
        if ending and ending.finished:
            return ending.finished != os.path.basename(self.path)
        bare, _, number = file_stem(self.path).rpartition("-")
        own = f"-{self._opened_stamp}"
        return file_stem(self.path).endswith(own) or (bare.endswith(own) and number.isdigit())

    @property
    def _opened_stamp(self) -> str:
        """The time the crisis was opened, as used in file names."""
        return "".join(sign for sign in self.crisis.header["opened"] if sign.isalnum())

    def _append(self, *records: Mapping[str, Any]) -> Self:
        with locked(self.path, self.display_path):
            return self._append_locked(*records)

    def _append_locked(self, *records: Mapping[str, Any]) -> Self:
        lines, crisis = read_back(records, load, self.crisis)
        text = "\n" * self.lacks_newline + lines
        if self.torn_end:
            self._cut_torn_end()
        append(self.path, text, self.size, self.display_path)
        data = text.encode("utf-8")
        return self._replace(
            crisis=crisis,
            size=self.size + len(data),
            checksum=zlib.crc32(data, self.checksum),
            torn_end=b"",
            lacks_newline=False,
        )

    def _cut_torn_end(self) -> None:
        """Cut off blank or incomplete lines at the end; an incomplete one is kept in a .torn file."""
        try:
            with open(own_place(self.path, self.display_path), "rb", opener=no_link) as file:
                file.seek(self.size)
                if file.read(len(self.torn_end) + 1) != self.torn_end:
                    return
            if self.torn_end.strip():
                # After what an earlier crash has left there, each on a line of its own.
                with open(self.path + ".torn", "ab", opener=no_link) as aside:
                    aside.write(b"\n" * bool(aside.tell()) + self.torn_end)
                    aside.flush()
                    os.fsync(aside.fileno())
            with open(own_place(self.path, self.display_path), "r+b", opener=no_link) as file:
                file.truncate(self.size)
        except OSError as error:
            raise write_error(self.display_path, error) from error

    def archive(self, beside: str | None = None) -> str:
        """Rename the journal to its archive name, which holds the time it was opened; gives the new path. `beside`
        gives another folder and what the name begins with."""
        if self.torn_end:
            # Undoing the end was interrupted: the last line of an archive must be its end.
            self._cut_torn_end()
        first, suffix = os.path.splitext(self.path)
        first = f"{beside or first}-{self._opened_stamp}"
        target, number = first + suffix, 1
        while os.path.lexists(target):
            number += 1
            target = f"{first}-{number}{suffix}"
        self.move_to(target)
        return target

    def move_to(self, target: str) -> None:
        """Rename the file of the journal."""
        require_movable(self.path, target, self.display_path)
        try:
            os.replace(self.path, target)
        except OSError as error:
            raise write_error(self.display_path, error) from error


def is_folder_in(beside: str, folder: str) -> bool:
    """Whether there is a folder in that of another file, and not a link out of it."""
    return os.path.isdir(folder) and path_below(os.path.dirname(beside), folder) is not None


TAIL = 4_000
"""Bytes at the end of an archive that are enough to hold its last line."""


JOURNALS = "journals"
"""The folder of a campaign that holds the journals of its fights."""


def last_archived(path: str) -> str | None:
    """The path of the archive of the crisis that ended last at `path`; None if there is none."""
    found = []
    first, suffix = file_stem(path) + "-", os.path.splitext(path)[1]
    journals = sibling(path, JOURNALS)
    try:
        beside = [one for one in os.scandir(os.path.dirname(path)) if one.name.startswith(first)]
        for archive in (*beside, *(os.scandir(journals) if is_folder_in(path, journals) else ())):
            # A link is no archive: what is moved back must be the journal itself.
            if os.path.splitext(archive.name)[1] == suffix and archive.is_file(follow_symlinks=False):
                ended = _end_time(archive.path, os.path.basename(path))
                number = file_stem(archive.name).rpartition("-")[2]
                if ended:
                    order = (ended, archive.stat().st_mtime_ns, int(number) if number.isdigit() else 1)
                    found.append((*order, archive.path))
    except OSError:
        return None
    return max(found)[-1] if found else None


def _end_time(archive: str, name: str) -> str:
    """The time a crisis ended whose journal had that name, from the last line of its archive; else empty."""
    import json

    try:
        with open(archive, "rb") as file:
            file.seek(max(0, os.path.getsize(archive) - TAIL))
            record = json.loads(file.read().rstrip(b"\n").rpartition(b"\n")[2])
    except (OSError, ValueError, RecursionError):
        return ""
    said = isinstance(record, dict) and record.get("finished") == name and record.get("ends")
    return said if isinstance(said, str) else ""


def create(path: str, display_path: str, opened: ReadBack) -> JournalFile:
    """Create a journal on disk that is open so far; FileError if it exists, or its folder is missing."""
    require_folder(path, display_path)
    with locked(path, display_path):
        if exists(path):
            raise FileError(f"{display_path} exists already", hint="end it first: crisis end", code="exists")
        replace(path, opened.text, display_path)
    data = opened.text.encode("utf-8")
    return JournalFile(path, display_path, opened.crisis, len(data), zlib.crc32(data))


class MemoryJournal(JournalFile):
    """A journal kept in memory only; its path is where it would be written."""

    @property
    def is_on_disk(self) -> bool:
        """Always False."""
        return False

    def _append(self, *records: Mapping[str, Any]) -> Self:
        return self._append_locked(*records)

    def _append_locked(self, *records: Mapping[str, Any]) -> Self:
        return self._replace(crisis=read_back(records, load, self.crisis).crisis)


def lines(journal: JournalFile) -> list[str]:
    """The complete lines of a journal."""
    data = read_bytes(journal.path, journal.display_path, LARGEST, "journal", "bad_journal")
    return data[: journal.size].decode("utf-8-sig").removesuffix("\n").split("\n")


def read(path: str, display_path: str, known: JournalFile | None = None) -> JournalFile:
    """The journal at a path; FileError with the line if it is invalid. Takes no lock.

    If `known`, an earlier reading of the same file, has only grown, only the new lines are processed.
    """
    data = read_bytes(path, display_path, LARGEST, "journal", "bad_journal")
    if known and (known.path != path or zlib.crc32(data[: known.size]) != known.checksum):
        known = None
    start = known.size if known else 0
    size, lacks_newline = _whole_lines(data)
    if known and size == start:
        return known._replace(torn_end=data[size:])
    if not size and data.strip():
        raise FileError(
            f"{display_path}: its first line was cut short ({len(data)} bytes), and nothing follows",
            hint=way_on(1),
            code="bad_journal",
            whole=0,
        )
    skipped = known is not None and known.lacks_newline and data[start : start + 1] == b"\n"
    try:
        text = data[start + skipped : size].decode("utf-8" if start else "utf-8-sig")
    except UnicodeDecodeError as error:
        raise FileError(f"{display_path} is not UTF-8: byte {error.start + 1}", code="bad_journal") from error
    new = text.removesuffix("\n").split("\n") if text else []
    try:
        crisis = folded_lines(new, load, known.crisis if known else None)
    except BrokenSystem:
        raise
    except CrisisError as error:
        failure = FileError(f"{display_path}: {error.message}", hint=error.hint, code="bad_journal")
        failure.about.update(error.about)
        raise failure from error
    checksum = zlib.crc32(data[start:size], known.checksum if known else 0)
    return JournalFile(path, display_path, crisis, size, checksum, data[size:], lacks_newline)


def _whole_lines(data: bytes) -> tuple[int, bool]:
    """The number of bytes in complete lines, and whether the last of them lacks its newline.

    Blank lines at the end are not counted; other bytes not counted are an incomplete line.
    """
    end = len(data.rstrip())
    ended = data.find(b"\n", end) + 1 if end else 0
    if ended or not end:
        return ended, False
    last = data.rfind(b"\n", 0, end) + 1
    return (len(data), True) if _is_record(data[last:]) else (last, False)


def _is_record(tail: bytes) -> bool:
    """Whether a last line without newline is complete."""
    if not tail.rstrip().endswith(b"}"):
        return False
    import json

    try:
        return isinstance(json.loads(tail), dict)
    except (ValueError, RecursionError):
        return False
