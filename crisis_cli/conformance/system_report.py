"""What comes of checking a system: its cases, performed here, and the conformance suite, run by pytest."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from ..systems import load
from ..values import NamedTuple
from . import SUITE
from .casebook import book, clause, lines_of_cases, run


class CheckCounts(NamedTuple):
    """How many checks passed, and what is wrong, a line each."""

    passed: int
    failed: tuple[str, ...] = ()
    skipped: int = 0


def checked_cases(name: str, path: str) -> CheckCounts:
    """Perform the cases of a casebook and compare."""
    system, passed, failed = load(name), 0, []
    cases, lines = book(Path(path)), lines_of_cases(Path(path))
    for number, case in enumerate(cases.get("case", ())):
        try:
            run(system, cases, case)
        except Exception as error:
            where = f"{os.path.basename(path)}, line {lines[number]}"
            failed.append(f"{where}: {case.get('what', 'a case without a sentence')!r}: {clause(error)}")
        else:
            passed += 1
    return CheckCounts(passed, tuple(failed))


LIMIT = 120
"""Seconds that a test of the suite may take."""


def has_pytest() -> bool:
    """Whether pytest is installed."""
    return find_spec("pytest") is not None


def checked_suite(name: str, cases: str) -> CheckCounts:
    """Run the conformance suite, with the sheets of a casebook where there is one."""
    words = ["-p", "crisis_cli.conformance", "--crisis-system", name, f"--crisis-limit={LIMIT}", str(SUITE)]
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
    failed = _by_error([_failure(line) for line in lines if line.startswith(("FAILED ", "ERROR "))])
    if done.returncode not in (0, 1) and not failed:
        failed.append((done.stderr.strip() or done.stdout.strip() or "pytest failed").splitlines()[-1])
    passed, skipped = (_counted(lines, word) for word in ("passed", "skipped"))
    return CheckCounts(passed, tuple(failed), skipped)


MOST_TESTS = 3
"""Tests that are named of those that fail with one error."""


def _by_error(failures: list[tuple[str, str]]) -> list[str]:
    """A line for each error, with the tests that fail with it."""
    tests: dict[str, list[str]] = {}
    first: dict[str, str] = {}
    for test, said in failures:
        # What is said of one line of a rulebook may differ in numbers alone.
        place = re.match(r"\S.*?, line \d+: ", said)
        tests.setdefault(first.setdefault(place[0] if place else said, said), []).append(test)
    lines = []
    for said, names in tests.items():
        named = ", ".join(dict.fromkeys(names[:MOST_TESTS])) + (", …" if names[MOST_TESTS:] else "")
        many = f" ({len(names)} tests: {named})"
        lines.append(f"{said}{many}" if names[1:] and said else f"{named}: {said}".removesuffix(": "))
    return lines


def _failure(line: str) -> tuple[str, str]:
    """What a line of pytest's summary says: the test, and its message."""
    place, _, said = line.partition(" - ")
    test = re.sub(r"\[.*", "", place.rpartition("::")[2]).removeprefix("test_").replace("_", " ")
    return test, said.removeprefix("AssertionError: ")


def _counted(lines: list[str], word: str) -> int:
    """How many tests have passed, or were skipped, as the last line says."""
    found = re.search(rf"(\d+) {word}", lines[-1] if lines else "")
    return int(found[1]) if found else 0
