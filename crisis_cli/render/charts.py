"""Distributions as bars and probabilities as percentages, for all output of odds, the fast path's included."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..dice.distribution import Distribution
    from .style import Ink

EIGHTHS = " ▏▎▍▌▋▊▉"
WIDTH, TIED = 80, "\N{NO-BREAK SPACE}%"


def bar(share: float, width: int, ink: Ink) -> str:
    """A bar that fills a share of the width, in eighths of a character if the terminal has them."""
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
    return ">99.99 %" if share > 99.99 else f"{share:.2f} %"


SIGNIFICANT = 6
"""Significant digits of a number for programs."""


def decimal(value: float) -> str:
    """A number for programs: six significant digits in ASCII, never in scientific notation."""
    size = f"{abs(value):.{SIGNIFICANT - 1}e}".partition("e")[2]
    return f"{value:.{max(0, SIGNIFICANT - 1 - int(size))}f}"


def bare_chance(success: tuple[int, int] | None) -> str:
    """A chance of success for programs; `-` where there is none."""
    return decimal(success[0] / success[1]) if success else "-"


def bars(distribution: Distribution, ink: Ink, width: int, most: int = 24) -> Iterator[str]:
    """One bar for each value; if there are more than `most`, neighbours share a bar.

    Values at either end that are too rare to tell apart are one row together.
    """
    rows = _rows(distribution, most)
    highest = max(ways for _, ways in rows)
    wide = ink.widest(name for name, _ in rows)
    room = max(10, min(50, width - wide - 16))
    for name, ways in rows:
        share = f"{percent(ways, distribution.total):>8}  {bar(ways / highest, room, ink)}"
        yield f"  {ink.set_right(name, wide)}  {share}".rstrip()


def _rows(distribution: Distribution, most: int) -> list[tuple[str, int]]:
    values = sorted(distribution.ways)
    low, high = _tail(distribution, values), _tail(distribution, values[::-1])
    middle = values[low : len(values) - high]
    rows = _grouped(distribution, middle, most)
    if low:
        rows.insert(
            0, (f"≤ {minus(values[low - 1])}", sum(distribution.ways[value] for value in values[:low]))
        )
    if high:
        rows.append((f"≥ {minus(values[-high])}", sum(distribution.ways[value] for value in values[-high:])))
    return rows


RARE = 1_000
"""Values at either end that together are rarer than one in this number share a row."""


def _tail(distribution: Distribution, values: list[int]) -> int:
    """How many of the first values share one row because they are rare; 0 if it would be fewer than two."""
    rare, ways = 0, 0
    for value in values:
        ways += distribution.ways[value]
        if ways * RARE >= distribution.total:
            break
        rare += 1
    return rare if rare > 1 else 0


def _grouped(distribution: Distribution, values: list[int], most: int) -> list[tuple[str, int]]:
    if len(values) <= most:
        return [(minus(value), distribution.ways[value]) for value in values]
    low, high = values[0], values[-1]
    step = -(-(high - low + 1) // most)
    groups: dict[int, int] = {}
    for value in values:
        groups[(value - low) // step] = groups.get((value - low) // step, 0) + distribution.ways[value]
    return [
        (_span(low + at * step, min(high, low + at * step + step - 1)), ways) for at, ways in groups.items()
    ]


def _span(low: int, high: int) -> str:
    return minus(low) if low == high else f"{minus(low)} to {minus(high)}"


def minus(value: float) -> str:
    """A number as text, with a minus sign as wide as a plus."""
    return (f"{value:g}" if isinstance(value, float) else str(value)).replace("-", "−")


def place(at: tuple[float, float]) -> str:
    """A position as text: east, then north, to a tenth."""
    east, north = (round(part, 1) for part in at)
    return f"{minus(east)},{minus(north)}"


def hundredths(value: float) -> str:
    """A number with two places after the point, and no sign where these are 0."""
    return f"{round(value, 2) + 0.0:.2f}".replace("-", "−")


def signed(value: float, spec: str = "") -> str:
    """A number with its sign in front, + or −."""
    return f"{value:+{spec}}".replace("-", "−")


def wrapped(text: str, width: int = WIDTH) -> list[str]:
    """A text in lines of so many columns; a number stays with its sign."""
    from textwrap import wrap

    return [line.replace(TIED, " %") for line in wrap(text.replace(" %", TIED), width)]


def whole_percent(ways: int, total: int) -> str:
    """A probability in whole percent, nothing that can happen being 0 %, nor what can fail 100 %."""
    whole = round(100 * ways / total)
    if ways and not whole:
        return "under 1 %"
    return "over 99 %" if ways < total and whole == 100 else f"{whole} %"
