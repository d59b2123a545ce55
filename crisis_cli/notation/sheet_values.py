"""Sheet values put into an expression, such as `@might`."""

from __future__ import annotations

from ..errors import NotationError
from .ast import DiceTerm, FaceList, Function, GroupTerm, Labelled, Negative, Product, SheetValue, Sum, Term
from .grammar import Notation

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


def with_sheet_values(notation: Notation, look: Callable[[str], int | None]) -> Notation:
    """The line with its sheet values looked up; NotationError for one that `look` does not know."""
    try:
        expression = _filled(notation.expression, look)
    except NotationError as error:
        error.text = notation.text
        raise
    return Notation(
        notation.text, notation.repeat, expression, notation.comment, notation.tested, notation.is_number
    )


def _filled(term: Term, look: Callable[[str], int | None]) -> Term:
    match term:
        case SheetValue():
            value = look(term.name)
            if value is None:
                hint = "the sheet has no such value"
                raise NotationError(f"unknown value @{term.name}", term.at, code="unknown_value", hint=hint)
            return SheetValue(term.at, term.name, value)
        case Negative():
            return Negative(term.at, _filled(term.term, look))
        case Labelled():
            # Only the innermost word is that of the dice, but each is spelled; there may be hundreds.
            words = [term]
            while isinstance(words[-1].term, Labelled):
                words.append(words[-1].term)
            filled = _filled(words[-1].term, look)
            for word in reversed(words):
                filled = Labelled(word.at, filled, word.label)
            return filled
        case Sum():
            return Sum(term.at, tuple((sign, _filled(one, look)) for sign, one in term.terms))
        case Product():
            return Product(term.at, tuple((sign, _filled(one, look)) for sign, one in term.terms))
        case Function():
            return Function(term.at, term.name, tuple(_filled(one, look) for one in term.terms))
        case GroupTerm():
            return GroupTerm(term.at, tuple(_filled(one, look) for one in term.terms), term.tally)
        case DiceTerm():
            sides = term.sides if isinstance(term.sides, FaceList) else _filled(term.sides, look)
            return DiceTerm(
                term.at,
                _filled(term.count, look),
                sides,
                term.rerolls,
                term.low,
                term.high,
                term.explode,
                term.tally,
            )
    return term
