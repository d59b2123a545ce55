"""The law of one die with all it sets off."""

from __future__ import annotations

from .kinds import Kind
from .odds import Law, reduced
from .sums import WORDS, Effort

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


def one_die(kind: Kind, score: Callable[[int], int], effort: Effort) -> Law:
    """The law of the scores of one die and of all it sets off, added up."""
    effort.hold(kind.sides, 0)
    effort.spend(20_000 + 400 * kind.sides)
    weights = kind.weights()
    total = sum(weights.values())
    later: dict[int, int] = {0: 1}
    whole = 1
    for left in range(kind.depth + 1):
        effort.spend(
            (len(weights) + len(kind.bursts) * len(later)) * (200 + left * total.bit_length() / WORDS)
        )
        ways: dict[int, int] = {}
        for value, weight in weights.items():
            gained = score(kind.worth(value, left < kind.depth))
            if value in kind.bursts and left:
                for more, count in later.items():
                    ways[gained + more] = ways.get(gained + more, 0) + weight * count
            else:
                ways[gained] = ways.get(gained, 0) + weight * whole
        later = ways
        whole *= total
    return reduced(later, whole, kind.cut)
