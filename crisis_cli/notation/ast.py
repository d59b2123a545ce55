"""The syntax tree of an expression; its nodes never change.

Two trees are equal where they mean the same; where their parts stood in the text does not matter.
"""

from __future__ import annotations

from .parts import PLAIN, Explode, Faces, Part, Reroll, Tally


class Term(Part):
    """A node that evaluates to a number; `at` is its position in the text."""

    __slots__ = ("at", "known")
    at: int
    known: object
    """What was worked out when it was first rolled; no part of its meaning."""


class Number(Term):
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


def highest(sides: Term | Faces) -> int | None:
    """The highest value of a die whose sides are written out; None where they are rolled or looked up."""
    if isinstance(sides, Faces):
        return max(sides.values)
    return sides.value if isinstance(sides, Number) else None


class Dice(Term):
    """Dice of one kind, with what happens to them."""

    __slots__ = ("count", "sides", "rerolls", "low", "high", "explode", "tally")
    fields = ("count", "sides", "rerolls", "low", "high", "explode", "tally")

    def __init__(
        self,
        at: int,
        count: Term,
        sides: Term | Faces,
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


class Group(Term):
    """Terms of which some are kept or counted: `{2d20, 1d12}kh1`."""

    __slots__ = ("terms", "tally")
    fields = ("terms", "tally")

    def __init__(self, at: int, terms: tuple[Term, ...], tally: Tally = PLAIN):
        self.at = at
        self.terms = terms
        self.tally = tally
