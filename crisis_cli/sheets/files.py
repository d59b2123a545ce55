"""Writing files so that nothing is lost: whole or not at all, and locked while appending."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ..errors import FileTrouble

PATIENCE = 5.0
"""Seconds to wait for another program's lock."""


def replace(path: Path, text: str, shown: str) -> None:
    """Put a text in a file's place, atomically; FileTrouble where it cannot be written, the old one kept."""
    draft = path.with_name(f".{path.name}.{os.getpid()}.new")
    try:
        mode = path.stat().st_mode & 0o777 if path.exists() else None
        with draft.open("w", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            draft.chmod(mode)
        os.replace(draft, path.resolve())
    except OSError as trouble:
        draft.unlink(missing_ok=True)
        raise unwritable(shown, trouble) from trouble


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
        with path.open("r+b") as file:
            file.seek(0, os.SEEK_END)
            if file.tell() != size:
                raise FileTrouble(
                    f"{shown} was written by another crisis meanwhile",
                    hint="nothing was changed here; look at it (crisis status) and try again",
                    code="moved",
                )
            try:
                file.write(text.encode("utf-8"))
                file.flush()
                os.fsync(file.fileno())
            except OSError:
                file.truncate(size)
                raise
    except OSError as trouble:
        raise unwritable(shown, trouble) from trouble
