"""The expected total of an expression, exactly, also where its distribution had to be broken off.

A die that goes on forever has a closed form: with chance p to go on, it is worth its first face and
p / (1 - p) later ones. Sums and products of parts that have nothing to do with each other have the
sums and products of the means; everything else is read off the distribution.
"""

from __future__ import annotations

from math import gcd

from ..dice.convolution import certain, dividing
from ..dice.distribution import Distribution, OddsTable
from ..dice.effort import WORDS, Effort
from ..errors import NotationError
from .ast import DiceTerm, FaceList, GroupTerm, Labelled, Negative, Product, Sum, Term
from .distribution import total
from .exploding import one_die
from .grammar import Notation
from .pools import DieKind, checked_count, comparison_count, too_many_dice

TYPE_CHECKING = False
if TYPE_CHECKING:
    Ratio = tuple[int, int]


def mean(notation: Notation, odds_table: OddsTable | None = None) -> Ratio:
    """The expected total of one roll as a number over another, in lowest terms.

    NotationError where there is none; TooWide where it takes a distribution that takes too long.
    """
    odds_table = odds_table or OddsTable(effort=Effort())
    try:
        return _MeanBuilder(odds_table, odds_table.effort or Effort()).mean(notation.expression)
    except NotationError as error:
        error.text = notation.text
        raise


class _MeanBuilder:
    """Works out the means of the parts of one expression, within one effort."""

    __slots__ = ("odds_table", "effort")

    def __init__(self, odds_table: OddsTable, effort: Effort):
        self.odds_table = odds_table
        self.effort = effort

    def mean(self, term: Term) -> Ratio:
        """The expected value of a term."""
        above, below = 0, 1
        match term:
            case Negative():
                above, below = self.mean(term.term)
                return -above, below
            case Labelled():
                return self.mean(term.innermost[0])
            case Sum():
                for sign, one in term.terms:
                    top, bottom = self.mean(one)
                    above, below = self._lowest(
                        above * bottom + (top if sign == "+" else -top) * below, below * bottom
                    )
                return above, below
            case Product() if all(sign == "*" for sign, _ in term.terms):
                above = 1
                for _, one in term.terms:
                    top, bottom = self.mean(one)
                    above, below = self._lowest(above * top, below * bottom)
                return above, below
            case GroupTerm() if not (term.tally.keeps or term.tally.successes):
                return self.mean(Sum(term.at, tuple(("+", one) for one in term.terms)))
            case DiceTerm() if not term.tally.keeps and not _counts_compounds(term):
                return self._of_dice(term)
        return self._of_distribution(self.odds_table.of(total, term))

    def _of_distribution(self, distribution: Distribution) -> Ratio:
        self.effort.spend(len(distribution.ways) * (100 + distribution.total.bit_length() / WORDS))
        return self._lowest(sum(outcome * ways for outcome, ways in distribution), distribution.total)

    def _of_dice(self, dice: DiceTerm) -> Ratio:
        for count in self.odds_table.of(total, dice.count).ways:
            if checked_count(dice, count) > self.effort.dice:
                raise too_many_dice(dice, self.effort.dice)
        many, whole = self.mean(dice.count)
        sides = dice.sides
        each = certain(len(sides.values)) if isinstance(sides, FaceList) else self.odds_table.of(total, sides)
        above, below = 0, 1
        for side, ways in each:
            self.effort.spend(5_000 + 150 * comparison_count(dice, side))
            top, bottom = self._of_one(DieKind(dice, side), dice)
            above, below = self._lowest(above * bottom + top * ways * below, below * bottom)
        return self._lowest(many * above, whole * below * each.total)

    def _of_one(self, kind: DieKind, dice: DiceTerm) -> Ratio:
        """The expected scores of one die and of all it sets off."""
        if dice.plain and not isinstance(dice.sides, FaceList):
            return self._lowest(kind.sides + 1, 2)
        if not kind.cut:
            return self._of_distribution(one_die(kind, dice.tally.score, self.effort))
        self.effort.spend(kind.sides * (1_500 + 200 * dice.tally.tests))
        weights = kind.weights()
        first, later = (
            sum(weight * dice.tally.score(kind.worth(value, born)) for value, weight in weights.items())
            for born in (False, True)
        )
        on, whole = kind.going_on()
        return self._lowest(first * (whole - on) + later * on, whole * (whole - on))

    def _lowest(self, above: int, below: int) -> Ratio:
        self.effort.spend(500 + dividing(min(above.bit_length(), below.bit_length())))
        common = gcd(above, below)
        return above // common, below // common


def _counts_compounds(dice: DiceTerm) -> bool:
    return bool(dice.tally.successes) and dice.explode is not None and dice.explode.compound
