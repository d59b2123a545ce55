"""Whole numbers that remember the parts they were added up from."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    Item = tuple[str, int, str]
    """One part: its name, its value and its rule."""


class Itemized(int):
    """A whole number and the parts that were added to what the dice came to; equal to the plain number."""

    parts: tuple[Item, ...] = ()

    def plus(self, name: str, value: int, rule: str) -> Itemized:
        """This number with one more part."""
        return _itemized(int(self) + value, (*self.parts, (name, value, rule)))

    def __add__(self, other: int) -> Itemized:
        """The sum, with the parts of both; those of one name and rule are one."""
        sums: dict[tuple[str, str], int] = {}
        for name, value, rule in (*self.parts, *items_of(other)):
            sums[name, rule] = sums.get((name, rule), 0) + value
        return _itemized(int(self) + int(other), tuple((name, sums[name, rule], rule) for name, rule in sums))

    __radd__ = __add__

    def __neg__(self) -> Itemized:
        """The number and its parts with the other sign."""
        return _itemized(-int(self), tuple((name, -value, rule) for name, value, rule in self.parts))


def _itemized(whole: int, parts: tuple[Item, ...]) -> Itemized:
    number = Itemized(whole)
    number.parts = parts
    return number


def items_of(number: int) -> tuple[Item, ...]:
    """What was added to what the dice came to; nothing for a plain number."""
    return number.parts if isinstance(number, Itemized) else ()
