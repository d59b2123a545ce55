"""The distribution of one die with all it sets off."""

from __future__ import annotations

from ..dice.convolution import lowered
from ..dice.distribution import Distribution
from ..dice.effort import WORDS, Effort
from .pools import DieKind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


def one_die(kind: DieKind, score: Callable[[int], int], effort: Effort) -> Distribution:
    """The distribution of the scores of one die and of all it sets off, added up."""
    effort.fit(kind.sides, 0)
    effort.spend(20_000 + 1_000 * kind.sides)
    weights = kind.weights()
    total = sum(weights.values())
    worth = [
        (value, weight, score(kind.worth(value, False)), score(kind.worth(value, True)))
        for value, weight in weights.items()
    ]
    later: dict[int, int] = {0: 1}
    whole = 1
    for left in range(kind.depth + 1):
        effort.spend(
            (len(weights) + len(kind.bursts) * len(later)) * (200 + left * total.bit_length() / WORDS)
        )
        ways: dict[int, int] = {}
        for value, weight, first, after in worth:
            effort.fit(len(ways), left * total.bit_length())
            gained = after if left < kind.depth else first
            if value in kind.bursts and left:
                for more, count in later.items():
                    ways[gained + more] = ways.get(gained + more, 0) + weight * count
            else:
                ways[gained] = ways.get(gained, 0) + weight * whole
        later = ways
        whole *= total
    effort.hold(len(later), whole.bit_length())
    return lowered(later, whole, kind.cut, effort)
