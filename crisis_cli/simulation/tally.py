"""What many fights come to, as counts that add up in any order; shares of them with 95 % intervals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from ..engine.sides import victor
from ..values import NamedTuple

if TYPE_CHECKING:
    from ..engine.scene import Fighter, Scene
    from ..engine.system import System

Key = tuple[str | int, ...]
"""What is counted: its kind, then what it is about, such as `("wins", "players")` or `("pool", "Jack", "ap", 3)`."""
Counts = dict[Key, int]
FIGHTS = ("fights",)
"""The count of the fights themselves."""
DRAW, WITHDRAWN = "draw", "withdrawn"
"""How a fight ends that nobody has won, and one that the players have left."""
UP = "up"
"""How a fighter ends who can still fight."""
Z95 = 1.959963984540054
"""Standard deviations on each side of the mean within which 95 % of a normal distribution lie."""


class Share(NamedTuple):
    """A share of fights, and the 95 % interval of the chance behind it."""

    p: float
    low: float
    high: float

    def to_dict(self) -> dict[str, float]:
        """The share and its interval as --json prints them."""
        return {"p": self.p, "low": self.low, "high": self.high}


def share(count: int, fights: int) -> Share:
    """A share of fights with its 95 % interval by Wilson; 0 to 1 where there are no fights."""
    if not fights:
        return Share(0.0, 0.0, 1.0)
    p, z = count / fights, Z95
    middle = (p + z * z / (2 * fights)) / (1 + z * z / fights)
    half = z / (1 + z * z / fights) * (p * (1 - p) / fights + z * z / (4 * fights * fights)) ** 0.5
    low = 0.0 if not count else max(0.0, middle - half)
    return Share(p, low, 1.0 if count == fights else min(1.0, middle + half))


def count(counts: Counts, key: Key, number: int = 1) -> None:
    """Count something once more, or so many times."""
    counts[key] = counts.get(key, 0) + number


def add(counts: Counts, more: Mapping[Key, int]) -> None:
    """Add counts to others."""
    for key, count in more.items():
        counts[key] = counts.get(key, 0) + count


def about(counts: Mapping[Key, int], *start: str | int) -> dict[Key, int]:
    """The counts whose keys begin in this way, by the rest of the key."""
    length = len(start)
    return {key[length:]: count for key, count in counts.items() if key[:length] == start}


def numbers(counts: Mapping[Key, int], *start: str | int) -> dict[int, int]:
    """How often each number was counted, the lowest first."""
    found = {key[0]: count for key, count in about(counts, *start).items() if isinstance(key[0], int)}
    return dict(sorted(found.items()))


def mean(found: Mapping[int, int]) -> float:
    """The mean of counted numbers; 0 where there are none."""
    total = sum(found.values())
    return sum(value * count for value, count in found.items()) / total if total else 0.0


def result(system: System, scene: Scene, withdrawn: bool = False) -> str:
    """How a fight that ended in a scene is counted: the side that has won it, a draw, or withdrawn."""
    return WITHDRAWN if withdrawn else victor(system, scene) or DRAW


def ending(system: System, scene: Scene) -> Iterable[Key]:
    """What a fight left of its fighters and sides: how each ended, what is in its pools, and how many still stand."""
    for one in scene.fighters.values():
        yield from end_of(system, one)
    yield from standing_at_end(system, scene)


def end_of(system: System, one: Fighter) -> Iterable[Key]:
    """How a fighter ended, and what is in its pools."""
    yield "end", one.name, _state(system, one)
    for pool, value in one.pools.items():
        kind = system.pools[pool.partition(":")[0]]
        if kind.lasting:
            yield "pool", one.name, pool, value


def standing_at_end(system: System, scene: Scene) -> Iterable[Key]:
    """How many of each side still stand."""
    standing: dict[str, int] = {}
    for one in scene.fighters.values():
        standing[one.side] = standing.get(one.side, 0) + (_state(system, one) == UP)
    for side, many in standing.items():
        yield "standing", side, many


def _state(system: System, one: Fighter) -> str:
    return "gone" if one.gone else system.fallen(one) or ("yielded" if one.yielded else UP)
