"""Writing files so that nothing is lost: whole or not at all, and locked while appending."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from ..errors import FileTrouble

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
def locked(path: Path, shown: str) -> Iterator[Any]:
    """Alone with a file; FileTrouble where another program holds it for longer than is bearable."""
    from filelock import FileLock, Timeout

    lock = FileLock(path.with_name(f".{path.name}.lock"))
    try:
        lock.acquire(timeout=PATIENCE)
    except Timeout as trouble:
        raise FileTrouble(
            f"{shown} is locked by another crisis",
            hint="wait for it, or close it, and try again",
            code="locked",
        ) from trouble
    except OSError as trouble:
        raise unwritable(shown, trouble) from trouble
    try:
        yield
    finally:
        lock.release()


def append(path: Path, text: str, size: int, shown: str) -> None:
    """Add a text to a file known to be `size` bytes long, on disk before this returns; on failure it is as before."""
    try:
        # Without a buffer, which would try again to write what the disk has no room for.
        with path.open("r+b", buffering=0) as file:
            file.seek(0, os.SEEK_END)
            if file.tell() != size:
                raise FileTrouble(
                    f"{shown} was written by another crisis meanwhile",
                    hint="nothing was changed here; look at it (crisis status) and try again",
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
            hint="nothing was changed; look what there is (crisis status)",
            code="gone",
        ) from trouble
    except OSError as trouble:
        raise unwritable(shown, trouble) from trouble
