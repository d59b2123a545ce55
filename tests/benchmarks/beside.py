"""One thing beside another: medians of turns taken in turn, printed, and never judged.

Run with `-s` to see them; CRISIS_ROUNDS says how many turns each has (one, where nothing is said).
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from operator import truediv
from statistics import median

ROUNDS = int(os.environ.get("CRISIS_ROUNDS", "1"))
Way = Callable[[], float]
"""Does it once, and says how many seconds that took."""

PARTIES = {
    "3d6": ("jack:3 ada:2", "drone:4 warden"),
    "step": ("vera:3 moss:2", "raider:4 brute"),
    "d100": ("ines:3 bruno:2", "looter:4 marshal"),
    "2d20": ("cass:3 doc:2", "mutant:4 ghoul"),
    "d6pool": ("hagen:3 tilda:2", "bandit:4 revenant"),
}
"""Ten fighters in each system, five a side."""


def seconds(doing: Callable[[], object]) -> float:
    """How long something takes, once."""
    begun = time.perf_counter()
    doing()
    return time.perf_counter() - begun


def beside(ways: Mapping[str, Way]) -> dict[str, float]:
    """The median of each, in seconds, turns taken in turn; printed with the median of its ratios to the first."""
    taken: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(ROUNDS):
        for name, way in ways.items():
            taken[name].append(way())
    first = next(iter(taken.values()))
    return report(
        {name: median(times) for name, times in taken.items()},
        {name: median(map(truediv, times, first)) for name, times in taken.items()},
    )


def report(medians: dict[str, float], ratios: Mapping[str, float] | None = None) -> dict[str, float]:
    """The medians as they are, printed with their ratios, those to the first median where none are given."""
    least = next(iter(medians.values()))
    print()
    for name, one in medians.items():
        print(f"{name:36} {one * 1e3:9.2f} ms  {ratios[name] if ratios else one / least:6.2f}x")
    return medians
