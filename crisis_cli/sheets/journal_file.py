"""The journal of a crisis on disk: opened, read, appended to, mended, put away."""

from __future__ import annotations

import os
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple, Self

from ..engine.journal import (
    Crisis,
    Ending,
    begun,
    dice_record,
    ending_record,
    entry_record,
    finished_record,
    folded_lines,
    line,
    redo_record,
    save_record,
    saving_record,
    undo_record,
    way_on,
)
from ..engine.record import Entry
from ..errors import CrisisError, FileTrouble
from ..systems import load
from .files import append, contents, locked, replace, unwritable

LARGEST = 500_000_000
"""Bytes of a journal that are still read."""
QUICK = 8_000_000
"""Bytes of a journal that are still read to complete a word: more takes too long for a key."""


class Journal(NamedTuple):
    """A journal as it was read: the crisis, and what stands in the file."""

    path: Path
    shown: str
    crisis: Crisis
    size: int
    """Bytes of the lines that are whole."""
    seal: int
    """Their checksum: a file that begins with them has only grown."""
    torn: bytes = b""
    """What follows them: the beginning of a line that a crash cut short, or blank lines."""
    unended: bool = False
    """Whether the last line lacks only the newline behind it."""

    @property
    def on_disk(self) -> bool:
        """Whether it is written at all."""
        return True

    def with_entry(self, entry: Entry) -> Journal:
        """The journal with one more entry, on disk."""
        return self._grown(self.crisis.after(entry), entry_record(entry))

    def with_end(self, entry: Entry, ending: Ending) -> Journal:
        """The journal with the end of the crisis and what it will write, on disk in one step."""
        crisis = self.crisis.announce(ending).after(entry)
        return self._grown(crisis, ending_record(ending), entry_record(entry))

    def with_undo(self, count: int = 1, fresh: bool = False) -> Journal:
        """The journal with its last entries taken back, on disk in one step; `fresh`: new dice from there."""
        with locked(self.path, self.shown):
            return self.undone(count, fresh)

    def undone(self, count: int, fresh: bool) -> Journal:
        """The same, by someone who holds the lock already."""
        crisis, records = self.crisis, []
        for left in reversed(range(count)):
            records.append(undo_record(crisis.done[-1].number, fresh and not left))
            crisis = crisis.undo(fresh and not left)
        return self._appended(crisis, *records)

    def with_redo(self, count: int = 1, ending: Ending | None = None) -> Journal:
        """The journal with the entries last undone in force again, on disk in one step.

        Where the last of them ends the crisis, `ending` is what that will write.
        """
        crisis, records = self.crisis, []
        for left in reversed(range(count)):
            if ending and not left:
                crisis = crisis.announce(ending)
                records.append(ending_record(ending))
            records.append(redo_record(crisis.taken_back[-1].number))
            crisis = crisis.redo()
        return self._grown(crisis, *records)

    def with_saving(self, wanted: Mapping[str, Mapping[str, Any]]) -> Journal:
        """The journal that knows what is about to be written into sheets, on disk."""
        return self._grown(self.crisis.begin_save(wanted), saving_record(wanted))

    def with_save(self, written: Mapping[str, Mapping[str, Any]]) -> Journal:
        """The journal that knows what was written into sheets, on disk."""
        return self._grown(self.crisis.save(written), save_record(written))

    def with_dice(self, dice: str) -> Journal:
        """The journal that knows whose dice are used from now on, on disk."""
        return self._grown(self.crisis.use_dice(dice), dice_record(dice))

    def finished(self, name: str) -> Journal:
        """The journal of an end that is finished; or with an empty name, of one about to be undone.

        Its caller holds the lock.
        """
        assert self.crisis.ending is not None
        return self._appended(self.crisis.finish(name), finished_record(self.crisis.ending, name))

    @property
    def archived(self) -> bool:
        """Whether the crisis has ended and its journal lies elsewhere than where it was open: it is only read."""
        if not self.crisis.scene.over:
            return False
        ending = self.crisis.ending
        if ending and ending.finished:
            return ending.finished != self.path.name
        bare, _, number = self.path.stem.rpartition("-")
        own = f"-{self._opened}"
        return self.path.stem.endswith(own) or (bare.endswith(own) and number.isdigit())

    @property
    def _opened(self) -> str:
        """When the crisis was opened, as file names spell it."""
        return "".join(sign for sign in self.crisis.header["opened"] if sign.isalnum())

    def _grown(self, crisis: Crisis, *records: Mapping[str, Any]) -> Journal:
        with locked(self.path, self.shown):
            return self._appended(crisis, *records)

    def _appended(self, crisis: Crisis, *records: Mapping[str, Any]) -> Journal:
        text = "\n" * self.unended + "".join(map(line, records))
        if self.torn:
            self._mend()
        append(self.path, text, self.size, self.shown)
        data = text.encode("utf-8")
        return self._replace(
            crisis=crisis,
            size=self.size + len(data),
            seal=zlib.crc32(data, self.seal),
            torn=b"",
            unended=False,
        )

    def _mend(self) -> None:
        """Cut off what follows the whole lines: blank lines, or a torn one, which is kept beside the journal."""
        try:
            data = self.path.read_bytes()
            if data[self.size :] != self.torn:
                return
            if self.torn.strip():
                # Behind what an earlier crash has left there, each on a line of its own.
                with self.path.with_name(self.path.name + ".torn").open("ab") as aside:
                    aside.write(b"\n" * bool(aside.tell()) + self.torn)
                    aside.flush()
                    os.fsync(aside.fileno())
            with self.path.open("r+b") as file:
                file.truncate(self.size)
        except OSError as trouble:
            raise unwritable(self.shown, trouble) from trouble

    def put_away(self) -> Path:
        """The path of the journal after it has been renamed for good; its name holds when it was opened."""
        if self.torn:
            # An end whose undoing was cut short: the last line of an archive tells of its end.
            self._mend()
        stem, suffix = f"{self.path.stem}-{self._opened}", self.path.suffix
        target = self.path.with_name(stem + suffix)
        number = 1
        while target.exists():
            number += 1
            target = self.path.with_name(f"{stem}-{number}{suffix}")
        self.moved(target)
        return target

    def moved(self, target: Path) -> None:
        """Rename the file of the journal."""
        try:
            os.replace(self.path, target)
        except OSError as trouble:
            raise unwritable(self.shown, trouble) from trouble


TAIL = 4_000
"""Bytes at the end of a journal that hold its last line, where that tells of its end."""


def last_archived(path: Path) -> Path | None:
    """The archive of the crisis that was ended last at a path; None where there is none."""
    found = []
    try:
        for archive in path.parent.iterdir():
            if archive.name.startswith(path.stem + "-") and archive.suffix == path.suffix:
                ended = _ended(archive, path.name)
                number = archive.stem.rpartition("-")[2]
                if ended:
                    order = (ended, archive.stat().st_mtime_ns, int(number) if number.isdigit() else 1)
                    found.append((*order, archive))
    except OSError:
        return None
    return max(found)[-1] if found else None


def _ended(archive: Path, name: str) -> str:
    """When a crisis was ended whose journal had that name, as the last line of its archive says; else empty."""
    import json

    try:
        with archive.open("rb") as file:
            file.seek(max(0, archive.stat().st_size - TAIL))
            record = json.loads(file.read().rstrip(b"\n").rpartition(b"\n")[2])
    except (OSError, ValueError, RecursionError):
        return ""
    said = isinstance(record, dict) and record.get("finished") == name and record.get("ends")
    return said if isinstance(said, str) else ""


def opened(path: Path, shown: str, header: Mapping[str, Any], first: Entry) -> Journal:
    """A new journal with its header and its first entry, on disk; FileTrouble where there is one already."""
    crisis = begun(header)
    text = line(header) + line(entry_record(first))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as trouble:
        raise unwritable(shown, trouble) from trouble
    with locked(path, shown):
        if path.exists():
            raise FileTrouble(f"{shown} is there already", hint="end it first: crisis end", code="exists")
        replace(path, text, shown)
    data = text.encode("utf-8")
    return Journal(path, shown, crisis.after(first), len(data), zlib.crc32(data))


class Unwritten(Journal):
    """A crisis that is kept in memory only."""

    @property
    def on_disk(self) -> bool:
        """Never."""
        return False

    def _grown(self, crisis: Crisis, *records: Mapping[str, Any]) -> Self:
        return self._replace(crisis=crisis)


def unwritten(path: Path, shown: str, header: Mapping[str, Any], first: Entry) -> Journal:
    """A new crisis of which nothing is written; the path is where its journal would be."""
    return Unwritten(path, shown, begun(header).after(first), 0, 0)


def lines(journal: Journal) -> list[str]:
    """The lines of a journal as far as they are whole."""
    data = contents(journal.path, journal.shown, LARGEST, "journal", "bad_journal")
    return data[: journal.size].decode("utf-8").removesuffix("\n").split("\n")


def read(path: Path, shown: str, known: Journal | None = None) -> Journal:
    """The journal at a path; FileTrouble with the line where it is broken. Takes no lock.

    Of a journal `known` from an earlier reading that has only grown, no more than the new lines are worked through.
    """
    data = contents(path, shown, LARGEST, "journal", "bad_journal")
    if known and (known.path != path or zlib.crc32(data[: known.size]) != known.seal):
        known = None
    start = known.size if known else 0
    size, unended = _whole_lines(data)
    if known and size == start:
        return known._replace(torn=data[size:])
    if not size and data.strip():
        raise FileTrouble(
            f"{shown}: its first line was cut short ({len(data)} bytes), and nothing follows",
            hint=way_on(1),
            code="bad_journal",
        )
    skipped = known is not None and known.unended and data[start : start + 1] == b"\n"
    try:
        text = data[start + skipped : size].decode("utf-8")
    except UnicodeDecodeError as trouble:
        raise FileTrouble(f"{shown} is not UTF-8: byte {trouble.start + 1}", code="bad_journal") from trouble
    new = text.removesuffix("\n").split("\n") if text else []
    try:
        crisis = folded_lines(new, load, known.crisis if known else None)
    except CrisisError as trouble:
        raise FileTrouble(
            f"{shown}: {trouble.message}",
            hint=trouble.hint,
            code="bad_journal",
        ) from trouble
    seal = zlib.crc32(data[start:size], known.seal if known else 0)
    return Journal(path, shown, crisis, size, seal, data[size:], unended)


def _whole_lines(data: bytes) -> tuple[int, bool]:
    """How many bytes of a journal are whole lines, and whether the last of them lacks its newline.

    Blank lines at the end are left out; what else is left out was cut short.
    """
    end = len(data.rstrip())
    ended = data.find(b"\n", end) + 1 if end else 0
    if ended or not end:
        return ended, False
    last = data.rfind(b"\n", 0, end) + 1
    return (len(data), True) if _is_record(data[last:]) else (last, False)


def _is_record(tail: bytes) -> bool:
    """Whether a line without its newline is all there."""
    if not tail.rstrip().endswith(b"}"):
        return False
    import json

    try:
        return isinstance(json.loads(tail), dict)
    except (ValueError, RecursionError):
        return False
