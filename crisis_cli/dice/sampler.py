"""The table that draws whole answers from their exact distributions, for thousands of fights."""

from __future__ import annotations

from .unrecorded import Unrecorded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Protocol

    from .distribution import Distribution, OddsTable
    from .graded import Graded
    from .table import Alternative, Grade, Rule

    class Generator(Protocol):
        """What is needed of a random generator."""

        def getrandbits(self, bits: int, /) -> int: ...


class Sampler(Unrecorded):
    """Answers every question with one draw; remembers nothing."""

    __slots__ = ("bits", "odds_table")

    def __init__(self, generator: Generator, odds_table: OddsTable):
        self.bits = generator.getrandbits
        self.odds_table = odds_table

    def _below(self, total: int) -> int:
        size = total.bit_length()
        drawn = self.bits(size)
        while drawn >= total:
            drawn = self.bits(size)
        return drawn

    def _drawn(self, distribution: Distribution) -> Any:
        left = self._below(distribution.total)
        for answer, ways in distribution:
            left -= ways
            if left < 0:
                return answer
        raise AssertionError("a distribution's ways do not add up to its total")

    def refuse_odds(self, message: str, hint: str) -> None:
        """Nothing: one answer after the other is drawn."""

    def truncate(self) -> None:
        """Nothing: the distributions know it."""

    def die(self, sides: int) -> int:
        """One face."""
        return self._below(sides) + 1

    def ask(self, rule: Rule, *args: Any) -> Any:
        """One answer of a sub-rule."""
        return self._drawn(self.odds_table.of(rule, *args))

    def times(self, count: int, rule: Rule, *args: Any, zero: Any = 0) -> Any:
        """One sum of `count` separate asks."""
        return self._drawn(self.odds_table.sum(count, rule, args, zero))

    def chain(self, count: int, rule: Rule, state: Any, *args: Any) -> Any:
        """One state after `count` asks that act on each other."""
        return self._drawn(self.odds_table.chain(count, rule, state, args))

    def exploding(
        self, count: int, sides: int, grade: Grade, *args: Any, zero: Any = 0, note: str = ""
    ) -> Any:
        """One sum of the grades of `count` exploding dice."""
        return self._drawn(self.odds_table.exploding(count, sides, grade, args, zero))

    def reveal(self, dice: Graded, lowest: int, score: Callable[[int], int]) -> Any:
        """One sum of so many of the lowest scores of graded dice."""
        return self._drawn(self.odds_table.revealed(dice, lowest, score))

    def highest(self, count: int, sides: int) -> int:
        """The highest of so many faces."""
        return max(self.die(sides) for _ in range(count))

    def lowest(self, count: int, sides: int) -> int:
        """The lowest of so many faces."""
        return min(self.die(sides) for _ in range(count))

    def pool(self, count: int, sides: int) -> Any:
        """One sorted hand of faces."""
        return tuple(sorted(self.die(sides) for _ in range(count)))

    def choose(self, who: str, options: tuple[Alternative, ...]) -> Alternative:
        """The option that the policy takes."""
        return options[0] if len(options) == 1 else self.odds_table.policy(who, options, self.odds_table)
