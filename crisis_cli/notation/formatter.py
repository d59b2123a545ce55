"""The canonical spelling of an expression: one for everything that means the same.

What is printed here reads back to an equal tree, and prints the same again.
"""

from __future__ import annotations

from .ast import Dice, Function, Group, Labelled, Negative, Number, Product, SheetValue, Sum, Term, highest
from .lexer import is_name_character
from .parts import Compare, Explode, Faces, Tally

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import UnionType


def format_term(term: Term) -> str:
    """The canonical spelling of a term."""
    written: list[str] = []
    # Without recursion: brackets may stand deep.
    waiting: list[str | Term] = [term]
    while waiting:
        piece = waiting.pop()
        if isinstance(piece, str):
            written.append(piece)
        else:
            waiting.extend(reversed(_pieces(piece)))
    return "".join(written)


def _pieces(term: Term) -> list[str | Term]:
    match term:
        case Number():
            return [str(term.value)]
        case Dice():
            return _dice(term)
        case Sum():
            return [piece for sign, one in term.terms for piece in (sign, *_within(one, Sum))][1:]
        case Product():
            return [piece for sign, one in term.terms for piece in (sign, *_within(one, Sum | Product))][1:]
        case Negative():
            return ["-", *_within(term.term, Sum | Product | Negative)]
        case Labelled():
            return [*_within(term.term, Sum | Product | Negative), f"[{term.label}]"]
        case Function():
            return [term.name, "(", *_listed(term.terms), ")"]
        case Group():
            return ["{", *_listed(term.terms), "}", _tally(term.tally)]
        case SheetValue():
            return ["@" + (term.name if all(map(is_name_character, term.name)) else f"{{{term.name}}}")]
    raise AssertionError(f"a term that has no spelling: {type(term).__name__}")


def _within(term: Term, bracketed: type[Term] | UnionType) -> list[str | Term]:
    return ["(", term, ")"] if isinstance(term, bracketed) else [term]


def _listed(terms: tuple[Term, ...]) -> list[str | Term]:
    return [piece for term in terms for piece in (", ", term)][1:]


def _dice(dice: Dice) -> list[str | Term]:
    sides = dice.sides
    if isinstance(sides, Faces):
        kind: list[str | Term] = [sides.letter or "{" + ",".join(map(str, sides.values)) + "}"]
    else:
        kind = _number(sides)
    explode = _explode(dice.explode)
    tally = _tally(dice.tally)
    if explode[-1:] in ("!", "p") and tally[:1] in ("<", ">", "="):
        # A comparison right after `!` would belong to it.
        top = highest(sides)
        explode, tally = (tally, explode) if top is None else (f"{explode}={top}", tally)
    return [
        *_number(dice.count),
        "d",
        *kind,
        *("r" + ("o" if reroll.once else "") + _test(reroll.test) for reroll in dice.rerolls),
        "" if dice.low is None else f"min{dice.low}",
        "" if dice.high is None else f"max{dice.high}",
        explode,
        tally,
    ]


def _number(term: Term) -> list[str | Term]:
    return [str(term.value)] if isinstance(term, Number) else ["(", term, ")"]


def _explode(explode: Explode | None) -> str:
    if explode is None:
        return ""
    how = "!" + ("!" if explode.compound else "") + ("p" if explode.penetrate else "")
    limit = "" if explode.limit is None else f"{{{explode.limit}}}"
    return how + _test(explode.test) + limit


def _tally(tally: Tally) -> str:
    return "".join(
        (
            *(f"{keep.how}{keep.number}" for keep in tally.keeps),
            *map(_test, tally.successes),
            *("f" + _test(test) for test in tally.failures),
            *("cs" + _test(test) for test in tally.criticals),
            tally.sort,
        )
    )


def _test(test: Compare | None) -> str:
    return "" if test is None else f"{test.sign}{test.number}"
