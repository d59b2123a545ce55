"""How long commands take in a fresh process, beside a Python that does nothing: to compare, not to judge.

CRISIS_ROUNDS=61 pytest tests/benchmarks/test_start_speed.py -s
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from beside import PARTIES, beside, seconds
from conftest import Player, program_env

pytestmark = pytest.mark.timing

NOTHING = ("-c", "pass")
SCRIPT = """import sys
from crisis_cli.__main__ import main
if __name__ == '__main__':
    sys.argv[0] = sys.argv[0].removesuffix('.exe')
    sys.exit(main())
"""
"""The command `crisis` as pip 24 and later write it."""
LINES = ("--version", "roll 3d6", "odds 3d6", "--help", "attack jack drone", "odds attack jack drone")
IN_A_CRISIS = ("status", "character show jack", "note here", "next --dry-run", "odds")


@pytest.fixture
def fresh(tmp_path: Path) -> Callable[..., float]:
    """How long a fresh Python takes with some arguments, in seconds; it has to end well."""
    env = program_env(tmp_path)
    (tmp_path / "crisis").write_text(SCRIPT)

    def timed(*arguments: str) -> float:
        asked = [sys.executable, *arguments]
        return seconds(
            lambda: subprocess.run(asked, cwd=tmp_path, env=env, check=True, stdout=subprocess.DEVNULL)
        )

    return timed


def lines(fresh: Callable[..., float], wanted: tuple[str, ...]) -> dict[str, Callable[[], float]]:
    """Ways to time nothing, and each line."""
    ways: dict[str, Callable[[], float]] = {"python -c pass": lambda: fresh(*NOTHING)}
    for line in wanted:
        ways[f"crisis {line}"] = lambda line=line: fresh("crisis", *line.split())  # type: ignore[misc]
    return ways


def test_cold(fresh: Callable[..., float]) -> None:
    assert len(beside(lines(fresh, LINES))) == len(LINES) + 1


def test_cold_in_a_crisis_of_ten(fresh: Callable[..., float], crisis: Player) -> None:
    heroes, foes = PARTIES["3d6"]
    crisis.ok(f"init --open --seed 3 {heroes} --vs {foes}")
    assert len(beside(lines(fresh, IN_A_CRISIS))) == len(IN_A_CRISIS) + 1
