"""How long exact odds take, beside icepool: to compare, not to judge.

pytest tests/benchmarks --benchmark-only --benchmark-group-by=param:case
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("pytest_benchmark")
icepool = pytest.importorskip("icepool")

from crisis_cli.dice import measures  # noqa: E402
from crisis_cli.notation.distribution import distribution_of  # noqa: E402
from crisis_cli.notation.parser import parse  # noqa: E402

pytestmark = pytest.mark.timing

d6, d10, d20 = icepool.d6, icepool.d10, icepool.d20

CASES = {
    "contest": (
        lambda: measures.compared(distribution_of(parse("3d6+4")), distribution_of(parse("3d6+2"))),
        lambda: (3 @ icepool.d(6) + 4 > 3 @ icepool.d(6) + 2).probability(True),
    ),
    "4d6kh3": (lambda: distribution_of(parse("4d6kh3")), lambda: icepool.d(6).highest(4, 3)),
    "10d6!=6{4}>=5": (
        lambda: distribution_of(parse("10d6!=6{4}>=5")),
        lambda: 10 @ icepool.Die([0, 0, 0, 0, 1, icepool.Again + 1], again_depth=4),
    ),
    "20d6kh10": (lambda: distribution_of(parse("20d6kh10")), lambda: icepool.d(6).highest(20, 10)),
    "20d20kh10": (lambda: distribution_of(parse("20d20kh10")), lambda: icepool.d(20).highest(20, 10)),
    "40d10kh20": (lambda: distribution_of(parse("40d10kh20")), lambda: icepool.d(10).highest(40, 20)),
    "100d6": (lambda: distribution_of(parse("100d6")), lambda: 100 @ icepool.d(6)),
    "1000d6": (lambda: distribution_of(parse("1000d6")), None),
    "5d20<=12cs=1": (
        lambda: distribution_of(parse("5d20<=12cs=1")),
        lambda: 5 @ icepool.d(20).map(lambda face: (face <= 12) + (face <= 1)),
    ),
    "10d10!!{3}kh5": (
        lambda: distribution_of(parse("10d10!!{3}kh5")),
        lambda: icepool.d(10).explode(depth=3).highest(10, 5),
    ),
    "10d10!kh5": (lambda: distribution_of(parse("10d10!kh5")), None),
    "30d6!=6>=5": (
        lambda: distribution_of(parse("30d6!=6>=5")),
        lambda: 30 @ icepool.Die([0, 0, 0, 0, 1, icepool.Again + 1], again_depth=12),
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_ours(case: str, benchmark) -> None:
    """Read and weighed from nothing, each time."""
    assert benchmark.pedantic(CASES[case][0], rounds=5, iterations=1) is not None


@pytest.mark.parametrize("case", [case for case in CASES if CASES[case][1] is not None])
def test_icepool(case: str, benchmark) -> None:
    """The first answer of a fresh process is what counts: icepool remembers."""
    assert benchmark.pedantic(CASES[case][1], rounds=1, iterations=1) is not None


COLD = """
import sys, time
sys.path.insert(0, sys.argv[2])
import test_odds_speed as page
ask = page.CASES[sys.argv[1]][int(sys.argv[3])]
begun = time.perf_counter()
ask()
print(time.perf_counter() - begun)
"""


def cold(case: str, side: int) -> float:
    """Seconds of the first answer in a fresh process: side 0 is ours, 1 icepool's."""
    here = str(Path(__file__).parent)
    asked = [sys.executable, "-c", COLD, case, here, str(side)]
    return float(subprocess.run(asked, capture_output=True, text=True, check=True).stdout)


if __name__ == "__main__":
    for name, (_, theirs) in CASES.items():
        best = [min(cold(name, side) for _ in range(3)) * 1e3 for side in range(2 if theirs else 1)]
        print(
            f"{name:16} ours {best[0]:8.3f} ms",
            *(f"icepool {one:8.3f} ms  {one / best[0]:6.1f}x" for one in best[1:]),
        )
