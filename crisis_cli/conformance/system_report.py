"""What comes of checking a system: its cases, performed here, and the conformance suite, run by pytest."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from ..errors import CrisisError
from ..systems import load
from ..values import NamedTuple
from . import SUITE
from .casebook import book, run


class CheckCounts(NamedTuple):
    """How many checks passed, and what is wrong, a line each."""

    passed: int
    failed: tuple[str, ...] = ()
    skipped: int = 0


def checked_cases(name: str, path: str) -> CheckCounts:
    """Perform the cases of a casebook and compare."""
    system, passed, failed = load(name), 0, []
    cases = book(Path(path))
    for number, case in enumerate(cases.get("case", ()), start=1):
        try:
            run(system, cases, case)
        except (AssertionError, CrisisError, KeyError) as error:
            said = f"it has no {error}" if isinstance(error, KeyError) else str(error)
            failed.append(f"case {number}, {case.get('what', 'without a sentence')!r}: {said}")
        else:
            passed += 1
    return CheckCounts(passed, tuple(failed))


def has_pytest() -> bool:
    """Whether pytest is installed."""
    return find_spec("pytest") is not None


def checked_suite(name: str, cases: str) -> CheckCounts:
    """Run the conformance suite, with the sheets of a casebook where there is one."""
    words = ["-p", "crisis_cli.conformance", "--crisis-system", name, str(SUITE)]
    if cases:
        words += ["--crisis-cases", cases]
    plain = ["-q", "-rfE", "--tb=no", "--no-header", "-p", "no:cacheprovider", "-o", "addopts="]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *words, *plain],
        env={**os.environ, "COLUMNS": "2000"},
        capture_output=True,
        encoding="utf-8",
        check=False,
        stdin=subprocess.DEVNULL,
    )
    lines = done.stdout.splitlines()
    failed = [_failure(line) for line in lines if line.startswith(("FAILED ", "ERROR "))]
    if done.returncode not in (0, 1) and not failed:
        failed.append((done.stderr.strip() or done.stdout.strip() or "pytest failed").splitlines()[-1])
    passed, skipped = (_counted(lines, word) for word in ("passed", "skipped"))
    return CheckCounts(passed, tuple(failed), skipped)


def _failure(line: str) -> str:
    """What a line of pytest's summary says: the test, and its message."""
    place, _, said = line.partition(" - ")
    test = re.sub(r"\[.*", "", place.rpartition("::")[2]).removeprefix("test_").replace("_", " ")
    return f"{test}: {said.removeprefix('AssertionError: ')}" if said else test


def _counted(lines: list[str], word: str) -> int:
    """How many tests have passed, or were skipped, as the last line says."""
    found = re.search(rf"(\d+) {word}", lines[-1] if lines else "")
    return int(found[1]) if found else 0
