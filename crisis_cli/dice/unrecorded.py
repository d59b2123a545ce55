"""What a table leaves out that keeps no record: names, parts of numbers, and what was spent."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class Unrecorded:
    """A table that keeps no record of its rolls, for odds and for many fights."""

    __slots__ = ()

    def label(self, what: str, who: str = "", dice: str = "", **about: Any) -> None:
        """Nothing: odds need no names."""

    def result(self, **numbers: Any) -> None:
        """Nothing: odds remember outcomes only."""

    def die(self, sides: int) -> int:
        """The face of one die."""
        raise NotImplementedError

    def deal(self, cards: tuple[str, ...]) -> str:
        """One of the cards, each as likely as the others."""
        return cards[self.die(len(cards)) - 1]

    def note(self, name: str, values: list[int]) -> None:
        """Nothing: odds remember outcomes only."""

    def add_to(self, back: int, added: int) -> None:
        """Nothing: odds remember outcomes only."""

    def join(self, count: int, **numbers: Any) -> None:
        """Nothing: there is no record of rolls."""

    def replace(self, count: int, rank: Callable[[int], int]) -> None:
        """Nothing: odds remember outcomes only."""

    def part(self, *part: Any, **about: Any) -> None:
        """Nothing: nobody explains these numbers."""

    def spend(self, who: str, what: str, count: int = 1) -> None:
        """Nothing: nobody is shown what is left."""

    def plus(self, number: int, name: str, value: int, rule: str) -> int:
        """The sum alone: nobody explains it."""
        return number + value
