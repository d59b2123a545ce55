"""Carries out command lines, each in a process of its own that is killed at a given system call.

Run as a program: each line on stdin is an object with `words`, `here`, `out` (the file that takes what is printed)
and `at` (which of the calls the process does not survive; 0 for none), and `half` (whether, if that call writes,
half of it is written). The answer is a line with `status`, negative for a signal, and the number of `calls`.
The process is forked from this one, which has loaded the program already. Its calls are those that files are
worked on with; nothing waits for the disk.
"""

from __future__ import annotations

import builtins
import fcntl
import io
import json
import os
import signal
import sys
from typing import Any

CALLS = (
    "open",
    "close",
    "replace",
    "rename",
    "unlink",
    "remove",
    "fsync",
    "truncate",
    "ftruncate",
    "mkdir",
    "chmod",
    "scandir",
    "kill",
)


class Fate:
    """Counts system calls, and kills the process at one of them."""

    def __init__(self, at: int, half: bool):
        self.at = at
        self.half = half
        self.calls = 0

    def call(self, *rest: object) -> bool:
        """Count one call; whether it is the last one, and half of it may be done."""
        self.calls += 1
        if self.calls == self.at:
            if rest and self.half:
                return True
            self.die()
        return False

    def die(self) -> None:
        """No more."""
        os_kill(os.getpid(), signal.SIGKILL)

    def before(self, does: Any, skipped: bool = False) -> Any:
        """A function that counts before it does something; nothing if it is to be skipped."""

        def counted(*what: Any, **how: Any) -> Any:
            self.call()
            return None if skipped else does(*what, **how)

        return counted


os_kill = os.kill


def mortal(fate: Fate) -> Any:
    """Have every call that works on files counted from now on; what opens files from now on."""

    class File(io.FileIO):
        """A file whose writes are counted, and may be cut short."""

        def write(self, data: Any) -> int:
            if fate.call(data):
                super().write(bytes(data)[: len(data) // 2])
                fate.die()
            return super().write(data)

        def truncate(self, size: int | None = None) -> int:
            fate.call()
            return super().truncate(size)

    def opened(
        file: Any,
        mode: str = "r",
        buffering: int = -1,
        encoding: str | None = None,
        errors: str | None = None,
        newline: str | None = None,
        opener: Any = None,
    ) -> Any:
        fate.call()
        raw = File(os.fspath(file), mode.replace("b", "").replace("t", ""), opener=opener)
        if not buffering:
            return raw
        kinds: dict[bool, Any] = {True: io.BufferedRandom, False: io.BufferedWriter}
        buffer = io.BufferedReader(raw) if mode.strip("bt") == "r" else kinds["+" in mode](raw)
        if "b" in mode:
            return buffer
        return io.TextIOWrapper(buffer, encoding or "utf-8", errors, newline)

    for name in CALLS:
        setattr(os, name, fate.before(getattr(os, name), name == "fsync"))
    fcntl.flock = fate.before(fcntl.flock)
    builtins.open = io.open = opened
    return opened


def live(asked: dict[str, Any], report: int) -> None:
    """Carry out a command line, and leave the process; the number of calls goes to `report`."""
    from crisis_cli.cli import run
    from crisis_cli.environment import Environment

    fate = Fate(asked["at"], asked["half"])
    with open(asked["err"], "w", encoding="utf-8") as err:
        opened = mortal(fate)
        environment = Environment(
            asked["here"],
            {"CRISIS_DATA": asked["here"] + "/no-data"},
            opened(asked["out"], "w", encoding="utf-8"),
            err,
            input,
            False,
            False,
            80,
            lambda: asked["now"],
            lambda: 20_261_120,
        )
        try:
            status = run(asked["words"], environment)
            environment.out.flush()
        except BaseException as wrong:
            err.write(f"Traceback: {wrong!r}")
            status = 70
    os.write(report, str(fate.calls).encode())
    os._exit(status)


def main() -> None:
    """Answer one line after the other."""
    import importlib
    import pkgutil

    import crisis_cli

    for module in pkgutil.walk_packages(crisis_cli.__path__, "crisis_cli."):
        if ".repl" not in module.name and not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    for line in sys.stdin:
        read, report = os.pipe()
        child = os.fork()
        if not child:
            os.close(read)
            live(json.loads(line), report)
        os.close(report)
        calls = os.read(read, 100)
        os.close(read)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        print(json.dumps({"status": status, "calls": int(calls or 0)}), flush=True)


if __name__ == "__main__":
    main()
