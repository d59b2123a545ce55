"""Values of sheets that are tried one after another; each combination of them is a variant."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import product
from typing import TYPE_CHECKING

from ..errors import Usage
from ..sheets.names import fold_case
from ..values import NamedTuple
from .desk import Desk

if TYPE_CHECKING:
    from ..render.simulation import Variant

MOST_SWEPT, MOST_VARIANTS = 1_000, 100
"""Most combinations of values that odds are worked out for, and that fights are fought with."""


class Sweep(NamedTuple):
    """A key of a sheet, as `drone.armour.dr`, and the values to try."""

    key: str
    values: range


def parse_sweep(word: str) -> Sweep:
    """A sweep written as WHO.KEY=A..B; Usage if it has another form."""
    match = re.fullmatch(r"([^=.]+\.[^=]+)=(-?\d{1,6})\.\.(-?\d{1,6})", word)
    if not match:
        raise Usage(
            f"--sweep takes WHO.KEY=A..B, not {word!r}",
            hint="--sweep drone.armour.dr=0..10",
            code="bad_value",
            option="--sweep",
        )
    key, low, high = match.groups()
    if int(low) > int(high):
        raise Usage(
            f"--sweep goes from the lower value to the higher, not from {low} to {high}",
            hint=f"--sweep {key}={high}..{low}",
            code="bad_value",
            option="--sweep",
        )
    return Sweep(key, range(int(low), int(high) + 1))


def combinations(sweeps: Iterable[Sweep]) -> list[tuple[int, ...]]:
    """Every combination of the values of sweeps; Usage where there are too many."""
    values = list(product(*(sweep.values for sweep in sweeps)))
    if len(values) > MOST_SWEPT:
        raise Usage(f"a sweep has at most {MOST_SWEPT:,} values, not {len(values):,}", code="bad_value")
    return values


def variants(compared: Iterable[str], swept: Iterable[str]) -> list[Variant]:
    """Every combination of values written as WHO.KEY=A,B or as WHO.KEY=A..B; one without any where there are none.

    Usage where one has another form, or there are too many.
    """
    keys: list[list[tuple[str, str]]] = []
    for word in compared:
        key, equals, values = word.partition("=")
        if not equals or "." not in key or not all(values.split(",")):
            raise Usage(
                f"--compare takes WHO.KEY=A,B, not {word!r}",
                hint="--compare ada.held=pistol,knife",
                code="bad_value",
                option="--compare",
            )
        keys.append([(key, value) for value in values.split(",")])
    keys += [[(sweep.key, str(value)) for value in sweep.values] for sweep in map(parse_sweep, swept)]
    several = [*product(*keys)]
    if len(several) > MOST_VARIANTS:
        raise Usage(f"at most {MOST_VARIANTS} combinations, not {len(several):,}", code="bad_value")
    return several


def require_unique(keys: Iterable[str]) -> None:
    """Raise Usage for a key of a sheet that is given twice: one value would silently replace the other."""
    known: set[str] = set()
    for key in keys:
        if fold_case(key) in known:
            raise Usage(
                f"{key} is given twice",
                hint="give it once: in --set, --compare or --sweep",
                code="conflicting_options",
            )
        known.add(fold_case(key))


def varied(desk: Desk, values: Iterable[tuple[str, object]]) -> Desk:
    """The desk on which sheets have these values, by `WHO.KEY`."""
    return desk._replace(overrides=(*desk.overrides, *(f"{key}={value}" for key, value in values)))
