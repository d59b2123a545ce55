"""The record of one action: the entry that text, JSON, journal, undo and replay use."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..dice.table import Choice, Throw
from ..values import NamedTuple
from .events import Event
from .scene import Intent

EVENT = "event"
"""The action of the entries of an encounter's events, each of which follows from the one before."""
QUESTIONS = "questions"
"""The action of the entries that set questions in the middle of actions."""
ATTACKS = ("attack", "throw")
"""The actions that hit or miss, unless the rules have other words for it."""


class Modifier(NamedTuple):
    """One number that goes into a roll or its target."""

    roll: str
    """What it belongs to: `attack`, `defence`, `damage` …"""
    name: str
    value: int
    rule: str
    source: str = ""
    """Where it comes from, as the player knows it: a key of the sheet, an option, a condition."""
    against: str = ""
    """The target of the roll, if there are several."""
    shot: int = 0
    """Which of several rolls, where it counts for that one alone."""
    pool: str = ""
    """The pool that the roll is for, where an action rolls for several."""


class RollRecord(NamedTuple):
    """The dice rolled under one label, and their result."""

    what: str
    who: str
    dice: str
    faces: tuple[tuple[int, int], ...]
    """Pairs of (sides, face) in the order of rolling."""
    about: Mapping[str, Any]
    """The target, the number of the shot, the pool."""
    reckoning: Mapping[str, Any]
    """The result: total, target, success and others."""
    given: bool = False
    """Whether the faces were given or typed in; if not, they follow from the seed."""

    @classmethod
    def of(cls, throw: Throw) -> RollRecord:
        """The record of a throw."""
        return cls(
            throw.what,
            throw.who,
            throw.spelled,
            tuple(throw.faces),
            dict(throw.about),
            dict(throw.reckoning),
            throw.given,
        )

    def takes(self, modifier: Modifier) -> bool:
        """Whether a modifier went into the roll."""
        against = self.about.get("against", self.who)
        own = (("shot", modifier.shot), ("pool", modifier.pool))
        if modifier.roll != self.what or any(
            which and which != self.about.get(key, which) for key, which in own
        ):
            return False
        return not modifier.against or modifier.against in (against, self.who)

    def record(self) -> dict[str, Any]:
        """The roll as a journal holds it: `given` only where the faces were."""
        record = self._asdict()
        if not self.given:
            del record["given"]
        return record


class RecordedChoice(NamedTuple):
    """A choice made during the action."""

    who: str
    offered: tuple[str, ...]
    taken: str
    harms: Mapping[str, float] = {}
    """The expected harm of the options that were compared, by their names."""
    asked: bool = True
    """Whether the player was asked; the rules answered where it did not matter."""
    holds: str = ""
    """For which later choices of the fight the answer holds too: those that are paid in this, or are about this roll;
    after `!` if the player wants it so, `!` alone for reactions that offer it; empty for none."""

    @property
    def is_repeated(self) -> bool:
        """Whether it is an answer that the player gave before."""
        return not self.asked and bool(self.holds)

    def record(self) -> list[Any]:
        """The choice as a journal holds it: its last values only where they say something."""
        count = 6 if self.holds else 5 if not self.asked else 4 if self.harms else 3
        return list(self[:count])

    @classmethod
    def of(cls, choice: Choice) -> RecordedChoice:
        """The record of a choice."""
        harms = {name: round(harm, 6) for name, harm in choice.harms.items()}
        return cls(choice.who, choice.offered, choice.taken, harms, choice.asked, choice.holds)


class SheetChange(NamedTuple):
    """The text of a sheet before and after a change is written into it."""

    file: str
    was: str
    now: str
    anew: bool = False
    """Whether the sheet is written whole, so that its comments are lost."""

    def reverted(self) -> SheetChange:
        """The change back."""
        return SheetChange(self.file, self.now, self.was)

    def record(self) -> dict[str, Any]:
        """The change as a journal holds it."""
        record = self._asdict()
        if not self.anew:
            del record["anew"]
        return record


class Entry(NamedTuple):
    """One action from intent to events."""

    number: int
    """Its place among the entries in force, from 1."""
    intent: Intent
    modifiers: tuple[Modifier, ...] = ()
    rolls: tuple[RollRecord, ...] = ()
    choices: tuple[RecordedChoice, ...] = ()
    stake: Any = None
    """`setup.dice`, fit for JSON: what the roll depended on."""
    outcome: Mapping[str, Any] = {}
    """The outcome of the rule by field, such as `success` and `word`."""
    events: tuple[Event, ...] = ()
    forced: tuple[str, ...] = ()
    """What the rules forbid and `--force` allowed."""
    seed: int | None = None
    """The seed given for this action alone, else the crisis's own holds."""
    day: int = 0
    """The day of the campaign, in its story; 0 in a crisis."""
    sheets: Mapping[str, SheetChange] = {}
    """By fighter, what it writes into sheets, in the story of a campaign."""

    @property
    def counts(self) -> bool:
        """Whether it counts for the dice of the next one: entries that set questions do not."""
        return self.intent.action != QUESTIONS

    def changed(self, what: str) -> bool:
        """Whether an event of it has changed a value of this name, such as a pool, of anyone."""
        return any(event.what == what for event in self.events)

    @property
    def success(self) -> bool | None:
        """Whether it succeeded; None where it can neither succeed nor fail."""
        won: bool | None = self.outcome.get("success")
        return won

    @property
    def word(self) -> str:
        """The result in one word: that of the outcome, else whether it succeeded; empty if it could not fail."""
        own: str = self.outcome.get("word", "")
        if own or self.success is None:
            return own
        words = ("hit", "miss") if self.intent.action in ATTACKS else ("success", "failure")
        return words[0] if self.success else words[1]

    @property
    def reason(self) -> Mapping[str, Any]:
        """The reason of an automatic fighter; empty without one, and where that of a journal cannot be read."""
        said = self.intent.get("reason")
        return said if isinstance(said, Mapping) else {}

    @property
    def faces(self) -> tuple[tuple[int, int], ...]:
        """All faces in the order of rolling, as (sides, face)."""
        return tuple(face for roll in self.rolls for face in roll.faces)
