"""What to do now, between fights: a few lines to type, each with why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..values import NamedTuple
from .charts import WIDTH, whole_percent, wrapped
from .command_text import quote
from .messages import listed
from .style import Ink

if TYPE_CHECKING:
    from ..engine.action_odds import Ways

NARROW, WIDE = 16, 42
"""Columns of the lines: as many as the longest has, between these; the reason of a longer one follows it."""


class NextStep(NamedTuple):
    """A line to type, and what speaks for it."""

    words: tuple[str, ...]
    """The words of the line, without the name of the program."""
    why: str

    @property
    def line(self) -> str:
        """The line as the shell takes it, without the name of the program."""
        return " ".join(map(quote, self.words))


class RestRisk(NamedTuple):
    """How likely a rest kills."""

    deaths: Mapping[str, Ways]
    """How likely each dies, the likeliest first."""
    option: str
    """An option that changes it; empty for none."""
    safer: Mapping[str, Ways]
    """The values of the option with which the first dies less likely."""


def risk_words(risk: RestRisk) -> str:
    """How likely a rest kills: `Doc Moss dies in 14 % (--care self 9 %, doctor 4 %)`."""
    said = [f"{who} dies in {whole_percent(*ways)}" for who, ways in risk.deaths.items()]
    if risk.safer:
        better = ", ".join(f"{value} {whole_percent(*ways)}" for value, ways in risk.safer.items())
        said[0] += f" ({risk.option} {better})"
    return listed(said)


def why_rest(length: int, days: Mapping[str, int], risk: RestRisk) -> str:
    """Who is whole after a rest of so many days, and when the others are; `days` says after how many each is. First
    how likely it kills."""
    if risk.deaths:
        return f"{risk_words(risk)}; {why_rest(length, days, risk._replace(deaths={}))}"
    whole = [who for who, needed in days.items() if needed <= length]
    others = [who for who in days if who not in whole]
    last = max(days.values())
    about = "a day" if last == 1 else f"{last} days"
    if not whole:
        verb = "needs" if len(others) == 1 else "need up to"
        fewer = f", fewer with {risk.option}" if risk.option else ""
        return f"two weeks; {listed(others)} {verb} about {about} to be whole{fewer}"
    are = "is" if len(whole) == 1 else "are"
    then = f"then, {listed(others)} in" if others else "in"
    return f"{listed(whole)} {are} whole {then} about {about}"


def records(steps: Sequence[NextStep]) -> list[dict[str, Any]]:
    """The steps as JSON: each line as the shell takes it, and why."""
    return [{"line": f"crisis {step.line}", "why": step.why} for step in steps]


def lines(steps: Sequence[NextStep], ink: Ink, is_numbered: bool = False) -> Iterator[str]:
    """The steps as lines of text below a title; nothing without steps."""
    if not steps:
        return
    yield ink("bold", "What now?")
    # What is not chosen by its number is typed in the shell: the fight at the prompt is over.
    typed = [step.line if is_numbered else f"crisis {step.line}" for step in steps]
    wide = max(NARROW, ink.widest(line for line in typed if ink.length(line) <= WIDE))
    for number, (step, line) in enumerate(zip(steps, typed, strict=True), start=1):
        mark = f"{number}  " if is_numbered else ""
        for at, part in enumerate(wrapped(step.why, WIDTH - wide - len(mark) - 4)):
            yield f"  {' ' * (len(mark) + wide) if at else mark + ink.padded(line, wide)}  {part}"
