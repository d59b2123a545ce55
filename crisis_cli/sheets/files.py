"""Writing files so that nothing is lost: whole or not at all, and locked while appending."""

from __future__ import annotations

import errno
import os
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ..errors import FileTrouble


def expanded(name: str) -> Path:
    """A path with the player's own folder in place of `~`; as it stands where nobody knows whose that is."""
    return Path(os.path.expanduser(name))


PATIENCE = 5.0
"""Seconds to wait for another program's lock."""


def replace(path: Path, text: str, shown: str) -> None:
    """Put a text in a file's place, atomically; FileTrouble where it cannot be written, the old one kept."""
    # Where a link leads to, which may be another disk.
    target = Path(os.path.realpath(path))
    draft = target.with_name(f".{target.name}.{os.getpid()}.new")
    try:
        mode = target.stat().st_mode & 0o777 if target.exists() else None
        with draft.open("w", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            draft.chmod(mode)
        os.replace(draft, target)
    except OSError as trouble:
        raise unwritable(shown, trouble) from trouble
    finally:
        with suppress(OSError):
            draft.unlink()
        _clear_drafts(target.parent)


def _clear_drafts(folder: Path) -> None:
    """Remove the drafts that programs have left in a folder which were stopped while they wrote."""
    with suppress(OSError):
        for entry in os.scandir(folder):
            if entry.name[0] == "." and entry.name.endswith(".new"):
                writer = entry.name.split(".")[-2]
                if writer.isascii() and writer.isdigit() and not _runs(int(writer)):
                    os.unlink(entry.path)


def _runs(process: int) -> bool:
    """Whether a process of that number may still run; where that cannot be seen, it does."""
    if os.name == "nt" or process > 2**31 - 1:
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


KINDS = ((stat.S_ISDIR, "a folder"), (stat.S_ISFIFO, "a named pipe"), (stat.S_ISSOCK, "a socket"))


def contents(path: Path, shown: str, most: int, what: str, code: str) -> bytes:
    """The bytes of a file; FileTrouble where it cannot be read, is no plain file, or has more than `most`."""
    try:
        about = path.stat()
        # Looked at before opening: who opens a named pipe waits, and who reads a device never ends.
        if not stat.S_ISREG(about.st_mode):
            kind = next((name for is_kind, name in KINDS if is_kind(about.st_mode)), "a device")
            raise FileTrouble(
                f"{shown} is {kind}, and no file", hint=f"a {what} is a plain file: name another", code=code
            )
        with path.open("rb") as file:
            data = file.read(most + 1) if about.st_size <= most else b""
    except FileNotFoundError as trouble:
        raise FileTrouble(f"there is no {what} at {shown}", code="not_found") from trouble
    except (OSError, ValueError) as trouble:
        said = getattr(trouble, "strerror", None) or trouble
        raise FileTrouble(f"{shown} cannot be read: {said}", code="unreadable") from trouble
    size = max(about.st_size, len(data))
    if size > most:
        raise FileTrouble(f"{shown} has {size:,} bytes; a {what} has {most:,} at most", code=code)
    return data


def unwritable(shown: str, trouble: OSError) -> FileTrouble:
    """The refusal for a file that cannot be written."""
    return FileTrouble(
        f"{shown} cannot be written: {trouble.strerror or trouble}",
        hint="nothing was changed; make room or take another folder (--file), and try again",
        code="cannot_write",
    )


@contextmanager
def locked(path: Path, shown: str) -> Iterator[None]:
    """Alone with a file; FileTrouble where another program holds it for longer than is bearable."""
    lock = path.with_name(f".{path.name}.lock")
    try:
        held = _only_user(lock, time.monotonic() + PATIENCE)
    except TimeoutError as trouble:
        raise FileTrouble(
            f"{shown} is locked by another crisis",
            hint="wait for it, or close it, and try again",
            code="locked",
        ) from trouble
    except OSError as trouble:
        if trouble.errno in (errno.ENOSYS, errno.ENOLCK, errno.ENOTSUP):
            with suppress(OSError):
                lock.unlink()
            raise FileTrouble(
                f"{shown} cannot be locked: its disk knows no locks",
                hint="take a folder on another disk (--file)",
                code="cannot_write",
            ) from trouble
        raise unwritable(shown, trouble) from trouble
    try:
        yield
    finally:
        _put_away(lock, held)


def _only_user(lock: Path, until: float) -> int:
    """A lock file of which this process is the only user, open; TimeoutError where another one keeps it too long."""
    while True:
        held = os.open(lock, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o666)
        try:
            # Whoever held it may have put it away meanwhile: then the next one locks a file of its own.
            if _alone(held) and _is_at(lock, held):
                return held
        except BaseException:
            os.close(held)
            raise
        os.close(held)
        if time.monotonic() > until:
            raise TimeoutError
        time.sleep(0.005)


def _put_away(lock: Path, held: int) -> None:
    """Remove a lock file, and let it go; where an open file cannot be removed, the other way round."""
    with suppress(OSError):
        if os.name != "nt":
            lock.unlink()
    os.close(held)
    if os.name == "nt":
        with suppress(OSError):
            lock.unlink()


if sys.platform == "win32":
    import msvcrt

    def _alone(held: int) -> bool:
        """Whether this process is the only one that uses an open file."""
        try:
            msvcrt.locking(held, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _alone(held: int) -> bool:
        """Whether this process is the only one that uses an open file; OSError where the disk knows no locks."""
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except (BlockingIOError, PermissionError):
            return False
        return True


def _is_at(path: Path, held: int) -> bool:
    """Whether an open file is the one that stands at a path."""
    try:
        return os.path.samestat(os.stat(path), os.fstat(held))
    except FileNotFoundError:
        return False


def append(path: Path, text: str, size: int, shown: str) -> None:
    """Add a text to a file known to be `size` bytes long, on disk before this returns; on failure it is as before."""
    try:
        # Without a buffer, which would try again to write what the disk has no room for.
        with path.open("r+b", buffering=0) as file:
            file.seek(0, os.SEEK_END)
            if file.tell() != size:
                raise FileTrouble(
                    f"{shown} was written by another crisis meanwhile",
                    hint="nothing was changed; check with crisis status, then try again",
                    code="moved",
                )
            left = memoryview(text.encode("utf-8"))
            try:
                while left:
                    left = left[file.write(left) :]
                os.fsync(file.fileno())
            except BaseException:
                file.truncate(size)
                raise
    except FileNotFoundError as trouble:
        raise FileTrouble(
            f"{shown} is gone: the crisis has been ended or moved away meanwhile",
            hint="nothing was changed; check with crisis status",
            code="gone",
        ) from trouble
    except OSError as trouble:
        raise unwritable(shown, trouble) from trouble
