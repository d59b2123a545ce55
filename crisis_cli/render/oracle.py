"""What the oracle may answer: its exact chances, and what to type after an answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ..engine.scene import slug
from ..random_tables.oracle import SIDES, odds
from .chances import chance
from .charts import decimal, percent

if TYPE_CHECKING:
    from .style import Ink


def twists(tension: int) -> str:
    """How often a twist comes, in words."""
    sides = SIDES[-1]
    return (
        f"tension {tension}, in {percent(tension, sides)} of the answers (1 to {tension} on the d{sides})"
        if tension
        else "none, the tension is 0"
    )


def ways_on(kind: str, who: str, yes: bool, degree: str, way: Callable[[str], str]) -> list[str]:
    """What to type where the answer means something in the fight; it is never done by itself."""
    if kind == "morale" and not yes:
        if degree == "and":
            return [f"  It runs: {way(f'leave {who}')}"]
        return [f"  It surrenders: {way(f'set {who} yielded on')}"]
    if kind == "reinforcement" and yes:
        return [f"  Who comes: {way('tables reinforcements')}, then {way('join WHO')}"]
    return []


def target_records(weights: Mapping[str, int]) -> Iterator[dict[str, Any]]:
    """The exact chance of every foe, for JSON."""
    whole = sum(weights.values())
    return ({"target": name, "chance": chance(weight, whole)} for name, weight in weights.items())


def target_lines(weights: Mapping[str, int], ink: Ink, quiet: bool) -> Iterator[str]:
    """The chance of every foe; with `quiet` bare."""
    whole, wide = sum(weights.values()), ink.widest(weights)
    for name, weight in weights.items():
        if quiet:
            yield f"{slug(name)} {decimal(weight / whole)}"
        else:
            yield f"{ink.padded(name, wide)}  {percent(weight, whole):>8}"


def answer_records(chances: Mapping[str, int], tension: int) -> Iterator[dict[str, Any]]:
    """The exact chance of every answer for each chance of yes in percent, by a word for it, and of a twist."""
    for word, likely in chances.items():
        yield {
            "likely": word,
            "p": likely / 100,
            "answers": {name: chance(p.numerator, p.denominator) for name, p in odds(likely)},
            "tension": tension,
            "twist": chance(tension, SIDES[-1]),
        }


def answer_lines(chances: Mapping[str, int], tension: int, quiet: bool) -> Iterator[str]:
    """The chance of every answer for each chance of yes, a row each, and of a twist; with `quiet` bare rows."""
    if not quiet:
        yield f"{'':<18}{'yes':>6}  " + "".join(f"{name:>9}" for name, _ in odds(50))
    for word, likely in chances.items():
        shares = [share for _, share in odds(likely)]
        if quiet:
            yield " ".join([word, decimal(likely / 100), *map(decimal, map(float, shares))])
        else:
            row = "".join(f"{percent(p.numerator, p.denominator):>9}" for p in shares)
            yield f"{word:<18}{likely:>4} %  {row}"
    if not quiet:
        yield f"twist: {twists(tension)}"
