"""The code is type-checked and linted."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize(
    "tool",
    [
        pytest.param(["mypy", "--no-error-summary"], marks=[pytest.mark.types, pytest.mark.slow]),
        pytest.param(["ruff", "check", "crisis_cli", "tests"], marks=pytest.mark.lint),
        pytest.param(["ruff", "format", "--check", "crisis_cli", "tests"], marks=pytest.mark.lint),
    ],
    ids=" ".join,
)
def test_it_is_clean(tool):
    found = subprocess.run([sys.executable, "-m", *tool], cwd=ROOT, capture_output=True, text=True)
    assert found.returncode == 0, found.stdout + found.stderr
