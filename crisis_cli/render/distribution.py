"""The odds of an expression in words, bars, JSON and CSV."""

from __future__ import annotations

from ..dice.measures import likeliest, percentile
from .chances import chance, distribution_rows, exact, fraction, spellable
from .charts import bars, percent
from .jsontext import VERSION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from ..dice.distribution import Distribution
    from ..notation.grammar import Notation
    from .style import Ink

PERCENTILES = (5, 25, 50, 75, 95)
SIGNS = {"ge": "≥", "le": "≤", "eq": "="}
PASSES = {
    "ge": lambda value, number: value >= number,
    "le": lambda value, number: value <= number,
    "eq": lambda value, number: value == number,
}


class Against:
    """Another expression, and in how many ways the first is better, equal and worse."""

    __slots__ = ("notation", "truncated", "ways")

    def __init__(self, notation: Notation, ways: tuple[int, int, int], truncated: bool):
        self.notation = notation
        self.ways = ways
        self.truncated = truncated
        """True where one of the two distributions is not quite exact."""


def asked(distribution: Distribution, how: str, number: int) -> tuple[int, int]:
    """The ways of a roll that is at least (`ge`), at most (`le`) or exactly (`eq`) a number, and the total."""
    return distribution.chance(lambda value: PASSES[how](value, number))


def number(value: float) -> str:
    """A mean or a deviation, with as many places as say something."""
    return f"{value:.4f}".rstrip("0").rstrip(".").replace("-", "−")


def words(
    notation: Notation,
    distribution: Distribution,
    mean: tuple[int, int],
    question: tuple[str, int] | None,
    other: Against | None,
    ink: Ink,
    width: int,
) -> Iterator[str]:
    """The distribution in words, then as bars that fit the width."""
    average = number(mean[0] / mean[1])
    deviation = number(distribution.deviation())
    yield f"{ink('bold', notation.canonical)}: {average} on average, standard deviation {deviation}"
    modes = likeliest(distribution)
    likely = ", ".join(str(value).replace("-", "−") for value in modes[:4]) + ("…" if len(modes) > 4 else "")
    points = " · ".join(
        f"{point} % ≤ {percentile(distribution, point)}".replace("-", "−") for point in PERCENTILES
    )
    yield f"  most likely {likely} · {points}"
    if question:
        how, wanted = question
        yield f"  {SIGNS[how]} {wanted}: {ink('bold', percent(*asked(distribution, how, wanted)))}"
    if other:
        whole = sum(other.ways)
        better, equal, worse = (percent(ways, whole) for ways in other.ways)
        yield f"  against {other.notation.canonical}: better {better}, equal {equal}, worse {worse}"
    yield from bars(distribution, ink, width)
    if distribution.truncated:
        yield ink("dim", "  chains of dice are followed until going on is less likely than 1e-9")


def record(
    notation: Notation,
    distribution: Distribution,
    mean: tuple[int, int],
    question: tuple[str, int] | None,
    other: Against | None,
) -> dict[str, Any]:
    """The distribution as JSON, with exact fractions where they are finite."""
    fields: dict[str, Any] = {
        "v": VERSION,
        "action": "odds",
        "odds": "roll",
        "expression": notation.text,
        "canonical": notation.canonical,
        "mean": mean[0] / mean[1],
        **({"mean_exact": fraction(*mean)} if spellable(mean[1]) else {}),
        "sd": distribution.deviation(),
        "likeliest": likeliest(distribution),
        "percentiles": {str(point): percentile(distribution, point) for point in PERCENTILES},
    }
    if question:
        fields[question[0]] = question[1]
        fields["success"] = chance(*asked(distribution, *question), distribution.truncated)
    if other:
        whole = sum(other.ways)
        pairs = zip(("better", "equal", "worse"), other.ways, strict=True)
        fields["compare"] = {"expression": other.notation.text, "canonical": other.notation.canonical} | {
            name: chance(ways, whole, other.truncated) for name, ways in pairs
        }
    fields["distribution"] = distribution_rows(distribution)
    return fields | ({"truncated": True} if distribution.truncated else {})


def csv(distribution: Distribution) -> Iterator[str]:
    """The distribution as comma-separated values, a heading first; with exact fractions where `exact` says so."""
    fractions = exact(distribution)
    yield "value,p,exact" if fractions else "value,p"
    for value, ways in sorted(distribution):
        yield f"{value},{ways / distribution.total!r}" + (
            f",{fraction(ways, distribution.total)}" if fractions else ""
        )
