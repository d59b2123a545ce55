"""What to do now, between fights: a few lines to type, each with why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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

    kind: Literal["tend", "take", "rest", "thread", "aftermath", "chronicle", "recap", "again"]
    words: tuple[str, ...]
    """The words of the line, without the name of the program."""
    care: CareProspect | None = None
    names: Sequence[str] = ()
    """Who is hurt."""
    days: int = 0
    """After how many days all of them are whole on average."""
    things: str = ""
    """What nobody has taken yet, in words."""

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
        if self.kind == "take":
            return self.things
        if self.kind == "rest":
            are = "is" if len(self.names) == 1 else "are"
            days = "a day" if self.days == 1 else f"{self.days} days"
            return f"{listed(self.names)} {are} whole in about {days}"
        return WHY[self.kind]


WHY = {
    "thread": "a thread that is open",
    "aftermath": "what the fight leaves behind",
    "chronicle": "the story so far",
    "recap": "luck, harm and what decided it",
    "again": "the same fight again",
}
"""The reasons that are always the same."""


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
