"""Doctrines against doctrines: fights of equal sheets with fixed seeds, who wins how often, and how sure that is.

    PYTHONPATH=tests/ai python tests/benchmarks/tournament.py --fights 60   # everything: hours
    PYTHONPATH=tests/ai python tests/benchmarks/tournament.py --system 3d6 --first cunning --fights 20

A fight that nobody has won after ROUNDS rounds is a draw and counts half for either side.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import combinations
from typing import Any, NamedTuple

from bouts import DOCTRINES, Bout, by_doctrine, fought, met, roster

from crisis_cli.engine.sides import standing
from crisis_cli.systems import SYSTEMS, load

ROUNDS = 40
EQUAL = {
    "3d6": ("Ada", 8),
    "step": ("Raider", 8),
    "d100": ("Looter", 8),
    "2d20": ("Cass", 2),
    "d6pool": ("Tilda", 8),
}
"""The sheet that everyone has, and how far apart a fight at range begins, in the system's unit."""
SIDES = ("players", "opponents")


class Cell(NamedTuple):
    """One pairing in one system: so many a side, in reach or at range."""

    system: str
    doctrines: tuple[str, str]
    each: int
    at_range: bool


class Score(NamedTuple):
    """What the first of two doctrines has won of so many fights."""

    points: float
    fights: int
    rounds: tuple[int, ...]

    @property
    def share(self) -> float:
        """The share of the points that the first has won."""
        return self.points / self.fights

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of that share (Wilson)."""
        z, n, p = 1.96, self.fights, self.share
        middle, spread = p + z * z / (2 * n), z * (p * (1 - p) / n + z * z / (4 * n * n)) ** 0.5
        return (middle - spread) / (1 + z * z / n), (middle + spread) / (1 + z * z / n)

    def __str__(self) -> str:
        low, high = self.interval
        return f"{self.share:4.0%} ({low:.0%} to {high:.0%}, {self.fights} fights)"


def fight(cell: Cell, seed: int) -> tuple[float, Bout]:
    """What the first doctrine wins of one fight, 0 to 1, and the fight; sides are swapped at every other seed."""
    system = load(cell.system)
    name, apart = EQUAL[cell.system]
    sheet: Any = next(one for one in roster(cell.system) if one.values["name"] == name)
    swapped = bool(seed % 2)
    doctrines = cell.doctrines[::-1] if swapped else cell.doctrines
    gap = apart if cell.at_range else system.space.beside
    bout = fought(
        system,
        met(system, [sheet] * (2 * cell.each), doctrines, gap),
        seed // 2,
        by_doctrine(system),
        rounds=ROUNDS,
    )
    sides = list(standing(system, bout.end))
    if len(sides) != 1:
        return 0.5, bout
    return float((sides[0] == SIDES[0]) != swapped), bout


def score(cell: Cell, fights: int) -> Score:
    """So many fights of one cell."""
    played = [fight(cell, seed) for seed in range(fights)]
    return Score(sum(points for points, _ in played), fights, tuple(bout.end.round for _, bout in played))


def total(scores: Iterable[Score]) -> Score:
    """Several scores taken together."""
    found = list(scores)
    return Score(
        sum(one.points for one in found),
        sum(one.fights for one in found),
        tuple(rounds for one in found for rounds in one.rounds),
    )


def cells(systems: Iterable[str], doctrines: Iterable[str], first: str = "") -> Iterator[Cell]:
    """Every pairing in each system, in reach and at range, one and two a side; with `first` only its own."""
    for system in systems:
        for one, other in combinations(sorted(doctrines, key=lambda name: (name != first, name)), 2):
            if first and one != first:
                continue
            for each in (1, 2):
                for at_range in (False, True):
                    yield Cell(system, (one, other), each, at_range)


def _played(what: tuple[Cell, int]) -> tuple[Cell, Score]:
    return what[0], score(*what)


def play(wanted: Sequence[Cell], fights: int, processes: int = 1) -> Iterator[tuple[Cell, Score]]:
    """Every cell with its score, in order."""
    tasks = [(cell, fights) for cell in wanted]
    if processes == 1:
        yield from map(_played, tasks)
        return
    with ProcessPoolExecutor(processes) as pool:
        yield from pool.map(_played, tasks)


def main() -> None:
    """Print the score of every cell, then of every pairing."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--fights", type=int, default=60, help="fights in each cell (60)")
    parser.add_argument("--system", nargs="*", default=list(SYSTEMS), help="all")
    parser.add_argument("--doctrines", nargs="*", default=sorted(DOCTRINES), help="all")
    parser.add_argument("--first", default="", help="only pairings of this doctrine")
    parser.add_argument("--processes", type=int, default=1)
    given = parser.parse_args()
    found = list[tuple[Cell, Score]]()
    for cell, result in play(
        list(cells(given.system, given.doctrines, given.first)), given.fights, given.processes
    ):
        found.append((cell, result))
        where = "at range" if cell.at_range else "in reach"
        middle = sorted(result.rounds)[len(result.rounds) // 2]
        print(
            f"{cell.system:7}{cell.each} a side {where}  {' v '.join(cell.doctrines):22}{result}, {middle} rounds",
            flush=True,
        )
    print()
    for pair in dict.fromkeys(cell.doctrines for cell, _ in found):
        of_pair = [(cell, one) for cell, one in found if cell.doctrines == pair]
        for at_range in (False, True):
            both = total(one for cell, one in of_pair if cell.at_range == at_range)
            print(f"{' v '.join(pair):22}{'at range' if at_range else 'in reach'}  {both}")
        for system in given.system:
            whole = total(one for cell, one in of_pair if cell.system == system)
            print(f"{' v '.join(pair):22}{system:8}  {whole}")


if __name__ == "__main__":
    main()
