"""The distribution of a term, put together from those of its parts; no dice are walked."""

from __future__ import annotations

from math import lcm

from ..dice.convolution import certain, convolved, crossing, dividing, mixed, power, shifted
from ..dice.distribution import Distribution, OddsTable
from ..dice.effort import OUTCOMES, WORDS, Effort
from ..dice.keep_drop import chosen, highest, kept
from .ast import (
    ROUNDED,
    DiceTerm,
    FaceList,
    Function,
    GroupTerm,
    Labelled,
    Negative,
    NumberTerm,
    Product,
    SheetValue,
    Sum,
    Tally,
    Term,
    division_by_zero,
    sheet_number,
)
from .exploding import one_die
from .keep_exploding import keep_exploding
from .pools import DieKind, checked_count, comparison_count, too_many_dice

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

LONGEST_FRACTION = 20_000
"""Bits of a common denominator beyond which exact division is refused."""


def term_distribution(term: Term, odds_table: OddsTable) -> Distribution:
    """The distribution of the total of a term; NotationError where it has none, TooWide where it takes too long."""
    effort = odds_table.effort or Effort()
    return effort.keep(_DistributionBuilder(odds_table, effort).number(term))


class _DistributionBuilder:
    """Weighs the parts of one expression, within one effort."""

    __slots__ = ("odds_table", "effort")

    def __init__(self, odds_table: OddsTable, effort: Effort):
        self.odds_table = odds_table
        self.effort = effort

    def number(self, term: Term) -> Distribution:
        """The distribution of a term, each division rounded down."""
        match term:
            case NumberTerm():
                return certain(term.value)
            case DiceTerm():
                return self._dice(term)
            case Sum():
                like: dict[tuple[str, Term], int] = {}
                for signed in term.terms:
                    like[signed] = like.get(signed, 0) + 1
                whole = certain(0)
                for (sign, one), times in like.items():
                    part = power(self.number(one), times, self.effort)
                    whole = convolved(whole, part if sign == "+" else shifted(part, 0, -1), self.effort)
                return whole
            case Product():
                return self._product(term)
            case Negative():
                return shifted(self.number(term.term), 0, -1)
            case Labelled():
                return self.number(term.innermost[0])
            case Function():
                return self._function(term)
            case GroupTerm():
                return self._group(term)
            case SheetValue():
                return certain(sheet_number(term))
        raise AssertionError(f"a term that cannot be weighed: {type(term).__name__}")

    def exact(self, term: Term) -> tuple[Distribution, int]:
        """The distribution of a term with nothing rounded, as whole numbers over one denominator."""
        match term:
            case Sum():
                whole, below = certain(0), 1
                for sign, one in term.terms:
                    part, bottom = self.exact(one)
                    common = lcm(below, bottom)
                    whole = shifted(whole, 0, common // below)
                    part = shifted(part, 0, common // bottom * (1 if sign == "+" else -1))
                    whole, below = convolved(whole, part, self.effort), common
                return whole, below
            case Product():
                return self._quotient(term)
            case Negative():
                part, below = self.exact(term.term)
                return shifted(part, 0, -1), below
            case Labelled():
                return self.exact(term.innermost[0])
            case Function(name="abs" | "min" | "max"):
                parts = [self.exact(one) for one in term.terms]
                for part, _ in parts:
                    self.effort.keep(part)
                common = lcm(*(below for _, below in parts))
                odds_table = [shifted(part, 0, common // below) for part, below in parts]
                return self._of_all(term.name, odds_table), common
        return self.number(term), 1

    def _product(self, term: Product) -> Distribution:
        whole = certain(1)
        for sign, one in term.terms:
            part = self.number(one)
            if sign == "*":
                whole = self._paired(whole, part, int.__mul__)
            else:
                _refuse_zero(part, term)
                whole = self._paired(whole, part, int.__floordiv__)
        return whole

    def _quotient(self, term: Product) -> tuple[Distribution, int]:
        whole, below = certain(1), 1
        for sign, one in term.terms:
            part, bottom = self.exact(one)
            if sign == "*":
                whole = self._paired(whole, part, int.__mul__)
                below *= bottom
            else:
                _refuse_zero(part, term)
                common = self._common(part)
                inverse = {divisor: common // divisor * bottom for divisor in part.ways}
                self.effort.fit(len(whole.ways) * len(part.ways), common.bit_length())
                whole = self._paired(whole, part.of(inverse.__getitem__), int.__mul__)
                below *= common
            self._fraction(below)
        return whole, below

    def _common(self, divisors: Distribution) -> int:
        """The least number that all divisors divide."""
        common = 1
        for divisor in divisors.ways:
            self.effort.spend(100 + common.bit_length() / WORDS * (divisor.bit_length() / WORDS + 1))
            common = lcm(common, divisor)
            self._fraction(common)
        return common

    def _fraction(self, below: int) -> None:
        if below.bit_length() > LONGEST_FRACTION:
            self.effort.spend(float("inf"))

    def _paired(
        self, left: Distribution, right: Distribution, change: Callable[[int, int], int]
    ) -> Distribution:
        bits = (left.total * right.total).bit_length()
        pairs = len(left.ways) * len(right.ways)
        self.effort.spend(pairs * (250 + bits / WORDS + crossing(left.total, right.total)))
        ways: dict[int, int] = {}
        for one, one_ways in left:
            for other, other_ways in right:
                both = change(one, other)
                ways[both] = ways.get(both, 0) + one_ways * other_ways
            self.effort.fit(len(ways), bits)
        self.effort.hold(len(ways), bits)
        return Distribution(ways, left.total * right.total, left.truncated or right.truncated)

    def _function(self, term: Function) -> Distribution:
        if term.name in ROUNDED:
            part, below = self.exact(term.terms[0])
            rounded = ROUNDED[term.name]
            self.effort.spend(len(part.ways) * (500 + dividing(below.bit_length())))
            self.effort.hold(len(part.ways), part.total.bit_length())
            return part.of(lambda above: rounded(above, below))
        return self._of_all(term.name, self._parts(term.terms))

    def _parts(self, terms: tuple[Term, ...]) -> list[Distribution]:
        return [self.effort.keep(self.number(one)) for one in terms]

    def _of_all(self, name: str, odds_table: list[Distribution]) -> Distribution:
        return (
            odds_table[0].of(abs) if name == "abs" else highest(odds_table, self.effort, lowest=name == "min")
        )

    def _group(self, group: GroupTerm) -> Distribution:
        tally, count = group.tally, len(group.terms)
        if all(one == group.terms[0] for one in group.terms):
            return self._kept(self.number(group.terms[0]), count, tally)
        odds_table = self._parts(group.terms)
        window, score = tally.window(count), self._scores(odds_table, tally)
        if window == (0, count):
            whole = certain(0)
            for part in odds_table:
                self.effort.hold(len(part.ways), part.total.bit_length())
                whole = convolved(whole, part.of(score), self.effort)
            return whole
        return chosen(odds_table, window, score, self.effort)

    def _kept(self, distribution: Distribution, count: int, tally: Tally) -> Distribution:
        return kept(
            distribution, count, tally.window(count), self._scores([distribution], tally), self.effort
        )

    def _scores(self, odds_table: list[Distribution], tally: Tally) -> Callable[[int], int]:
        """What each number of these distributions adds to the total, worked out once."""
        values = set().union(*(distribution.ways for distribution in odds_table))
        self.effort.spend(len(values) * (300 + 100 * tally.tests))
        return {value: tally.score(value) for value in values}.__getitem__

    def _dice(self, dice: DiceTerm) -> Distribution:
        number, sides = dice.count, dice.sides
        if isinstance(sides, FaceList):
            many = certain(len(sides.values))
        else:
            many = certain(sides.value) if isinstance(sides, NumberTerm) else self.number(sides)
        counts = certain(number.value) if isinstance(number, NumberTerm) else self.number(number)
        if max(counts.ways) > self.effort.dice:
            raise too_many_dice(dice, self.effort.dice)
        if len(counts.ways) == len(many.ways) == 1:
            return self._pool(dice, next(iter(counts.ways)), next(iter(many.ways)))
        self.effort.spend(len(counts.ways) * len(many.ways) * 2_000)
        parts: list[tuple[int, Distribution]] = []
        for count, share in sorted(counts.ways.items()):
            for each, ways in sorted(many.ways.items()):
                part = self._pool(dice, count, each)
                self.effort.spend(len(part.ways) * (400 + 2 * part.total.bit_length() / WORDS))
                parts.append((share * ways, part))
        return mixed(parts, counts.total * many.total, counts.truncated or many.truncated, self.effort)

    def _pool(self, dice: DiceTerm, count: int, sides: int) -> Distribution:
        checked_count(dice, count)
        return self.odds_table.once(
            (_DistributionBuilder, dice, count, sides),
            lambda: self.effort.keep(self._weighed(dice, count, sides)),
        )

    def _weighed(self, dice: DiceTerm, count: int, sides: int) -> Distribution:
        self.effort.spend(150 * comparison_count(dice, sides))
        kind, tally = DieKind(dice, sides), dice.tally
        compound = dice.explode is not None and dice.explode.compound
        self.effort.spend(200 * min(sides, OUTCOMES) * tally.tests)
        if not tally.keeps and not compound:
            return power(one_die(kind, tally.score, self.effort), count, self.effort)
        if compound or not kind.bursts:
            value = one_die(kind, lambda value: value, self.effort)
            return self._kept(value, count, tally)
        return keep_exploding(kind, count, tally, self.effort)


def _refuse_zero(divisors: Distribution, term: Term) -> None:
    if 0 in divisors.ways:
        raise division_by_zero(term)
