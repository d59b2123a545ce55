"""Trees of what is remembered of functions of a scene: what each reads and draws, and what it comes to."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from ..values import NamedTuple
from .laws import DiceQuestion, DrawTable, Laws, Random
from .state import Cell, CellGroup, Delta

if TYPE_CHECKING:
    from ..engine.events import Event
    from ..engine.scene import Scene
    from .tally import Key


class ReadNode:
    """Which cells of some slots are read next; by the numbers of what they hold, the node that follows."""

    __slots__ = ("first", "others", "second", "to")

    def __init__(self, groups: Sequence[tuple[int, CellGroup]]):
        self.first = groups[0]
        """The cells that are read of one slot."""
        self.second = groups[1] if len(groups) > 1 else None
        self.others = tuple(groups[2:])
        self.to: dict[Hashable, Node] = {}

    @property
    def groups(self) -> list[tuple[int, CellGroup]]:
        """All cells that are read, by slot."""
        return [self.first, *([self.second] if self.second else ()), *self.others]

    def numbers(self, state: Sequence[Any]) -> Hashable:
        """The number of what a state holds in the cells; where these are of several slots one for each."""
        numbers = [state[slot].numbers[group] for slot, group in self.groups]
        return tuple(numbers) if self.second else numbers[0]


class DrawNode:
    """What is asked of the dice next; by the answer, the node that follows."""

    __slots__ = ("question", "to")

    def __init__(self, question: DiceQuestion):
        self.question = question
        self.to: dict[Hashable, Node] = {}


class Leaf:
    """What a function comes to: the changes of slots, its value, what is counted, and the function that is next."""

    __slots__ = ("changed", "counted", "deltas", "then", "value")

    def __init__(self, found: Found, deltas: tuple[tuple[int, Delta], ...], fighters: int):
        self.deltas, self.value, self.counted, self.then = deltas, found.value, found.counted, found.then
        self.changed = [slot for slot, _ in deltas if slot < fighters]
        """The slots of the fighters that are changed."""


Node = ReadNode | DrawNode | Leaf


class Found(NamedTuple):
    """What a function of a scene comes to, as the engine works it out."""

    events: Iterable[Event] = ()
    value: Any = None
    counted: tuple[tuple[Key, int], ...] = ()
    then: StepFunction | None = None
    """The function that is always called next."""


Run = Callable[["Scene", "NotingTable"], Found]
"""Works out a function of a scene with the dice of a table."""
ROOT = ""
"""Under which a tree has its first node."""
BEGIN = "begin"
"""The function that begins a fight."""


class StepFunction:
    """A part of a step as a function of the scene: how it is worked out, and the tree of what is remembered of it."""

    __slots__ = ("name", "run", "tree")

    def __init__(self, name: str, run: Run):
        self.name = name
        """The name of an action, of a phase, or of another part of a step."""
        self.run = run
        self.tree: dict[Hashable, Node] = {}


class NotingTable(DrawTable):
    """Draws what a function asks, first the answers drawn already on the way to it, and notes them."""

    __slots__ = ("before", "drawn", "reads")

    def __init__(self, random: Random, laws: Laws, reads: dict[Cell, None]):
        super().__init__(random, laws)
        self.reads = reads
        self.before: list[Any] = []
        self.drawn: list[tuple[int, DiceQuestion, Any]] = []
        """How many cells were read before each question, the question, and its answer."""

    def ask(self, rule: Callable[..., Any], *args: Any, part: Callable[[Any], Any] | None = None) -> Any:
        """One answer of a rule, or what matters of it."""
        question = self.laws.question(rule, args, part)
        if question.is_certain:
            return self.answer(question)
        answer = self.before.pop(0) if self.before else self.answer(question)
        self.drawn.append((len(self.reads), question, answer))
        return answer
