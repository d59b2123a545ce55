"""The packages in `examples`, installed and used as a player does: what the tests of each have in common."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import ROOT

from crisis_cli import systems
from crisis_cli.systems.plugins import Plugin

Run = Callable[..., "subprocess.CompletedProcess[str]"]
"""Runs the program with a command line, one text or several words, and with variables of the environment."""
PIP = (
    *(sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--no-index"),
    "--disable-pip-version-check",
)
PYTEST = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider")


def copied(name: str, folder: Path) -> Path:
    """A copy of the files of an example, without what running it leaves behind."""
    ignored = shutil.ignore_patterns("__pycache__", ".*")
    return Path(shutil.copytree(ROOT / "examples" / name, folder, ignore=ignored))


def installed(name: str, factory: pytest.TempPathFactory) -> Path:
    """A folder into which pip has installed an example; skips where the tools for that are missing."""
    if not (ROOT / "examples" / name).is_dir():
        pytest.skip(f"examples/{name} is not here")
    if importlib.util.find_spec("hatchling") is None:
        pytest.skip("hatchling, which builds the package, is not installed")
    folder = factory.mktemp(name)
    done = subprocess.run(
        [*PIP, "--target", str(folder / "site"), str(copied(name, folder / "source"))],
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=300,
    )
    if "No module named pip" in done.stderr:
        pytest.skip("pip is not installed")
    assert done.returncode == 0, done.stderr
    return folder / "site"


def in_place(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """An example in its folder, as if it were installed."""
    monkeypatch.syspath_prepend(str(ROOT / "examples" / name))
    module = importlib.import_module(f"crisis_{name}")
    folder = str(ROOT / "examples" / name / module.__name__)
    plugin = Plugin(name, f"crisis-{name}", "0.1.0", module.__name__, "SYSTEM", folder, module.SYSTEM.title)
    monkeypatch.setattr(systems, "installed", lambda: {name: plugin})


def environment(home: Path, site: Path) -> dict[str, str]:
    """The environment of a player who has installed an example into `site`."""
    return {
        "HOME": str(home),
        "PATH": "/usr/bin:/bin",
        "PYTHONPATH": f"{ROOT}:{site}",
        "PYTHONUTF8": "1",
        "TERM": "dumb",
        "XDG_CACHE_HOME": str(home / "cache"),
    }


def program(home: Path, site: Path, timeout: int) -> Run:
    """The real program in a folder, with an example installed; no run of it takes longer than `timeout` seconds."""

    def run(*words: str, **env: str) -> subprocess.CompletedProcess[str]:
        command = words[0].split() if len(words) == 1 else list(words)
        done = subprocess.run(
            [sys.executable, "-m", "crisis_cli", *command],
            cwd=home,
            env={**environment(home, site), **env},
            capture_output=True,
            encoding="utf-8",
            check=False,
            stdin=subprocess.DEVNULL,
            timeout=timeout,
        )
        assert "Traceback" not in done.stderr and "warning" not in done.stderr, done.stderr
        return done

    return run


def passed_in(folder: Path, home: Path, site: Path, *options: str, **env: str) -> int:
    """How many tests pass where pytest is run in a copy of an example, as its README says; all must."""
    done = subprocess.run(
        [*PYTEST, *options],
        cwd=folder,
        env={**environment(home, site), **env},
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=600,
    )
    assert done.returncode == 0, done.stdout
    return int(done.stdout.rsplit(" passed", 1)[0].split()[-1])


def require_random_fights(name: str, home: Path, site: Path, first: int) -> None:
    """Fights of random actions with a hundred seeds from `first` end in bounds, and are undone and verified."""
    tests = "random_legal_fights or no_fight_breaks or undoing_every or verify_finds_nothing"
    seeds = {"CRISIS_FIGHTS": f"{first}:{first + 100}"}
    assert passed_in(copied(name, home / name), home, site, "-k", tests, **seeds) == 4
