"""What to do now, between fights: a few lines to type, each with why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from ..engine.care import CareProspect
from ..values import NamedTuple
from .care import first_words
from .command_text import quote
from .messages import listed
from .style import Ink

NARROW, WIDE = 16, 40
"""Columns of the lines: as many as the longest has, between these; the reason of a longer one follows it."""


class NextStep(NamedTuple):
    """A line to type, and what the reason for it is made of."""

    kind: Literal[
        "tend",
        "help",
        "take",
        "rest",
        "thread",
        "aftermath",
        "play",
        "encounters",
        "chronicle",
        "recap",
        "again",
    ]
    words: tuple[str, ...]
    """The words of the line, without the name of the program."""
    care: CareProspect | None = None
    rest: tuple[int, Mapping[str, int]] = (0, {})
    """How many days a rest takes, and after how many each of the hurt is whole on average."""
    things: str = ""
    """In words what nobody has taken yet, the title of an encounter, or who needs help."""

    @property
    def line(self) -> str:
        """The line as the shell takes it, without the name of the program."""
        return " ".join(map(quote, self.words))

    @property
    def why(self) -> str:
        """What speaks for it, in a few words."""
        if self.kind == "tend":
            assert self.care is not None
            return first_words(self.care)
        if self.kind == "rest":
            return _why_rest(*self.rest)
        if self.kind == "play":
            return f"not played yet: {self.things}"
        if self.things:
            return self.things
        return WHY[self.kind]


WHY = {
    "thread": "a thread that is open",
    "aftermath": "what the fight leaves behind",
    "encounters": "the next fight",
    "chronicle": "the story so far",
    "recap": "luck, harm and what decided it",
    "again": "the same fight again",
}
"""The reasons that are always the same."""


def _why_rest(length: int, days: Mapping[str, int]) -> str:
    """Who is whole after a rest, and when the others are."""
    whole = [who for who, needed in days.items() if needed <= length]
    others = [who for who in days if who not in whole]
    last = max(days.values())
    about = "a day" if last == 1 else f"{last} days"
    if not whole:
        verb = "needs" if len(others) == 1 else "need up to"
        return f"two weeks; {listed(others)} {verb} about {about} to be whole"
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
    wide = max(NARROW, *(ink.length(line) for line in typed if ink.length(line) <= WIDE), 0)
    for number, (step, line) in enumerate(zip(steps, typed, strict=True), start=1):
        mark = f"{number}  " if is_numbered else ""
        yield f"  {mark}{ink.padded(line, wide)}  {step.why}"
