"""The syntax tree of an expression: its terms, the parts of terms, and the one spelling of each.

Nothing in a tree ever changes. Two trees are equal where they mean the same; where their parts stood in the text does
not matter. What is spelled here reads back to an equal tree, and is spelled the same again.
"""

from __future__ import annotations

from ..errors import NotationError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import UnionType


_DIGITS = "0123456789"


class ExpressionPart:
    """A piece of an expression; equal to another of its kind with equal fields."""

    __slots__ = ("_hash",)

    fields: tuple[str, ...] = ()
    """The slots that give it its meaning."""

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, ExpressionPart) or hash(self) != hash(other):
            return False
        return self._flat() == other._flat()

    def __hash__(self) -> int:
        try:
            known: int = self._hash
        except AttributeError:
            self._hash: int = hash(tuple(self._flat()))
            known = self._hash
        return known

    def _flat(self) -> list[object]:
        """Its kind and fields as one flat row, worked out without recursion because brackets may nest deeply."""
        flat: list[object] = []
        waiting: list[object] = [self]
        while waiting:
            piece = waiting.pop()
            if isinstance(piece, ExpressionPart):
                flat.append(type(piece))
                waiting.extend([getattr(piece, name) for name in piece.fields])
            elif isinstance(piece, tuple):
                flat.append(len(piece))
                waiting.extend(piece)
            else:
                flat.append(piece)
        return flat


class Compare(ExpressionPart):
    """A test of one number: `>=5`."""

    __slots__ = ("sign", "number")
    fields = ("sign", "number")

    def __init__(self, sign: str, number: int):
        self.sign = sign
        self.number = number

    def holds(self, value: int) -> bool:
        """Whether the value passes."""
        sign, number = self.sign, self.number
        if sign == ">=":
            return value >= number
        if sign == "<=":
            return value <= number
        return value == number if sign == "=" else value > number if sign == ">" else value < number


def any_holds(tests: tuple[Compare, ...], value: int) -> bool:
    """Whether a value passes any of the tests."""
    for test in tests:  # noqa: SIM110 (a generator takes three times as long)
        if test.holds(value):
            return True
    return False


class Explode(ExpressionPart):
    """How dice explode: into a further die, or (`compound`) into the same; `penetrate` takes 1 off each."""

    __slots__ = ("compound", "penetrate", "test", "limit")
    fields = ("compound", "penetrate", "test", "limit")

    def __init__(self, compound: bool, penetrate: bool, test: Compare | None, limit: int | None):
        self.compound = compound
        self.penetrate = penetrate
        self.test = test
        """What sets it off; None for the highest face."""
        self.limit = limit
        """How often one die may go on; None for as often as it comes."""


class Reroll(ExpressionPart):
    """Faces thrown again, until they stop coming or (`once`) one time."""

    __slots__ = ("once", "test")
    fields = ("once", "test")

    def __init__(self, once: bool, test: Compare):
        self.once = once
        self.test = test


class KeepModifier(ExpressionPart):
    """Which of a row stay: `kh`, `kl`, `dh` or `dl`, and how many are kept or dropped."""

    __slots__ = ("how", "number")
    fields = ("how", "number")

    def __init__(self, how: str, number: int):
        self.how = how
        self.number = number


class Tally(ExpressionPart):
    """What is made of a row of numbers: some kept, then added up or counted."""

    __slots__ = ("keeps", "successes", "failures", "criticals", "sort")
    fields = ("keeps", "successes", "failures", "criticals", "sort")

    def __init__(
        self,
        keeps: tuple[KeepModifier, ...] = (),
        successes: tuple[Compare, ...] = (),
        failures: tuple[Compare, ...] = (),
        criticals: tuple[Compare, ...] = (),
        sort: str = "",
    ):
        self.keeps = keeps
        self.successes = successes
        self.failures = failures
        self.criticals = criticals
        self.sort = sort
        """The order in which the dice are shown: `s` ascending, `sd` descending, empty as rolled."""

    @property
    def tests(self) -> int:
        """How many comparisons a number may need to be counted."""
        return len(self.successes) + len(self.failures) + len(self.criticals)

    def window(self, length: int) -> tuple[int, int]:
        """Which of a row sorted upwards are kept: from, and up to but not including."""
        start, stop = 0, length
        for keep in self.keeps:
            dropped = stop - start - keep.number if keep.how[0] == "k" else keep.number
            dropped = min(max(dropped, 0), stop - start)
            if keep.how in ("kh", "dl"):
                start += dropped
            else:
                stop -= dropped
        return start, stop

    def kept(self, values: list[int]) -> list[int]:
        """The numbers of a row that are kept, in any order."""
        if not self.keeps:
            return values
        start, stop = self.window(len(values))
        return sorted(values)[start:stop]

    def total(self, values: list[int]) -> int:
        """The kept numbers of a row, added up or counted."""
        kept = self.kept(values)
        return sum(map(self.score, kept)) if self.successes else sum(kept)

    def score(self, value: int) -> int:
        """What a kept number adds to the total."""
        if not self.successes:
            return value
        score = -1 if any_holds(self.failures, value) else 0
        if any_holds(self.successes, value):
            score += 2 if any_holds(self.criticals, value) else 1
        return score


PLAIN = Tally()


class FaceList(ExpressionPart):
    """The faces of a die that does not show 1 to its number of sides."""

    __slots__ = ("values", "letter")
    fields = ("values", "letter")

    def __init__(self, values: tuple[int, ...], letter: str = ""):
        self.values = values
        self.letter = letter
        """How the die is spelled after the `d`, where it has a letter."""


FUDGE = FaceList((-1, 0, 1), "F")
COMBAT = FaceList((1, 2, 0, 0, 1, 1), "C")
EFFECT = 5
"""A combat die that shows this face or a higher one has an effect."""


class Term(ExpressionPart):
    """A node that evaluates to a number; `at` is its position in the text."""

    __slots__ = ("at", "known")
    at: int
    known: object
    """What was worked out when it was first rolled; no part of its meaning."""


class NumberTerm(Term):
    """A whole number, 0 or more."""

    __slots__ = ("value",)
    fields = ("value",)

    def __init__(self, at: int, value: int):
        self.at = at
        self.value = value


class SheetValue(Term):
    """A value of a sheet, `@might`; `value` is None until it is looked up."""

    __slots__ = ("name", "value")
    fields = ("name", "value")

    def __init__(self, at: int, name: str, value: int | None = None):
        self.at = at
        self.name = name
        self.value = value


class Negative(Term):
    """A term with its sign turned."""

    __slots__ = ("term",)
    fields = ("term",)

    def __init__(self, at: int, term: Term):
        self.at = at
        self.term = term


class Sum(Term):
    """Terms added and taken away: pairs of sign (`+` or `-`) and term, the first always `+`."""

    __slots__ = ("terms",)
    fields = ("terms",)

    def __init__(self, at: int, terms: tuple[tuple[str, Term], ...]):
        self.at = at
        self.terms = terms


class Product(Term):
    """Terms multiplied and divided from left to right: pairs of sign (`*` or `/`) and term, the first `*`."""

    __slots__ = ("terms",)
    fields = ("terms",)

    def __init__(self, at: int, terms: tuple[tuple[str, Term], ...]):
        self.at = at
        self.terms = terms


class Function(Term):
    """`floor`, `ceil`, `round`, `abs` of one term; `min`, `max` of one or more."""

    __slots__ = ("name", "terms")
    fields = ("name", "terms")

    def __init__(self, at: int, name: str, terms: tuple[Term, ...]):
        self.at = at
        self.name = name
        self.terms = terms


ROUNDED: dict[str, Callable[[int, int], int]] = {
    "floor": lambda above, below: above // below,
    "ceil": lambda above, below: -(-above // below),
    "round": lambda above, below: (2 * above + below) // (2 * below),
}
"""How a fraction, its numerator and denominator, is rounded (ALL-1): by the name of the function."""


class Labelled(Term):
    """A term with a word on it, `[fire]`."""

    __slots__ = ("term", "label")
    fields = ("term", "label")

    def __init__(self, at: int, term: Term, label: str):
        self.at = at
        self.term = term
        self.label = label

    @property
    def innermost(self) -> tuple[Term, str]:
        """The term without any words, and the innermost of them, which is the one that its dice have."""
        inner = self
        while isinstance(inner.term, Labelled):
            inner = inner.term
        return inner.term, inner.label


def highest(sides: Term | FaceList) -> int | None:
    """The highest value of a die whose sides are written out; None where they are rolled or looked up."""
    if isinstance(sides, FaceList):
        return max(sides.values)
    return sides.value if isinstance(sides, NumberTerm) else None


class DiceTerm(Term):
    """Dice of one kind, with what happens to them."""

    __slots__ = ("count", "sides", "rerolls", "low", "high", "explode", "tally")
    fields = ("count", "sides", "rerolls", "low", "high", "explode", "tally")

    def __init__(
        self,
        at: int,
        count: Term,
        sides: Term | FaceList,
        rerolls: tuple[Reroll, ...] = (),
        low: int | None = None,
        high: int | None = None,
        explode: Explode | None = None,
        tally: Tally = PLAIN,
    ):
        self.at = at
        self.count = count
        self.sides = sides
        self.rerolls = rerolls
        self.low = low
        """Lower faces count as this."""
        self.high = high
        """Higher faces count as this."""
        self.explode = explode
        self.tally = tally

    @property
    def plain(self) -> bool:
        """Whether the faces just add up."""
        return not (self.rerolls or self.explode) and self.low is self.high is None and self.tally == PLAIN


class GroupTerm(Term):
    """Terms of which some are kept or counted: `{2d20, 1d12}kh1`."""

    __slots__ = ("terms", "tally")
    fields = ("terms", "tally")

    def __init__(self, at: int, terms: tuple[Term, ...], tally: Tally = PLAIN):
        self.at = at
        self.terms = terms
        self.tally = tally


def sheet_number(term: SheetValue) -> int:
    """The number of a sheet value; NotationError where nobody has looked it up."""
    if term.value is None:
        hint = "say whose sheet it is: --as WHO"
        raise NotationError(f"@{term.name} is not known here", term.at, code="unresolved_value", hint=hint)
    return term.value


def division_by_zero(product: Term) -> NotationError:
    """The error for a division by 0."""
    return NotationError(
        "divides by a number that can be 0", product.at, code="zero_division", hint="as in 3d6/max(1, 1d4-1)"
    )


def is_two_fold(before: str, sign: str, after: str) -> bool:
    """Whether a sign between two numbers, without blanks, is a calculation or belongs to the first number.

    It may be a range of faces, `8d6>=5-6` or `1d8/19-20`, or make up the number that is compared, `1d20>=15+2`.
    """
    head, tail = before.rstrip(_DIGITS), after.lstrip(_DIGITS)
    low, high = before[len(head) :], after[: len(after) - len(tail)]
    if not low or not high or tail[:1] in ("d", "D"):
        return False
    low, high = low.lstrip("0"), high.lstrip("0")
    rises = sign == "-" and (len(low), low) < (len(high), high)
    head = head.rstrip()
    tested = head.rstrip("<>=- ")
    test = head[len(tested) :].rstrip("- ")
    if test:
        counts = tested[-1:].lower() not in ("!", "p", "r", "o")
        return counts or (rises and test in ("=", ">="))
    if head[-1:] in ("", "#"):
        return rises and tail.lstrip()[:1] in ("", "#")
    return rises and head[-1].lower() in ("/", "r", "o", "f", "s")


def format_term(term: Term) -> str:
    """The canonical spelling of a term."""
    written: list[str] = []
    # Without recursion: brackets may stand deep.
    waiting: list[str | Term] = [term]
    while waiting:
        piece = waiting.pop()
        if isinstance(piece, str):
            following = waiting[-1] if waiting and isinstance(waiting[-1], str) else ""
            if (
                written
                and written[-1] in ("+", "-")
                and is_two_fold("".join(written[-9:-1]), written[-1], piece + following)
            ):
                written[-1] = f" {written[-1]} "
            written.append(piece)
        else:
            waiting.extend(reversed(_pieces(piece)))
    return "".join(written)


def _pieces(term: Term) -> list[str | Term]:
    match term:
        case NumberTerm():
            return [str(term.value)]
        case DiceTerm():
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
        case GroupTerm():
            return ["{", *_listed(term.terms), "}", _tally(term.tally)]
        case SheetValue():
            return ["@" + (term.name if all(map(is_name_character, term.name)) else f"{{{term.name}}}")]
    raise AssertionError(f"a term that has no spelling: {type(term).__name__}")


def _within(term: Term, bracketed: type[Term] | UnionType) -> list[str | Term]:
    return ["(", term, ")"] if isinstance(term, bracketed) else [term]


def _listed(terms: tuple[Term, ...]) -> list[str | Term]:
    return [piece for term in terms for piece in (", ", term)][1:]


def _dice(dice: DiceTerm) -> list[str | Term]:
    sides = dice.sides
    if isinstance(sides, FaceList):
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
    return [str(term.value)] if isinstance(term, NumberTerm) else ["(", term, ")"]


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


def is_name_character(letter: str) -> bool:
    """Whether a character can stand in a bare name."""
    return letter.isalnum() or letter in ("_", ".")
