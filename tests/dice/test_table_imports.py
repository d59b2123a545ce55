"""What the table may import: nothing that takes long to load."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import crisis_cli

ROOT = Path(crisis_cli.__file__).parent
SLOW = (
    "re",
    "random",
    "dataclasses",
    "enum",
    "typing",
    "functools",
    "fractions",
    "collections",
    "inspect",
    "click",
)
MODULES = sorted(
    f"{room}.{path.stem}"
    for room in ("dice", "notation")
    for path in (ROOT / room).glob("*.py")
    if path.stem not in ("__init__", "rule_table", "spellings")
)
"""All of them but the types that only rulebooks load, and the spellings that only the hint of a refused line loads."""


@pytest.mark.parametrize("module", MODULES)
def test_nothing_slow_is_loaded(module: str) -> None:
    """A module of the table loads none of the slow ones, alone in a fresh interpreter."""
    question = (
        f"import sys; sys.path.insert(0, {str(ROOT.parent)!r}); before = set(sys.modules); "
        f"import crisis_cli.{module}; print(*sorted(set(sys.modules) - before))"
    )
    answer = subprocess.run(
        [sys.executable, "-I", "-S", "-c", question], capture_output=True, text=True, check=True
    )
    loaded = answer.stdout.split()
    assert not [name for name in loaded if name.split(".")[0] in SLOW]
    assert all(name == "math" or name.startswith(("crisis_cli", "_")) for name in loaded)


def test_rolling_and_weighing_load_nothing_more() -> None:
    """Nor is anything slow loaded later, while rolling or weighing."""
    question = (
        f"import sys; sys.path.insert(0, {str(ROOT.parent)!r}); before = set(sys.modules)\n"
        "from crisis_cli.notation.parser import parse\n"
        "from crisis_cli.notation.roller import roll_notation\n"
        "from crisis_cli.notation.distribution import distribution_of\n"
        "from crisis_cli.notation.mean import mean\n"
        "from crisis_cli.dice.generator import Seeded\n"
        "from crisis_cli.dice.table import Table\n"
        "line = parse('{4d6!kh3, 2d20r1}kl1+round(1d6/2)')\n"
        "roll_notation(line, Table(Seeded(lambda: 0.5))), distribution_of(line), mean(line)\n"
        "print(*sorted(set(sys.modules) - before))"
    )
    answer = subprocess.run(
        [sys.executable, "-I", "-S", "-c", question], capture_output=True, text=True, check=True
    )
    assert not [name for name in answer.stdout.split() if name.split(".")[0] in SLOW]


def test_a_refusal_loads_nothing_slow_until_its_hint_is_asked_for() -> None:
    """The fast path leaves a refused line to click without having looked for a spelling."""
    question = (
        f"import sys; sys.path.insert(0, {str(ROOT.parent)!r})\n"
        "from crisis_cli.errors import NotationError\n"
        "from crisis_cli.notation.parser import expressions, parse\n"
        "for words in (['6x3d6'], ['2d6', 'fire'], ['2d6>=7']):\n"
        "    try:\n"
        "        parse(expressions(words)[0])\n"
        "    except NotationError as error:\n"
        "        refused = error\n"
        "    print('re' in sys.modules, refused.message)\n"
        "print(refused.hint)\n"
    )
    answer = subprocess.run(
        [sys.executable, "-I", "-S", "-c", question], capture_output=True, text=True, check=True
    )
    *refused, hint = answer.stdout.splitlines()
    assert [line.split()[0] for line in refused] == ["False"] * 3
    assert hint == "write {2d6}>=7"
