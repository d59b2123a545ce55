"""Odds as comma-separated values: the distributions of an action, and its odds over a range of sheet values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..dice.distribution import Distribution
from ..engine.action_odds import ActionOdds
from .chances import exact, fraction
from .charts import bare_chance, decimal, percent
from .style import Ink

Values = tuple[int, ...]
"""The value of each key that is swept."""


def distributions(odds: ActionOdds) -> Iterator[str]:
    """Every distribution of an action: what it is of, each value and its probability; a heading first.

    Pools have the change as their value; conditions, marks and things in hand the level afterwards.
    """
    yield "of,value,p,exact"
    if odds.success is not None:
        ways, total = odds.success
        yield from _rows("success", Distribution({1: ways, 0: total - ways}, total, odds.truncated))
    if odds.totals is not None:
        yield from _rows("total", odds.totals)
    if odds.criticals is not None:
        yield from _rows("criticals", odds.criticals)
    for who, pools in odds.effects.items():
        for pool, distribution in pools.items():
            yield from _rows(f"{who}.{pool}", distribution)
    for who, levels in odds.levels.items():
        for what, level in levels.items():
            yield from _rows(f"{who}.{what}", level.after)


def _rows(name: str, distribution: Distribution) -> Iterator[str]:
    has_fractions = exact(distribution)
    for value, ways in sorted(distribution):
        share = fraction(ways, distribution.total) if has_fractions else ""
        yield f"{_cell(name)},{value},{ways / distribution.total!r},{share}"


def _cell(text: str) -> str:
    """A cell, in quotes where it holds a comma or a quote."""
    return '"' + text.replace('"', '""') + '"' if {",", '"'} & set(text) else text


def swept_csv(keys: Sequence[str], found: Sequence[tuple[Values, ActionOdds]]) -> Iterator[str]:
    """One row for each value of the keys: the chance of success, and the mean change of every pool."""
    columns = _columns(found)
    yield ",".join(map(_cell, [*keys, "success", *(f"{who}.{pool}" for who, pool in columns)]))
    for values, odds in found:
        means = [_mean(odds, who, pool) for who, pool in columns]
        yield ",".join([*map(str, values), _success(odds), *map(decimal, means)])


def swept_bare(found: Sequence[tuple[Values, ActionOdds]]) -> Iterator[str]:
    """One line for each value of the keys: the values, and the chance of success (`-` where there is none)."""
    for values, odds in found:
        yield " ".join([*map(str, values), bare_chance(odds.success)])


def swept_table(keys: Sequence[str], found: Sequence[tuple[Values, ActionOdds]], ink: Ink) -> Iterator[str]:
    """The chance of success, and with one key the mean change of every pool; with two keys a table of chances."""
    if len(keys) == 1:
        columns = _columns(found)
        heads = [keys[0], "success", *(f"{who} {pool}" for who, pool in columns)]
        rows = [
            [str(values[0]), _share(odds), *(f"{_mean(odds, *column):+.2f}" for column in columns)]
            for values, odds in found
        ]
    else:
        across = list(dict.fromkeys(values[1] for values, _ in found))
        chances = {values: _share(odds) for values, odds in found}
        heads = [f"{keys[0]} \\ {keys[1]}", *map(str, across)]
        rows = [
            [str(down), *(chances[down, one] for one in across)]
            for down in dict.fromkeys(values[0] for values, _ in found)
        ]
    wide = [ink.widest(column) for column in zip(heads, *rows, strict=True)]
    lines = ["  ".join(map(ink.set_right, row, wide)) for row in (heads, *rows)]
    yield ink("bold", lines[0])
    yield from (line.replace("-", "−") for line in lines[1:])


def _columns(found: Sequence[tuple[Values, ActionOdds]]) -> list[tuple[str, str]]:
    """Every pool of a fighter or side that changes in any of the odds."""
    return list(
        dict.fromkeys(
            (who, pool) for _, odds in found for who, pools in odds.effects.items() for pool in pools
        )
    )


def _mean(odds: ActionOdds, who: str, pool: str) -> float:
    distribution = odds.effects.get(who, {}).get(pool)
    return distribution.mean() if distribution else 0.0


def _success(odds: ActionOdds) -> str:
    return decimal(odds.success[0] / odds.success[1]) if odds.success else ""


def _share(odds: ActionOdds) -> str:
    return percent(*odds.success) if odds.success else "-"
