"""Rolling: an expression asks the table for its dice, and remembers what became of each.

Dice are asked for from left to right; inside a term all dice fall first, then each wave of
re-rolls and explosions. The same code runs on the odds table, which checks the quicker distributions.
"""

from __future__ import annotations

from ..dice.limits import LIMITS, Limits
from ..errors import NotationError
from .arithmetic import ROUNDED, checked_count, division_by_zero, sheet_number
from .ast import Dice, Function, Group, Labelled, Negative, Number, Product, SheetValue, Sum, Term
from .die import DieKind, added_comparisons
from .parser import Notation
from .pools import PoolRoller, pool_of, refuse_endless
from .roll_result import RolledDice, RolledExpression, RolledGroup, Score

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def roll_notation(
    notation: Notation, table: Any, limits: Limits = LIMITS, who: str = ""
) -> tuple[RolledExpression, ...]:
    """The line rolled at a table, as often as it says.

    NotationError beyond a limit, for a sheet value nobody has looked up, and where it divides by 0.
    """
    rolling = _Roller(table, limits, who)
    try:
        if not notation.ends:
            refuse_endless(notation.expression)
            notation.ends = True
        return tuple([rolling.roll(notation.expression) for _ in range(notation.repeat or 1)])
    except NotationError as error:
        error.text = notation.text
        raise


def total(table: Any, expression: Term) -> int:
    """The total of one roll of an expression, for tables that keep no record."""
    return _Roller(table, LIMITS, "").roll(expression).total


class _Roller(PoolRoller):
    """An expression being rolled, term by term."""

    __slots__ = ("groups",)

    def roll(self, expression: Term) -> RolledExpression:
        """One roll."""
        self.throws = []
        self.groups: list[RolledGroup] = []
        return RolledExpression(self.number(expression), self.throws, self.groups)

    def number(self, term: Term) -> int:
        """The value of a term, each division rounded down.

        Terms in terms go straight to NUMBERS: that halves the frames that deep brackets take.
        """
        return NUMBERS[type(term)](self, term)

    def dice_thrown(self, dice: Dice) -> int:
        pool = pool_of(dice)
        count, sides, kind = pool.count, pool.sides, pool.kind
        if not isinstance(count, int):
            count = checked_count(dice, NUMBERS[type(count)](self, count))
        if kind is None:
            many = sides if isinstance(sides, int) else NUMBERS[type(sides)](self, sides)
            self.tested = added_comparisons(self.tested, dice, many)
            kind = DieKind(dice, many)
        return self.thrown(pool, count, kind)

    def sum(self, term: Sum) -> int:
        total = 0
        for sign, one in term.terms:
            number = one.value if type(one) is Number else NUMBERS[type(one)](self, one)
            total += number if sign == "+" else -number
        return total

    def product(self, term: Product) -> int:
        total = 1
        for sign, one in term.terms:
            number = NUMBERS[type(one)](self, one)
            if sign == "*":
                total *= number
            elif number == 0:
                raise division_by_zero(term)
            else:
                total //= number
        return total

    def negative(self, term: Negative) -> int:
        return -NUMBERS[type(term.term)](self, term.term)

    def labelled(self, term: Labelled) -> int:
        outer, self.label = self.label, term.label
        number = NUMBERS[type(term.term)](self, term.term)
        self.label = outer
        return number

    def exact(self, term: Term) -> tuple[int, int]:
        """The value of a term without rounding: numerator and positive denominator."""
        above, below = 0, 1
        match term:
            case Sum():
                for sign, one in term.terms:
                    top, bottom = self.exact(one)
                    above = above * bottom + (top if sign == "+" else -top) * below
                    below *= bottom
            case Product():
                above = 1
                for sign, one in term.terms:
                    top, bottom = self.exact(one)
                    if sign == "/":
                        if top == 0:
                            raise division_by_zero(term)
                        top, bottom = (bottom, top) if top > 0 else (-bottom, -top)
                    above *= top
                    below *= bottom
            case Negative():
                top, below = self.exact(term.term)
                above = -top
            case Labelled():
                outer, self.label = self.label, term.label
                above, below = self.exact(term.term)
                self.label = outer
            case Function(name="abs" | "min" | "max"):
                above, below = self.exact(term.terms[0])
                for one in term.terms[1:]:
                    top, bottom = self.exact(one)
                    if (top * below < above * bottom) == (term.name == "min"):
                        above, below = top, bottom
                above = abs(above) if term.name == "abs" else above
            case _:
                above = NUMBERS[type(term)](self, term)
        return above, below

    def function(self, term: Function) -> int:
        name = term.name
        if name in ROUNDED:
            return ROUNDED[name](*self.exact(term.terms[0]))
        best = NUMBERS[type(term.terms[0])](self, term.terms[0])
        for one in term.terms[1:]:
            number = NUMBERS[type(one)](self, one)
            if (number < best) == (name == "min"):
                best = number
        return abs(best) if name == "abs" else best

    def grouped(self, group: Group) -> int:
        totals: list[int] = []
        parts: list[tuple[list[RolledDice], list[RolledGroup]]] = []
        for one in group.terms:
            throws, groups = len(self.throws), len(self.groups)
            totals.append(NUMBERS[type(one)](self, one))
            parts.append((self.throws[throws:], self.groups[groups:]))
        score = Score(totals, group.tally)
        for kept, part in zip(score.kept, parts, strict=True):
            if not kept:
                for thrown in part[0]:
                    thrown.counts = False
                for inner in part[1]:
                    inner.counts = False
        self.groups.append(RolledGroup(group, self.label, totals, score, [thrown for thrown, _ in parts]))
        return score.total


NUMBERS: dict[type[Term], Callable[[_Roller, Any], int]] = {
    Number: lambda rolling, term: term.value,
    SheetValue: lambda rolling, term: sheet_number(term),
    Dice: _Roller.dice_thrown,
    Sum: _Roller.sum,
    Product: _Roller.product,
    Negative: _Roller.negative,
    Labelled: _Roller.labelled,
    Function: _Roller.function,
    Group: _Roller.grouped,
}
"""The function that evaluates each kind of term."""
