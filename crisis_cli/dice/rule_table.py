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
    """What a rule asks for dice and choices. The rule never knows whether dice are rolled, typed in, or followed for
    odds."""

    def die(self, sides: int) -> int:
        """The face of one die, from 1 to `sides`."""
        ...

    def pool(self, count: int, sides: int) -> tuple[int, ...]:
        """The faces of `count` dice, the lowest first."""
        ...

    def highest(self, count: int, sides: int) -> int:
        """The highest face of `count` dice, of which there is at least one."""
        ...

    def lowest(self, count: int, sides: int) -> int:
        """The lowest face of `count` dice, of which there is at least one."""
        ...

    def deal(self, cards: tuple[str, ...]) -> str:
        """One of the cards, each as likely as the others: give it those that are left (`Scene.left_in`). Players with
        real cards name the one that they drew."""
        ...

    def ask(self, rule: Rule[Answer], *args: Any) -> Answer:
        """The outcome of another rule, `rule(table, *args)`. Odds keep its outcome and forget its dice, which keeps
        them fast."""
        ...

    def times(self, count: int, rule: Rule[Answer], *args: Any, zero: Any = 0) -> Answer:
        """The sum of the outcomes of asking a rule `count` times: numbers, or tuples added field by field. `zero` is
        the sum of none."""
        ...

    def chain(self, count: int, rule: Rule[Answer], state: Answer, *args: Any) -> Answer:
        """The state after asking `rule(table, state, *args)` `count` times, each time with the outcome of the time
        before."""
        ...

    def exploding(
        self, count: int, sides: int, grade: Callable[..., Answer], *args: Any, zero: Any = 0, note: str = ""
    ) -> Answer:
        """Roll dice that explode on their highest face, and add up `grade(value, *args)` of the value of each.

        `zero` is the sum for no dice; `note` is the name under which the record keeps the values.
        """
        ...

    def reveal(self, dice: Graded, lowest: int, score: Callable[[int], int]) -> int:
        """Look at `Graded` dice: the sum of the `lowest` lowest values of `score(value)`."""
        ...

    def choose(self, who: str, alternatives: tuple[Alternative, ...]) -> Alternative:
        """The alternative that the fighter `who` takes, as the command, the player or a doctrine decides. The first
        should be to do nothing. Then ask its rule: `table.ask(taken.rule, *taken.args)`."""
        ...

    def label(self, what: str, who: str = "", dice: str = "", **about: Any) -> None:
        """Name the next dice: what the roll is, whose it is, and its dice in notation. `about` has further facts for
        the record; those that are empty are left out."""
        ...

    def result(self, **numbers: Any) -> None:
        """Record the result of the dice that were labelled last: `total`, `target`, `success` and others. None is left
        out."""
        ...

    def add_to(self, back: int, added: int) -> None:
        """Add a number to the total of an earlier roll, 1 `back` for the last one; the record shows it as `added`."""
        ...

    def replace(self, count: int, rank: Callable[[int], int]) -> None:
        """Record that the next `count` dice replace those of this roll with the highest `rank(face)`; no die is
        replaced twice."""
        ...

    def join(self, count: int, **numbers: Any) -> None:
        """Merge the last `count` labelled rolls into one roll of the record, with a common result."""
        ...

    def part(
        self, number: str, name: str, value: int, rule: str, source: str = "", against: str = ""
    ) -> None:
        """Record a modifier that only the dice decide, of the roll, defence or damage `number`; a value of 0 is left
        out."""
        ...

    def spend(self, who: str, what: str, count: int = 1) -> None:
        """Record that a fighter has spent something by a plan and not by `choose`, which records what it spends;
        `what` is its name on screens."""
        ...

    def plus(self, number: int, name: str, value: int, rule: str) -> int:
        """A number plus a value; if the sum later changes a pool, the record shows the value as a part of the
        change."""
        ...

    def refuse_odds(self, message: str, hint: str) -> None:
        """Declare that exact odds from here on would take too long; does nothing where dice are rolled."""
        ...

    def truncate(self) -> None:
        """Declare that a chain of dice which could go on ends here; odds then say that they are not exact."""
        ...
