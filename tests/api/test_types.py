"""Types of the Python interface, as a program sees them that has installed the package from a wheel."""

from __future__ import annotations

import subprocess
import sys
import venv
from pathlib import Path

import pytest
from conftest import ROOT

import crisis_cli as crisis

CLIENT = Path(__file__).parent / "typed_client.py"
WRONG = {
    'crisis.roll("3d6+2", seed=1)': 'crisis.roll("3d6+2", seed="one")',
    "seed=3, file=": "seed=3.5, file=",
    "return rows[0].intent": "return rows[0]",
    "int(rolled), odds": "rolled.sum, odds",
    'library.duel("jack", "drone")': 'library.duel("jack")',
    "library.resume(": "library.open(",
}
"""A right piece of the client, and a wrong one in its place that a type checker must find."""


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment that holds the package from its wheel, and nothing else."""
    pytest.importorskip("hatchling")
    folder = tmp_path_factory.mktemp("wheel")
    build = "wheel --quiet --no-deps --no-build-isolation --no-index --disable-pip-version-check --wheel-dir"
    subprocess.run([sys.executable, "-m", "pip", *build.split(), str(folder), str(ROOT)], check=True)
    venv.create(folder / "env", with_pip=False)
    (site,) = (folder / "env").glob("lib/python*/site-packages")
    (wheel,) = folder.glob("*.whl")
    install = "install --quiet --no-deps --no-index --disable-pip-version-check --target"
    subprocess.run([sys.executable, "-m", "pip", *install.split(), str(site), str(wheel)], check=True)
    return folder / "env" / "bin" / "python"


def checked(python: Path, program: Path) -> subprocess.CompletedProcess[str]:
    """What mypy says of a program."""
    command = [sys.executable, "-m", "mypy", "--strict", "--python-executable", str(python)]
    cache = ["--cache-dir", str(python.parent / "cache"), "--config-file", ""]
    return subprocess.run(
        [*command, *cache, str(program)], capture_output=True, text=True, check=False, cwd=program.parent
    )


def test_the_client_uses_every_public_name() -> None:
    text = CLIENT.read_text()
    assert [name for name in crisis.__all__ if f"crisis.{name}" not in text] == []


@pytest.mark.types
@pytest.mark.slow
def test_a_client_passes_and_wrong_types_are_found(python: Path, tmp_path: Path) -> None:
    right = checked(python, CLIENT)
    assert right.returncode == 0, right.stdout
    text, wrong = CLIENT.read_text(), tmp_path / "wrong.py"
    for piece, bad in WRONG.items():
        assert text.count(piece) == 1, piece
        text = text.replace(piece, bad)
    wrong.write_text(text)
    lines = {
        number
        for number, line in enumerate(text.splitlines(), 1)
        if any(bad in line for bad in WRONG.values())
    }
    found = {
        int(line.split(":")[1]) for line in checked(python, wrong).stdout.splitlines() if ": error:" in line
    }
    assert lines == found and len(lines) == len(WRONG)
