"""What a rule may ask: the one thing that every table, rolled or weighed, answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

if TYPE_CHECKING:
    from .graded import Graded
    from .table import Alternative

Answer = TypeVar("Answer")
Rule = Callable[..., Answer]
"""Asks the table (its first argument) for chance and choice, and gives an outcome."""


class RuleTable(Protocol):
    """The table that a rule asks for chance and choice; the rule never knows who answers."""

    def die(self, sides: int) -> int:
        """One face, 1 to `sides`."""
        ...

    def pool(self, count: int, sides: int) -> tuple[int, ...]:
        """`count` faces, sorted upwards."""
        ...

    def highest(self, count: int, sides: int) -> int:
        """The highest of `count` faces, 1 or more."""
        ...

    def lowest(self, count: int, sides: int) -> int:
        """The lowest of `count` faces, 1 or more."""
        ...

    def ask(self, rule: Rule[Answer], *args: Any) -> Answer:
        """The answer of a sub-rule whose details no longer matter."""
        ...

    def times(self, count: int, rule: Rule[Answer], *args: Any, zero: Any = 0) -> Answer:
        """The sum of `count` separate asks: numbers, or tuples by component; `zero` for none."""
        ...

    def chain(self, count: int, rule: Rule[Answer], state: Answer, *args: Any) -> Answer:
        """The state after `count` asks, each of which is given the state that the one before left."""
        ...

    def exploding(
        self, count: int, sides: int, grade: Callable[..., Answer], *args: Any, zero: Any = 0, note: str = ""
    ) -> Answer:
        """`count` dice that explode on their highest face: the sum of the grades `grade(value, *args)` of their values.

        `zero` for none; `note` is the name under which the record keeps the values.
        """
        ...

    def reveal(self, dice: Graded, lowest: int, score: Callable[[int], int]) -> int:
        """Reveal graded dice: the sum of their `lowest` lowest scores."""
        ...

    def choose(self, who: str, alternatives: tuple[Alternative, ...]) -> Alternative:
        """The alternative that `who` takes; the rule then asks for its answer."""
        ...

    def label(self, what: str, who: str = "", dice: str = "", **about: Any) -> None:
        """Name the next dice: what the roll is, whose, and how it is spelled; what is empty in `about` is left out."""
        ...

    def result(self, **numbers: Any) -> None:
        """Record the result of the dice just labelled: total, target, success; a number that is None is left out."""
        ...

    def add_to(self, back: int, added: int) -> None:
        """Add a number to the total of an earlier roll, the last being 1 `back`, and note it as `added`."""
        ...

    def replace(self, count: int, rank: Callable[[int], int]) -> None:
        """Note that the next `count` dice replace those of this roll that rank highest, none for the second time."""
        ...

    def join(self, count: int, **numbers: Any) -> None:
        """Merge the last `count` labelled rolls into one, and record their common result."""
        ...

    def part(
        self, number: str, name: str, value: int, rule: str, source: str = "", against: str = ""
    ) -> None:
        """Note what the dice add to a number of the record; nothing where that is 0."""
        ...

    def spend(self, who: str, what: str, count: int = 1) -> None:
        """Note that a fighter has spent something by a plan, named as in an `Alternative`; what is chosen is noted."""
        ...

    def plus(self, number: int, name: str, value: int, rule: str) -> int:
        """The number plus a value; the record knows the value as a part of what a pool changes by in the end."""
        ...

    def refuse_odds(self, message: str, hint: str) -> None:
        """Say that exact odds of this would take too long: TooWide where they are asked for, else nothing."""
        ...

    def truncate(self) -> None:
        """Say that a chain of dice is broken off here though it could go on."""
        ...
