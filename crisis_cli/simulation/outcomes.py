"""What steps of fights come to: outcomes, and the laws by which they come about."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from ..values import NamedTuple
from .tally import Key
from .watched import OneOfAKind

if TYPE_CHECKING:
    from ..engine.scene import Intent

Changes = tuple[tuple[str, str, Any], ...]
"""What changes of a fighter or the scene: the side it is of, if any, what it is, and what it is then."""


What = TypeVar("What")


class BodyChange(OneOfAKind[Any, Any], Generic[What]):
    """What changes of one body; gives the body after it."""

    __slots__ = ("made", "what")

    def __init__(self, made: Callable[[Any, What], Any], what: What):
        super().__init__()
        self.made = made
        """Gives a body after a change."""
        self.what = what

    def __missing__(self, before: Any) -> Any:
        after = self.made(before, self.what)
        self[before] = after
        return after


Delta = BodyChange[Changes]
"""What a step changes of one body."""


PlainOutcome = tuple[tuple[tuple[int, Changes], ...], int, tuple[tuple[Key, int], ...], bool, bool]


class Outcome:
    """One way in which a step ends."""

    __slots__ = ("changes", "shift", "tags", "ends_turn", "stuck")

    def __init__(
        self,
        changes: tuple[tuple[int, Delta], ...],
        shift: int,
        tags: tuple[tuple[Key, int], ...],
        ends_turn: bool,
        stuck: bool,
    ):
        self.changes = changes
        self.shift = shift
        """How many rounds pass."""
        self.tags = tags
        """What is counted with it."""
        self.ends_turn = ends_turn
        """Whether the turn ends with it."""
        self.stuck = stuck
        """Whether nobody can act any more."""

    @property
    def plain(self) -> PlainOutcome:
        """The same with what changes by slot, which another process can read."""
        changes = tuple([(slot, delta.what) for slot, delta in self.changes])
        return changes, self.shift, self.tags, self.ends_turn, self.stuck


class Law:
    """All outcomes of a step, with the sums of their chances."""

    __slots__ = ("sums", "outcomes", "intent")

    def __init__(self, sums: list[float], outcomes: list[Outcome], intent: Intent | None):
        self.sums = sums
        self.outcomes = outcomes
        self.intent = intent
        """What the fighter does; None for a change of turns."""

    @property
    def chances(self) -> Iterator[tuple[Outcome, float]]:
        """Each outcome with its chance."""
        before = 0.0
        for outcome, whole in zip(self.outcomes, self.sums, strict=True):
            yield outcome, whole - before
            before = whole


class Rest(NamedTuple):
    """What a fighter does whose outcomes are too many to list: it is rolled each time."""

    intent: Intent
