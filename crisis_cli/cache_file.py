"""Small texts in the user's cache folder, each with a stamp of what it is valid for."""

from __future__ import annotations

import os
import stat
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

LARGEST = 10_000_000
"""Most bytes of a text."""


class Unwritten:
    """A block in which nothing is kept for the next run."""

    is_on = False

    def __enter__(self) -> None:
        Unwritten.is_on = True

    def __exit__(self, *error: object) -> None:
        Unwritten.is_on = False


def cache_path(env: Mapping[str, str], name: str) -> str:
    """The path of the text of that name; empty if the user has no cache folder."""
    folder = env.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(folder):
        if sys.platform == "linux" and "ANDROID_ROOT" not in env and env.get("HOME"):
            folder = os.path.join(env["HOME"], ".cache")
        elif sys.platform == "linux":
            return ""
        else:
            from platformdirs import user_cache_dir

            folder = user_cache_dir()
    return os.path.join(folder, "crisis", name)


def _head(stamp: str, text: str) -> str:
    """The first line of the file: what its text is valid for, and a checksum of it."""
    from zlib import crc32

    return f"{stamp} {crc32(text.encode('utf-8')):08x}\n"


def cached(path: str, stamp: str) -> str | None:
    """The text at a path; None if it is valid for something else, or cannot be read."""
    try:
        # Looked at first: who opens a named pipe waits.
        about = os.stat(path)
        if not stat.S_ISREG(about.st_mode) or about.st_size > LARGEST:
            return None
        with open(path, encoding="utf-8") as file:
            head, text = file.readline(), file.read()
    except (OSError, ValueError):
        return None
    return text if head == _head(stamp, text) else None


def keep(path: str, stamp: str, text: str) -> None:
    """Write a text for the next run; nothing happens if that fails, or there is no path."""
    if not path or Unwritten.is_on:
        return
    scratch = f"{path}.{os.getpid()}"
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        # A new file, through no link.
        with open(scratch, "x", encoding="utf-8") as file:
            file.write(_head(stamp, text) + text)
        os.replace(scratch, path)
    except (OSError, ValueError):
        return
