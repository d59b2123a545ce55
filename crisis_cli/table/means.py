"""The expected total of an expression, exactly, also where its law had to be broken off.

A die that goes on forever has a closed form: with chance p to go on, it is worth its first face and
p / (1 - p) later ones. Sums and products of parts that have nothing to do with each other have the
sums and products of the means; everything else is read off the law.
"""

from __future__ import annotations

from math import gcd

from ..errors import NotationError
from .chains import one_die
from .kinds import Kind
from .laws import total
from .notation import Notation
from .odds import Law, Laws
from .parts import Faces
from .rolls import counted
from .sums import Effort, certain
from .terms import Dice, Group, Labelled, Negative, Product, Sum, Term

TYPE_CHECKING = False
if TYPE_CHECKING:
    Ratio = tuple[int, int]


def mean(notation: Notation, laws: Laws | None = None) -> Ratio:
    """The expected total of one roll as a number over another, in lowest terms.

    NotationError where there is none; TooWide where it takes a law that takes too long.
    """
    try:
        return _mean(notation.expression, laws or Laws())
    except NotationError as error:
        error.text = notation.text
        raise


def _mean(term: Term, laws: Laws) -> Ratio:
    above, below = 0, 1
    match term:
        case Negative():
            above, below = _mean(term.term, laws)
            return -above, below
        case Labelled():
            return _mean(term.term, laws)
        case Sum():
            for sign, one in term.terms:
                top, bottom = _mean(one, laws)
                above, below = _lowest(
                    above * bottom + (top if sign == "+" else -top) * below, below * bottom
                )
            return above, below
        case Product() if all(sign == "*" for sign, _ in term.terms):
            above = 1
            for _, one in term.terms:
                top, bottom = _mean(one, laws)
                above, below = _lowest(above * top, below * bottom)
            return above, below
        case Group() if not (term.tally.keeps or term.tally.successes):
            return _mean(Sum(term.at, tuple(("+", one) for one in term.terms)), laws)
        case Dice() if not term.tally.keeps and not _counts_compounds(term):
            return _of_dice(term, laws)
    return of_law(laws.of(total, term))


def of_law(law: Law) -> Ratio:
    """The expected value of a law as a number over another, in lowest terms."""
    return _lowest(sum(outcome * ways for outcome, ways in law), law.total)


def _counts_compounds(dice: Dice) -> bool:
    return bool(dice.tally.successes) and dice.explode is not None and dice.explode.compound


def _of_dice(dice: Dice, laws: Laws) -> Ratio:
    for count in laws.of(total, dice.count).ways:
        counted(dice, count)
    many, whole = _mean(dice.count, laws)
    sides = dice.sides
    each = certain(len(sides.values)) if isinstance(sides, Faces) else laws.of(total, sides)
    above, below = 0, 1
    for side, ways in each:
        top, bottom = _of_one(Kind(dice, side), dice)
        above, below = _lowest(above * bottom + top * ways * below, below * bottom)
    return _lowest(many * above, whole * below * each.total)


def _of_one(kind: Kind, dice: Dice) -> Ratio:
    """The expected scores of one die and of all it sets off."""
    if dice.plain and not isinstance(dice.sides, Faces):
        return _lowest(kind.sides + 1, 2)
    if not kind.cut:
        return of_law(one_die(kind, dice.tally.score, Effort()))
    weights = kind.weights()
    first, later = (
        sum(weight * dice.tally.score(kind.worth(value, born)) for value, weight in weights.items())
        for born in (False, True)
    )
    on, whole = kind.going_on()
    return _lowest(first * (whole - on) + later * on, whole * (whole - on))


def _lowest(above: int, below: int) -> Ratio:
    common = gcd(above, below)
    return above // common, below // common
