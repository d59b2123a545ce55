"""The code is type-checked and linted."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize(
    "tool",
    [
        ["mypy", "--no-error-summary"],
        ["ruff", "check", "crisis_cli", "tests"],
        ["ruff", "format", "--check", "crisis_cli", "tests"],
    ],
    ids=" ".join,
)
def test_it_is_clean(tool):
    found = subprocess.run([sys.executable, "-m", *tool], cwd=ROOT, capture_output=True, text=True)
    assert found.returncode == 0, found.stdout + found.stderr
