"""The grammar of dice notation: from a line of text to a tree of terms.

    line     = [number "#"] sum ["# " comment]
    sum      = product {("+" | "-") product}
    product  = signed {("*" | "/") signed}
    signed   = {"+" | "-"} whole {"[" label "]"}
    whole    = number | "(" sum ")" | word "(" sum {"," sum} ")" | "@" name | dice | group
    dice     = [number | "(" sum ")"] "d" (number | "(" sum ")" | "%" | "F" | "C" | "{" faces "}") modifiers
    group    = "{" sum {"," sum} "}" modifiers

Most of it is spelled as on Roll20 and in rpg-dice-roller. Order among modifiers does not matter, except that
a comparison right after `!` belongs to it: dice are re-rolled, then clamped, then explode (on the
face as it fell), then are kept or dropped, then counted.
"""

from __future__ import annotations

from ..dice import LARGEST, Limits
from .ast import (
    COMBAT,
    FUDGE,
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
    Term,
    format_term,
    is_two_fold,
)
from .lexer import DIGITS, Lexer
from .pools import DieKind, added_comparisons, written_sides

FUNCTIONS = ("floor", "ceil", "round", "abs", "min", "max")
PLAIN_AFTER = ("", "+", "-", "*", "/", ")", ",", "[", "#")
"""What may follow dice and is no modifier."""
READ_BY_DIGIT = frozenset({44, 66, 88, 444, 666, 888})
"""Sides that nobody means: `d66` is two dice, read as the digits of a number."""
OF_ONE = ("floor", "ceil", "round", "abs")


class Notation:
    """A line of dice notation as read: an expression, how often it is rolled, and a comment."""

    __slots__ = ("text", "repeat", "expression", "comment", "tested", "is_number")

    def __init__(
        self,
        text: str,
        repeat: int | None,
        expression: Term,
        comment: str,
        tested: int = 0,
        is_number: bool = False,
    ):
        self.text = text
        self.repeat = repeat
        """How many times to roll it; None if the line does not say."""
        self.expression = expression
        self.comment = comment
        self.tested = tested
        """Faces compared to know which explode or are re-rolled."""
        self.is_number = is_number
        """Whether it has neither dice nor sheet values: `2+1`."""

    @property
    def canonical(self) -> str:
        """The one spelling of what was read, without its comment."""
        times = "" if self.repeat is None else f"{self.repeat}#"
        return times + format_term(self.expression)

    def __str__(self) -> str:
        return f"{self.canonical} # {self.comment}" if self.comment else self.canonical

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Notation) and self._meaning() == other._meaning()

    def __hash__(self) -> int:
        return hash(self._meaning())

    def _meaning(self) -> tuple[int | None, Term, str]:
        return self.repeat, self.expression, self.comment


class Reader(Lexer):
    """Reads one line from left to right."""

    __slots__ = ("limits", "depth", "tested", "is_number")

    def __init__(self, text: str, limits: Limits):
        super().__init__(text)
        self.limits = limits
        self.depth = 0
        self.tested = 0
        """Faces compared so far to know which explode or are re-rolled."""
        self.is_number = True
        """Whether neither dice nor a sheet value came so far."""
        if len(text) > limits.length:
            raise self.fault(
                f"longer than {limits.length:,} characters",
                "too_long",
                at=limits.length - 1,
                hint="split it up",
            )

    def line(self) -> Notation:
        """The line as read; NotationError where it cannot be."""
        repeat = self.repeats()
        if self.peek() in ("", "#"):
            raise self.fault("nothing to roll", "empty", hint="write dice, as in 3d6+2")
        expression = self.sum()
        comment = ""
        if self.peek() == "#":
            comment = self.text[self.at + 1 :]
            if comment and not comment[0].isspace():
                hint = "put a space after #, or the number of rolls before: 6#4d6kh3"
                raise self.fault("a comment begins with '# '", "comment", hint=hint)
            comment = comment.strip()
            if self.is_number:
                self.misread("no dice stand before the #", "nothing_before_comment", at=0)
        elif self.peek():
            raise self.unexpected()
        return Notation(self.text, repeat, expression, comment, self.tested, self.is_number)

    def repeats(self) -> int | None:
        """The number in `6#4d6`, where there is one."""
        self.peek()
        end = start = self.at
        while self.text[end : end + 1] in DIGITS:
            end += 1
        after = self.text[end + 1 : end + 2]
        if end == start or self.text[end : end + 1] != "#" or not after or after.isspace():
            return None
        repeat = self.number(LARGEST)
        if not 1 <= repeat <= self.limits.dice:
            most = f"{self.limits.dice:,}"
            raise self.fault(f"rolls 1 to {most} times, not {repeat:,}", "repeat", at=start)
        if repeat * len(self.text) > self.limits.written:
            raise self.fault(
                f"longer than {self.limits.written:,} characters with its repeats",
                "too_long",
                at=start,
                hint="repeat it less often",
            )
        self.at += 1
        return repeat

    def sum(self) -> Term:
        at = self.at
        terms = [("+", self.product())]
        while self.peek() in ("+", "-"):
            place, sign = self.at, self.take()
            if is_two_fold(self.text[:place], sign, self.text[place + 1 :]):
                hint = "put blanks around the sign to calculate"
                self.misread(
                    f"{sign} without blanks could belong to the number before it", "two_fold", place, hint
                )
            terms.append((sign, self.product()))
        return terms[0][1] if len(terms) == 1 else Sum(at, tuple(terms))

    def product(self) -> Term:
        at = self.at
        terms = [("*", self.signed())]
        while self.peek() in ("*", "/"):
            sign, place = self.take(), self.at - 1
            if self.peek() in ("*", "/"):
                raise self.unexpected()
            term = self.signed()
            if sign == "/" and isinstance(term, NumberTerm) and term.value == 0:
                raise self.fault("nothing can be divided by 0", "zero_division", at=place)
            if sign == "/" and _is_dice(term) and _is_dice(terms[-1][1]):
                hint = "put braces around each to divide: {d6}/{d8}"
                self.misread("dice stand beside dice", "dice_by_dice", at=place, hint=hint)
            terms.append((sign, term))
        return terms[0][1] if len(terms) == 1 else Product(at, tuple(terms))

    def signed(self) -> Term:
        negative = False
        self.peek()
        at = self.at
        while self.peek() in ("+", "-"):
            negative ^= self.take() == "-"
        term = self.whole()
        while self.peek() == "[":
            term = Labelled(term.at, term, self.label())
        return Negative(at, term) if negative else term

    def whole(self) -> Term:
        head = self.peek()
        at = self.at
        if head in DIGITS:
            term: Term = NumberTerm(at, self.number(LARGEST))
        elif head == "(":
            term = self.bracketed()
        elif head == "@":
            term = self.sheet_value()
        elif head == "{":
            return self.group()
        elif head in ("d", "D"):
            dice = self.dice(NumberTerm(at, 1), at)
            if isinstance(dice.sides, NumberTerm) and dice.sides.value in READ_BY_DIGIT:
                digits = dice.sides.value
                self.misread(f"d{digits} could be dice read digit by digit", "read_by_digit", at=at)
            return dice
        elif head.isalpha():
            term = self.function()
        else:
            raise self.unexpected()
        if self.peek() in ("d", "D"):
            return self.dice(term, at)
        return term

    def bracketed(self) -> Term:
        """A sum in round brackets."""
        terms = self.listed("(", ")")
        if len(terms) > 1:
            raise self.fault("a comma stands only in {…} and after a word like max", "comma", at=terms[1].at)
        return terms[0]

    def listed(self, opening: str, closing: str) -> tuple[Term, ...]:
        """Sums between brackets, with commas between them."""
        self.peek()
        at = self.at
        self.depth += 1
        if self.depth > self.limits.nesting:
            raise self.fault(f"brackets stand more than {self.limits.nesting} deep", "too_deep")
        self.expect(opening)
        terms = [self.sum()]
        while self.peek() == ",":
            self.take()
            terms.append(self.sum())
        self.close(closing, at)
        self.depth -= 1
        return tuple(terms)

    def function(self) -> Term:
        at = self.at
        word = self.word()
        if word not in FUNCTIONS:
            hint = f"known are {', '.join(FUNCTIONS)}" if self.peek() == "(" else ""
            raise self.fault(f"unknown word {word!r}", "unknown_word", at=at, hint=hint)
        if self.peek() != "(":
            raise self.fault(f"{word} needs brackets", "unexpected", hint=f"as in {word}(7/2)")
        terms = self.listed("(", ")")
        if word in OF_ONE and len(terms) > 1:
            raise self.fault(f"{word} takes one number", "too_many_numbers", at=terms[1].at)
        return Function(at, word, terms)

    def sheet_value(self) -> Term:
        at = self.at
        self.take()
        self.is_number = False
        return SheetValue(at, self.name(at))

    def group(self) -> Term:
        at = self.at
        from .modifiers import ReadModifiers

        terms = self.listed("{", "}")
        modifiers = ReadModifiers(self)
        modifiers.read(dice=False)
        if len(terms) == 1 and modifiers.tally.keeps:
            hint = "put commas between the parts, or keep from the dice themselves: 4d6kh3"
            raise self.fault("a group of one leaves nothing to choose from", "group_of_one", at=at, hint=hint)
        return GroupTerm(at, terms, modifiers.tally)

    def dice(self, count: Term, at: int) -> DiceTerm:
        self.take()
        self.is_number = False
        sides = self.sides()
        if self.peek() in PLAIN_AFTER:
            dice = DiceTerm(at, count, sides)
        else:
            # Loaded only where there is a modifier to read: plain dice are over sooner.
            from .modifiers import ReadModifiers

            modifiers = ReadModifiers(self)
            modifiers.read(dice=True)
            dice = modifiers.onto(at, count, sides)
        many = written_sides(dice)
        if many is not None:
            self.tested = added_comparisons(self.tested, dice, many)
            kind = DieKind(dice, many)
            if not dice.plain:
                from .modifiers import settled_comparison

                if settled := settled_comparison(dice, kind):
                    self.misread(settled, "settled_comparison", at=at)
        return dice

    def sides(self) -> Term | FaceList:
        head = self.peek()
        if head in DIGITS:
            return NumberTerm(self.at, self.number(LARGEST))
        if head == "(":
            return self.bracketed()
        if head == "{":
            return self.faces()
        if head == "%":
            self.take()
            return NumberTerm(self.at - 1, 100)
        if head in ("F", "f", "C", "c"):
            self.take()
            return FUDGE if head in "Ff" else COMBAT
        raise self.fault("a d needs its sides", "no_sides", hint="as in d6, d%, dF, dC or d{0,1,2}")

    def faces(self) -> FaceList:
        at = self.at
        self.take()
        values = [self.signed_number()]
        while self.peek() == ",":
            self.take()
            values.append(self.signed_number())
        self.close("}", at)
        return FaceList(tuple(values))


def _is_dice(term: Term) -> bool:
    """Whether a term is dice, labelled or not."""
    while isinstance(term, Labelled):
        term = term.term
    return isinstance(term, DiceTerm)


class RecordReader(Reader):
    """Reads a line that was rolled before."""

    __slots__ = ()

    def misread(self, message: str, code: str, at: int, hint: str = "") -> None:
        """Let it pass."""
