"""Paths, and safe file access: allowed folders, atomic replacement, appending under a lock, size limits.

What a journal, a story or any other file names goes through `inside`, which knows the allowed folder; what is written
is never written through a link out of its folder (`own_place`), and drafts, locks and files set aside through no link
at all (`no_link`). CONTRIBUTING.md lists every such place with its folder.

Paths are text, handled by os.path: to load pathlib takes as long as to read a crisis and show it.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
import time
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar

from ..errors import FileError
from ..values import NamedTuple

# Paths


def path_from(folder: str, name: str) -> str:
    """The path that somebody's word names, seen from an absolute folder: `~` is the home folder, if that is known."""
    drive, rest = os.path.splitdrive(os.path.join(folder, os.path.expanduser(name)))
    parts = rest.replace(os.altsep or os.sep, os.sep).split(os.sep)
    return drive + os.sep + os.sep.join(part for part in parts if part not in ("", "."))


def file_stem(path: str) -> str:
    """The name of a file without its folder and its ending."""
    return os.path.splitext(os.path.basename(path))[0]


RESERVED_NAMES = frozenset(
    ("con", "prn", "aux", "nul", *(f"{port}{at}" for port in ("com", "lpt") for at in range(10)))
)
"""Names that no file can have on Windows."""


def stem_of(name: str) -> str:
    """The file stem for a name: its letters and digits in lower case, words joined by hyphens."""
    words = "".join(sign if sign.isalnum() else " " for sign in name.casefold()).split()
    stem = "-".join(words) or "nameless"
    return f"{stem}-sheet" if stem in RESERVED_NAMES else stem


def sibling(path: str, name: str) -> str:
    """The path of a file of that name in the same folder."""
    return os.path.join(os.path.dirname(path), name)


def path_below(folder: str, path: str) -> str | None:
    """The path from a folder on, links resolved and `/` between its parts; None if it is not in that folder."""
    root, real = os.path.realpath(folder), os.path.realpath(path)
    if real == root:
        return "."
    root = root.rstrip(os.sep) + os.sep
    return real[len(root) :].replace(os.sep, "/") if real.startswith(root) else None


def inside(folder: str, name: str, display_path: str) -> str:
    """The path of what somebody's file names in a folder; FileError where it is not in that folder, links resolved."""
    path = os.path.join(folder, name)
    try:
        below = path_below(folder, path)
    except (OSError, ValueError):
        below = None
    if below in (None, "."):
        raise leads_out(path, display_path, os.path.basename(folder) or folder)
    return path


def own_place(path: str, display_path: str, folder: str = "") -> str:
    """The path at which a file is to be written, links resolved; FileError where a link leads out of the folder, which
    is its own if none is named."""
    folder = folder or os.path.dirname(path)
    if path_below(folder, path) in (None, "."):
        raise leads_out(path, display_path, os.path.basename(folder) or folder)
    return os.path.realpath(path)


def leads_out(path: str, display_path: str, folder: str) -> FileError:
    """The error for a path that is not in the folder it has to be in, of that name."""
    try:
        real = os.path.realpath(path)
        is_link = real != os.path.abspath(path)
    except (OSError, ValueError):
        is_link = False
    return FileError(
        f"{display_path} is {f'a link to {real}, ' if is_link else ''}outside the folder {folder}",
        hint="put the file itself there in place of the link" if is_link else "",
        code="outside",
    )


def exists(path: str) -> bool:
    """Whether there is anything at a path; OSError if that cannot be found out."""
    try:
        os.stat(path)
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return False
    return True


# Where files may be written


ALLOW = "crisis run --allow-files"
"""What lets a script write everywhere."""


class Confinement(NamedTuple):
    """Where the lines of a script, or the calls of a model, may write."""

    folder: str
    """Everything below it."""
    also: frozenset[str] = frozenset()
    """Files and folders outside it that whoever started the script has named: the journal, the story."""
    writer: str = "a script"
    """What is confined, in messages."""
    remedy: str = f"look at the script, then let it write anywhere: {ALLOW}"
    """How it may write elsewhere."""


_CONFINEMENT: ContextVar[Confinement | None] = ContextVar("confinement", default=None)
"""Set while a script or a server runs."""


@contextmanager
def confined(folder: str, also: Collection[str] = (), **words: str) -> Iterator[None]:
    """A block in which files are written only below a folder, or as and in what is named beside it; `words` are the
    `writer` and the `remedy` in messages, where it is no script that writes."""
    token = _CONFINEMENT.set(Confinement(folder, frozenset(map(os.path.realpath, also)), **words))
    try:
        yield
    finally:
        _CONFINEMENT.reset(token)


def is_confined() -> bool:
    """Whether a script runs whose lines may not write everywhere."""
    return _CONFINEMENT.get() is not None


def allowed(path: str) -> bool:
    """Whether a file may be written, moved or deleted: always, but while a script is confined to a folder."""
    limits = _CONFINEMENT.get()
    if limits is None:
        return True
    real = os.path.realpath(path)
    return path_below(limits.folder, real) is not None or not {real, os.path.dirname(real)}.isdisjoint(
        limits.also
    )


def require_allowed(path: str, display_path: str) -> None:
    """Raise FileError where a script would write, move or delete a file that it may not."""
    limits = _CONFINEMENT.get()
    if limits is not None and not allowed(path):
        raise FileError(
            f"{display_path} is outside the working directory; {limits.writer} writes only inside it",
            hint=limits.remedy,
            code="outside",
        )


def require_movable(source: str, target: str, display_path: str) -> None:
    """Raise FileError where a script would move a file that it may not; a journal is archived beside itself."""
    is_beside = os.path.dirname(source) == os.path.dirname(target)
    if not (is_beside and (allowed(source) or allowed(target))):
        require_allowed(source, display_path)
        require_allowed(target, display_path)


# Writing and reading


LOCK_TIMEOUT = 5.0
"""Seconds to wait for another program's lock."""


USUAL_WAY = "use another folder (--file)"
"""How to name another folder where a command has no option of its own for that."""


UNCHANGED = "nothing was changed; "
"""The beginning of the hint of an error that left all as it was; a command that has recorded more says otherwise."""


REMEDIES = {"cannot_write": "free some space", "locked": "wait for the other crisis"}
"""What to do about an error that keeps a file from being written, by its code."""


def replace(path: str, text: str, display_path: str, elsewhere: str = USUAL_WAY) -> None:
    """Replace a file's text atomically; FileError if it cannot be written, and the old text is kept. `elsewhere` is
    how to name another folder. No link out of the folder of the file is followed."""
    require_allowed(path, display_path)
    target = own_place(path, display_path)
    draft, is_ours = draft_of(target), False
    try:
        mode = os.stat(target).st_mode & 0o777 if exists(target) else None
        _clear_drafts(target)
        with open(draft, "x", encoding="utf-8", newline="", opener=no_link) as file:
            is_ours = True
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            os.chmod(draft, mode)
        os.replace(draft, target)
    except OSError as error:
        raise write_error(display_path, error, elsewhere) from error
    finally:
        if is_ours:
            with suppress(OSError):
                os.unlink(draft)


def draft_of(path: str) -> str:
    """The path of this process's draft of a file, beside it: `.jack.toml.4711.new`."""
    return sibling(path, f".{os.path.basename(path)}.{os.getpid()}.new")


def no_link(path: str, flags: int) -> int:
    """Open a plain file, as the opener of `open`; OSError for a link, a named pipe, a device or a socket."""
    flags |= getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
    try:
        descriptor = os.open(path, flags, 0o666)
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.ENXIO, errno.EEXIST):
            raise InTheWay(path) from error
        raise
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise InTheWay(path)
    return descriptor


class InTheWay(OSError):
    """What stands at a path where a plain file was to be opened, or made."""

    def __init__(self, path: str):
        self.name = os.path.basename(path)
        if os.path.islink(path):
            said = f"{self.name} is a link to {os.readlink(path)}"
        else:
            said = f"{self.name} {'exists' if os.path.isfile(path) else 'is no plain file'}"
        super().__init__(errno.EEXIST, said)


def create(path: str, text: str, display_path: str, what: str, elsewhere: str, folder: str = "") -> None:
    """Write a new file, its folder too; FileError if that cannot be done, or there is anything in its place, such as a
    link to nowhere. `what` is what the folder is for, and `elsewhere` how to name another one; no link out of `folder`,
    by default that of the file, is followed."""
    require_allowed(path, display_path)
    place = own_place(path, display_path, folder)
    if os.path.lexists(path):
        raise FileError(
            f"{display_path} exists already",
            hint=f"it is a link to {os.readlink(path)}: move it away" if os.path.islink(path) else elsewhere,
            code="exists",
        )
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
    except (FileExistsError, NotADirectoryError) as error:
        folder = os.path.dirname(display_path) or os.curdir
        raise FileError(
            f"{folder} is a file; it must be a folder for {what}",
            hint=f"rename the file, or {elsewhere}",
            code="cannot_write",
        ) from error
    except OSError as error:
        raise write_error(display_path, error, elsewhere) from error
    replace(place, text, display_path, elsewhere)


def export(path: str, text: str, display_path: str, overwrite: bool = False) -> None:
    """Write a text to a file of its own; FileError where there is one that may not be replaced. A script replaces
    none."""
    require_allowed(path, display_path)
    require_folder(path, display_path)
    if exists(path) and is_confined():
        raise FileError(
            f"{display_path} exists; a script replaces no file",
            hint=f"name another file, or let it: {ALLOW}",
            code="exists",
        )
    if exists(path) and not overwrite:
        raise FileError(f"{display_path} exists", hint="to replace it: --overwrite", code="exists")
    replace(path, text, display_path)


def require_folder(path: str, display_path: str, elsewhere: str = "name a file in another one") -> None:
    """Raise FileError if the folder in which a file is to be written does not exist."""
    if not os.path.isdir(os.path.dirname(path)):
        folder = os.path.dirname(display_path) or os.curdir
        raise FileError(
            f"{display_path} cannot be written: there is no folder {folder}",
            hint=f"make the folder first, or {elsewhere}",
            code="cannot_write",
        )


DRAFTED = (".toml", ".bak", ".jsonl")
"""The endings of the files that this program makes by itself."""


def _clear_drafts(target: str) -> None:
    """Remove drafts of this program that were left beside a file by runs that were killed while writing."""
    with suppress(OSError):
        for entry in stale_drafts(target, DRAFTED):
            if entry.is_file(follow_symlinks=False):
                os.unlink(entry.path)


def stale_drafts(target: str, endings: tuple[str, ...] = ()) -> list[os.DirEntry[str]]:
    """What is called as a draft of a file or folder, or of files with these endings beside it, whose process does not
    run any more; it may be anything. OSError where the folder cannot be read."""
    folder, name = os.path.split(target)
    with os.scandir(folder) as there:
        return [entry for entry in there if _is_stale_draft(entry.name, name, endings)]


def _is_stale_draft(draft: str, name: str, endings: tuple[str, ...]) -> bool:
    """Whether a name is that of a draft, such as `.jack.toml.4711.new`, whose process does not run any more."""
    first, _, process = draft.removesuffix(".new").rpartition(".")
    is_draft = draft.endswith(".new") and draft[0] == "." and (first == f".{name}" or first.endswith(endings))
    if not is_draft or not (process.isascii() and process.isdigit()) or process[0] == "0":
        return False
    # A draft of this very process would be that of an earlier one with its number.
    return int(process) == os.getpid() or not _is_running(int(process))


def _is_running(process: int) -> bool:
    """Whether a process of that number runs; True if that cannot be found out."""
    if os.name == "nt" or process > 2**31 - 1:
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def _is_stream(mode: int) -> bool:
    return stat.S_ISFIFO(mode) or stat.S_ISCHR(mode)


KINDS = ((stat.S_ISDIR, "a folder"), (stat.S_ISFIFO, "a named pipe"), (stat.S_ISSOCK, "a socket"))


def read_bytes(
    path: str, display_path: str, most: int, what: str, code: str, takes_pipe: bool = False
) -> bytes:
    """The bytes of a file; FileError if it cannot be read, is no regular file, or has more than `most` bytes. With
    `takes_pipe` it may be a named pipe, such as the shell makes of <(…), or stdin by its path."""
    try:
        about = os.stat(path)
        # Looked at before opening: who opens a named pipe waits, and who reads a device never ends.
        may_be_read = stat.S_ISREG(about.st_mode) or (takes_pipe and _is_stream(about.st_mode))
        if not may_be_read:
            from ..engine.wording import with_a

            kind = next((name for is_kind, name in KINDS if is_kind(about.st_mode)), "a device")
            raise FileError(
                f"{display_path} is {kind}, not a file",
                hint=f"{with_a(what)} is a plain file: give another path",
                code=code,
            )
        if about.st_size > most:
            data = b""
        elif stat.S_ISFIFO(about.st_mode):
            data = _read_pipe(path, display_path, most + 1, code)
        else:
            with open(path, "rb") as file:
                data = file.read(most + 1)
    except FileNotFoundError as error:
        raise FileError(f"there is no {what} at {display_path}", code="not_found") from error
    except (OSError, ValueError) as error:
        said = getattr(error, "strerror", None) or error
        raise FileError(f"{display_path} cannot be read: {said}", code="unreadable") from error
    size = max(about.st_size, len(data))
    if size > most:
        from ..engine.wording import with_a

        raise FileError(f"{display_path} has {size:,} bytes; {with_a(what)} has {most:,} at most", code=code)
    return data


STDIN = "-"
"""The word for stdin where a file is named."""


def read_source(path: str, display_path: str, stdin: Iterable[str] | None, most: int, code: str) -> bytes:
    """The bytes of a file to be imported, or with `stdin` those of stdin; FileError as of `read_bytes`."""
    if stdin is None:
        return read_bytes(path, display_path, most, "file", code, takes_pipe=True)
    data = "".join(stdin).encode("utf-8", "surrogateescape")
    if len(data) > most:
        raise FileError(f"{display_path} has more than {most:,} bytes", code=code)
    return data


PIPE_TIMEOUT = 3.0
"""Seconds to wait for somebody who writes into a named pipe."""


def _read_pipe(path: str, display_path: str, most: int, code: str) -> bytes:
    """What comes out of a pipe, up to so many bytes; FileError where nobody writes into it, in PIPE_TIMEOUT seconds."""
    import select

    # Without waiting: to open a named pipe without a writer would take for ever.
    with open(path, "rb", opener=lambda name, flags: os.open(name, flags | os.O_NONBLOCK)) as file:
        start: bytes | None = b""
        if not select.select([file], [], [], PIPE_TIMEOUT)[0]:
            try:
                start = os.read(file.fileno(), 1)
            except BlockingIOError:
                start = None
            if start == b"":
                raise FileError(
                    f"{display_path} is a named pipe into which nothing writes",
                    hint="begin to write into it first, or give the path of a file",
                    code=code,
                )
        os.set_blocking(file.fileno(), True)
        return (start or b"") + file.read(most)


def write_error(display_path: str, error: OSError, elsewhere: str = USUAL_WAY) -> FileError:
    """The error for a file that cannot be written; `elsewhere` is how to name another folder."""
    remedy = f"move {error.name} away" if isinstance(error, InTheWay) else f"free some space or {elsewhere}"
    return FileError(
        f"{display_path} cannot be written: {error.strerror or error}",
        hint=f"{UNCHANGED}{remedy}, and try again",
        code="cannot_write",
    )


@contextmanager
def locked(path: str, display_path: str) -> Iterator[None]:
    """A block with an exclusive lock on a file; FileError if another program holds it for LOCK_TIMEOUT seconds."""
    require_allowed(path, display_path)
    lock = sibling(path, f".{os.path.basename(path)}.lock")
    try:
        descriptor = _acquire_lock(lock, time.monotonic() + LOCK_TIMEOUT)
    except TimeoutError as error:
        raise FileError(
            f"{display_path} is locked by another crisis",
            hint="wait for it, or close it, and try again",
            code="locked",
        ) from error
    except OSError as error:
        if error.errno in (errno.ENOSYS, errno.ENOLCK, errno.ENOTSUP):
            with suppress(OSError):
                os.unlink(lock)
            raise FileError(
                f"{display_path} cannot be locked: its disk does not support locks",
                hint="use a folder on another disk (--file)",
                code="cannot_write",
            ) from error
        raise write_error(display_path, error) from error
    try:
        yield
    finally:
        _release_lock(lock, descriptor)


def is_locked(path: str) -> bool:
    """Whether another program holds the lock on a file; nothing is written to find out."""
    try:
        descriptor = no_link(sibling(path, f".{os.path.basename(path)}.lock"), os.O_RDWR)
    except FileNotFoundError:
        return False
    try:
        return not _try_lock(descriptor)
    finally:
        os.close(descriptor)


def _acquire_lock(lock: str, until: float) -> int:
    """Open and lock a lock file; gives its descriptor. TimeoutError if another process holds it until `until`."""
    while True:
        descriptor = no_link(lock, os.O_RDWR | os.O_CREAT)
        try:
            # The holder may have removed it in the meantime: then the next one locks a new file.
            if _try_lock(descriptor) and _is_file_at(lock, descriptor):
                return descriptor
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)
        if time.monotonic() > until:
            raise TimeoutError
        time.sleep(0.005)


def _release_lock(lock: str, descriptor: int) -> None:
    """Remove a lock file and close it (on Windows close it first)."""
    with suppress(OSError):
        if os.name != "nt":
            os.unlink(lock)
    os.close(descriptor)
    if os.name == "nt":
        with suppress(OSError):
            os.unlink(lock)


if sys.platform == "win32":
    import msvcrt

    def _try_lock(descriptor: int) -> bool:
        """Whether this process got the lock on an open file."""
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _try_lock(descriptor: int) -> bool:
        """Whether this process got the lock on an open file; OSError if the file system has no locks."""
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except (BlockingIOError, PermissionError):
            return False
        return True


def _is_file_at(path: str, descriptor: int) -> bool:
    """Whether an open file is the file at a path."""
    try:
        return os.path.samestat(os.stat(path), os.fstat(descriptor))
    except FileNotFoundError:
        return False


def append(path: str, text: str, size: int, display_path: str) -> None:
    """Append a text to a file of `size` bytes and sync it to disk; on failure the file is as before.

    FileError if it has another size (code `moved`), is gone, or cannot be written.
    """
    require_allowed(path, display_path)
    try:
        # Without a buffer, which would try again to write what the disk has no room for.
        with open(own_place(path, display_path), "r+b", buffering=0, opener=no_link) as file:
            file.seek(0, os.SEEK_END)
            if file.tell() != size:
                raise FileError(
                    f"{display_path} was written by another crisis in the meantime",
                    hint=f"{UNCHANGED}check with crisis status, then try again",
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
    except FileNotFoundError as error:
        raise FileError(
            f"{display_path} is gone: the crisis has been ended or moved in the meantime",
            hint=f"{UNCHANGED}check with crisis status",
            code="removed",
        ) from error
    except OSError as error:
        raise write_error(display_path, error) from error
