"""Laws as bars, percentages as words: pictures of odds that fit the width."""

from __future__ import annotations

from collections.abc import Iterator

from ..play.forecast import Forecast
from ..systems.system import System
from ..table.odds import Law
from .ink import Ink

EIGHTHS = " ▏▎▍▌▋▊▉"


def bar(share: float, width: int, ink: Ink) -> str:
    """A bar of a share of the width, in eighths of a sign where the terminal has them."""
    if not ink.signs:
        return "#" * round(share * width)
    eighths = round(share * width * 8)
    return "█" * (eighths // 8) + EIGHTHS[eighths % 8].strip()


def percent(ways: int, total: int) -> str:
    """A probability as a percentage that never rounds to certainty."""
    if not ways or ways == total:
        return "0 %" if not ways else "100 %"
    share = 100 * ways / total
    if share < 0.01:
        return "<0.01 %"
    return "99.99 %" if share > 99.99 else f"{share:.2f} %"


def bars(law: Law, ink: Ink, width: int, most: int = 24) -> Iterator[str]:
    """One bar for each value; where there are more than `most`, neighbours are put together."""
    rows = _rows(law, most)
    highest = max(ways for _, ways in rows)
    room = max(10, min(50, width - max(len(name) for name, _ in rows) - 16))
    wide = max(len(name) for name, _ in rows)
    for name, ways in rows:
        yield f"  {name:>{wide}}  {percent(ways, law.total):>8}  {bar(ways / highest, room, ink)}".rstrip()


def _rows(law: Law, most: int) -> list[tuple[str, int]]:
    values = sorted(law.ways)
    if len(values) <= most:
        return [(f"{value:d}".replace("-", "−"), law.ways[value]) for value in values]
    low, high = values[0], values[-1]
    step = -(-(high - low + 1) // most)
    groups: dict[int, int] = {}
    for value in values:
        groups[(value - low) // step] = groups.get((value - low) // step, 0) + law.ways[value]
    return [
        (f"{low + at * step}–{min(high, low + at * step + step - 1)}", ways) for at, ways in groups.items()
    ]


def forecast(told: Forecast, system: System, ink: Ink, width: int) -> Iterator[str]:
    """The odds of an action in words and bars."""
    intent = told.intent
    who = f" {' and '.join(intent.targets)}" if intent.targets else ""
    gear = told.prepared.staked.gear
    yield ink("bold", f"{intent.actor}: {intent.action}{who}" + (f" with the {gear}" if gear else ""))
    if told.success is not None:
        yield f"  {'success' if intent.action not in ('attack', 'throw') else 'hit'}  {percent(*told.success)}"
    if told.criticals is not None and len(told.criticals.ways) > 1:
        chances = ", ".join(
            f"{count}: {percent(ways, told.criticals.total)}"
            for count, ways in sorted(told.criticals)
            if count
        )
        yield f"  criticals  {chances}"
    for name, (ways, total) in told.down.items():
        yield f"  {name} out of the fight  {percent(ways, total)}"
    for name, pools in told.effects.items():
        for what, law in pools.items():
            if len(law.ways) == 1 and name == intent.actor:
                yield f"  {name}'s {_label(system, what)}: {next(iter(law.ways)):+d}"
                continue
            yield f"{name}'s {_label(system, what)}: {law.mean():+.2f} on average"
            yield from bars(law, ink, width)
    if told.totals is not None:
        yield f"{'hits' if told.several else 'total of the roll'}: {told.totals.mean():.2f} on average"
        yield from bars(told.totals, ink, width)
    if told.truncated:
        yield ink("dim", "chains of dice are followed until going on is less likely than 1e-9")


def _label(system: System, what: str) -> str:
    kind, _, thing = what.partition(":")
    label = system.POOLS[kind].label
    return f"{thing} {label}" if thing else label
