"""Carries out command lines, each in a process of its own that is killed at a given system call.

Run as a program: each line on stdin is an object with `words`, `here`, `out` (the file that takes what is printed)
and `at` (which of the calls the process does not survive; 0 for none), and `half` (whether, if that call writes,
half of it is written). With `beside`, other words, the process survives, and at that call another process
carries those out from beginning to end; it waits for no lock. The answer is a line with `status`, negative for a
signal, the number of `calls`, and `beside`, the status of the other one (-1 without one).
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
from collections.abc import Callable
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

    def __init__(self, at: int, half: bool, meanwhile: Callable[[], int] | None):
        self.at = at
        self.half = half
        self.meanwhile = meanwhile
        self.beside = -1
        self.calls = 0

    def call(self, *rest: object) -> bool:
        """Count one call; whether it is the last one, and half of it may be done."""
        self.calls += 1
        if self.calls == self.at and self.meanwhile:
            self.beside = self._elsewhere(self.meanwhile)
        elif self.calls == self.at:
            if rest and self.half:
                return True
            self.die()
        return False

    def _elsewhere(self, does: Callable[[], int]) -> int:
        """The status of something that is done in a process of its own, from which nobody dies."""
        child = os.fork()
        if not child:
            self.at = 0
            os._exit(does())
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

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
    from crisis_cli.sheets import files

    def done(words: list[str], suffix: str = "") -> int:
        """The status of a command line; what it prints goes to files of that suffix."""
        with open(asked["err"] + suffix, "w", encoding="utf-8") as err:
            environment = Environment(
                asked["here"],
                {"CRISIS_DATA": asked["here"] + "/no-data"},
                opened(asked["out"] + suffix, "w", encoding="utf-8"),
                err,
                input,
                False,
                False,
                80,
                lambda: asked["now"],
                lambda: 20_261_120,
            )
            try:
                status = run(words, environment)
                environment.out.flush()
            except BaseException as wrong:
                err.write(f"Traceback: {wrong!r}")
                status = 70
        return status

    def meanwhile() -> int:
        files.LOCK_TIMEOUT = 0.0
        return done(asked["beside"], ".beside")

    opened = open
    fate = Fate(asked["at"], asked["half"], meanwhile if asked.get("beside") else None)
    opened = mortal(fate)
    status = done(asked["words"])
    os.write(report, json.dumps({"calls": fate.calls, "beside": fate.beside}).encode())
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
        told = os.read(read, 100)
        os.close(read)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        known = json.loads(told) if told else {"calls": 0, "beside": -1}
        print(json.dumps({"status": status, **known}), flush=True)


if __name__ == "__main__":
    main()
