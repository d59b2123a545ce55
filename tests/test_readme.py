"""The README tells the truth: its examples print what it shows, and CI runs its own command."""

import doctest
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
SESSIONS = re.findall(r"```console\n(.*?)```", README, re.S)


def commands(session):
    """Pairs of a command and what it prints."""
    parts = re.split(r"^\$ ", session, flags=re.M)[1:]
    return [tuple(part.split("\n", 1)) for part in parts]


@pytest.mark.parametrize(
    "session",
    [
        pytest.param(
            session,
            marks=() if session in SESSIONS[:2] else pytest.mark.slow,
            id=session.splitlines()[0],
        )
        for session in SESSIONS
    ],
)
def test_examples_print_what_they_show(session, tmp_path):
    assert commands(session)
    for command, printed in commands(session):
        words = shlex.split(command)
        assert words[0] == "crisis"
        done = subprocess.run(
            [sys.executable, "-m", "crisis_cli", *words[1:]],
            cwd=tmp_path,
            capture_output=True,
            encoding="utf-8",
        )
        assert done.returncode == 0, done.stderr
        assert done.stdout == printed


def test_the_example_in_python_prints_what_it_shows(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (example,) = re.findall(r"```pycon\n(.*?)```", README, re.S)
    report, runner = io.StringIO(), doctest.DocTestRunner(verbose=False)
    runner.run(doctest.DocTestParser().get_doctest(example, {}, "README", None, 0), out=report.write)
    assert runner.tries > 3 and not runner.failures, report.getvalue()


def test_ci_runs_the_readmes_own_command():
    command = re.search(r"<!-- tests -->\n```sh\n(.*?)\n```", README, re.S).group(1)
    assert "pytest" in command
    dry = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    for part in ('eval "$command"', "bash .ci/programs"):
        assert dry.count(f"\n{part}\n") == 1
        dry = dry.replace(part, "")
    script = dry.replace('"$(dirname "$0")/.."', shlex.quote(str(ROOT)))
    done = subprocess.run(["bash", "-c", script], capture_output=True, encoding="utf-8")
    assert done.stdout == f"+ {command}\n"


@pytest.mark.skipif(os.name != "posix", reason="no apt-get here")
@pytest.mark.parametrize(("user", "status"), [("0", "0"), ("0", "100"), ("1000", "0")])
def test_ci_installs_what_tests_would_be_skipped_without(user, status, tmp_path):
    """As root; what cannot be installed is said, and is no error by itself."""
    stubs = {"apt-get": f'echo "$@" >> {tmp_path}/asked; exit {status}', "id": f"echo {user}"}
    stubs["timeout"] = 'shift; "$@"'
    for name, body in stubs.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{body}\n")
        (tmp_path / name).chmod(0o755)
    script = (ROOT / ".ci" / "programs").read_text(encoding="utf-8").replace("/usr/games", str(tmp_path))
    done = subprocess.run(
        [shutil.which("bash"), "-c", script],
        env={"PATH": str(tmp_path)},
        capture_output=True,
        encoding="utf-8",
    )
    assert (done.returncode, done.stderr) == (0, "")
    packages = {"chromium", "fish", "groff-base", "jq", "make", "mandoc", "nodejs", "rolldice", "zsh"}
    asked = (tmp_path / "asked").read_text().splitlines() if user == "0" else []
    assert {line.split()[-1] for line in asked if "install" in line} == (packages if asked else set())
    failed = set(re.findall("not installed: (.*)", done.stdout))
    assert failed == (set() if (user, status) == ("0", "0") else packages)


def test_ci_knows_every_program_that_a_test_needs():
    listed = re.search("for program in (.*); do", (ROOT / ".ci" / "programs").read_text(encoding="utf-8"))
    needed = set()
    for path in (ROOT / "tests").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        needed |= set(re.findall(r'needs_program\("(.*?)"', text))
        assert "shutil.which" not in text or path.name in ("conftest.py", Path(__file__).name), path
    assert {"jq", "mandoc"} <= needed <= {*listed[1].split(), "bash"}


def test_every_verb_of_the_table_is_a_verb():
    from crisis_cli.verbs import VERBS

    named = re.findall(r"`crisis ([a-z]+)", README)
    assert named and set(named) <= set(VERBS)
