"""The README tells the truth: its examples print what it shows, and CI runs its own command."""

import re
import shlex
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


@pytest.mark.parametrize("session", SESSIONS, ids=lambda session: session.splitlines()[0])
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


def test_ci_runs_the_readmes_own_command():
    command = re.search(r"<!-- tests -->\n```sh\n(.*?)\n```", README, re.S).group(1)
    assert "pytest" in command
    dry = (ROOT / ".ci" / "run").read_text(encoding="utf-8").replace('eval "$command"', "")
    script = dry.replace('"$(dirname "$0")/.."', shlex.quote(str(ROOT)))
    done = subprocess.run(["bash", "-c", script], capture_output=True, encoding="utf-8")
    assert done.stdout == f"+ {command}\n"


def test_every_verb_of_the_table_is_a_verb():
    from crisis_cli.verbs import VERBS

    named = re.findall(r"`crisis ([a-z]+)", README)
    assert named and set(named) <= set(VERBS)
