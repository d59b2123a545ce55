"""Exploding dice rolled face by face, the end of a chain by its distribution: for walks of every face."""

from __future__ import annotations

from typing import Any

from ..dice.exploding import longest
from ..dice.table import Table, added


class Endless(Table):
    """A table whose chains of dice end as in their distribution: the last two waves stand for all that would follow.

    Everything before them falls face by face; of two last waves a die with (sides - 1) squared faces decides.
    """

    __slots__ = ()

    def exploding(self, count: int, sides: int, grade: Any, *args: Any, zero: Any = 0, note: str = "") -> Any:
        total = zero
        for _ in range(count):
            total = added(total, grade(self._chain(sides), *args))
        return total

    def _chain(self, sides: int) -> int:
        last = longest(sides) - 2
        for wave in range(last):
            face = self.die(sides)
            if face < sides:
                return wave * sides + face
        later, face = divmod(self.die((sides - 1) ** 2) - 1, sides - 1)
        return (last + (later >= sides - 2)) * sides + face + 1
