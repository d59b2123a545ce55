"""Probabilities and laws as JSON has them: numbers, and exact fractions where there are any."""

from __future__ import annotations

from math import gcd

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ..table.odds import Law


def fraction(ways: int, total: int) -> str:
    """A fraction in lowest terms, spelled `a/b`."""
    common = gcd(ways, total)
    return f"{ways // common}/{total // common}"


def chance(ways: int, total: int, truncated: bool = False) -> dict[str, Any]:
    """A probability, and its exact fraction where it has one."""
    return {"p": ways / total} | ({} if truncated else {"exact": fraction(ways, total)})


def distribution(law: Law) -> list[dict[str, Any]]:
    """Every value of a law with its probability."""
    return [{"value": value, **chance(ways, law.total, law.truncated)} for value, ways in sorted(law)]


def weighed(law: Law) -> dict[str, Any]:
    """A law with its mean and standard deviation."""
    return {"mean": law.mean(), "sd": law.deviation(), "distribution": distribution(law)}
