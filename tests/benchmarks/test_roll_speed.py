"""How long rolls take: lines on stdin beside Debian's rolldice, in process beside d20; to compare, not to judge.

CRISIS_ROUNDS=11 pytest tests/benchmarks/test_roll_speed.py -s
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from beside import ROUNDS, beside, seconds
from conftest import needs_program, program_env

from crisis_cli.dice.generator import generator
from crisis_cli.notation.parser import parse
from crisis_cli.notation.pools import Rolling
from crisis_cli.notation.roller import compiled

pytestmark = pytest.mark.timing

LINES = 100_000 if ROUNDS > 1 else 1_000
"""Expressions on stdin: few where nobody asks for rounds."""
ROLLS = LINES // 10
WAYS = {"crisis roll": "", "crisis roll --quiet": "--quiet", "crisis roll --json": "--json"}
OF_D20 = {"3d6+2": "3d6+2", "4d6kh3": "4d6kh3", "8d6!>=5": "8d6e>4"}
"""Expressions, and how d20 spells them."""


def expressions() -> str:
    """Plain expressions that both programs read, one a line, always the same."""
    random = Random(7)
    lines = []
    for _ in range(LINES):
        count, sides = (
            random.choice((1, 1, 2, 2, 3, 3, 4, 5, 6, 8)),
            random.choice((4, 6, 6, 8, 10, 12, 20, 100)),
        )
        more = random.choice((0, 0, 0, 1, 2, 3, 4, 5, -1, -2))
        lines.append(f"{count}d{sides}" + (f"{more:+}\n" if more else "\n"))
    return "".join(lines)


def test_lines_on_stdin(tmp_path: Path) -> None:
    rolldice = needs_program("rolldice")
    source = tmp_path / "expressions"
    source.write_text(expressions())
    entry = "from crisis_cli.fast_path import main; main()"
    env = program_env(tmp_path)

    def timed(*asked: str) -> float:
        with source.open() as lines, (tmp_path / "rolled").open("w") as out:
            return seconds(lambda: subprocess.run(asked, stdin=lines, stdout=out, env=env, check=True))

    ways = {f"rolldice, {LINES} expressions": lambda: timed(rolldice)}
    for name, words in WAYS.items():
        ways[name] = lambda words=words: timed(sys.executable, "-c", entry, "roll", *words.split())
    assert len(beside(ways)) == len(WAYS) + 1
    assert (tmp_path / "rolled").read_text().count("\n") == LINES


@pytest.mark.parametrize("expression", OF_D20)
def test_in_process(expression: str) -> None:
    """Parsed before; every die is kept. d20 remembers what it has parsed too."""
    d20 = pytest.importorskip("d20")
    rolling, roll = Rolling(random=generator(1).random), compiled(parse(expression).expression).roll

    def ours() -> None:
        for _ in range(ROLLS):
            rolling.begin()
            roll(rolling)

    def theirs() -> None:
        for _ in range(ROLLS):
            d20.roll(OF_D20[expression])

    beside({f"crisis, {expression}": lambda: seconds(ours), "d20": lambda: seconds(theirs)})
    assert len(rolling.rows) == 1 and len(rolling.rows[0][1]) >= int(expression[0])
