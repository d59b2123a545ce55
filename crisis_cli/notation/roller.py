"""Rolling: an expression is compiled once into functions, which ask a table or a generator for dice.

Dice are asked for from left to right; inside a term all dice fall first, then each wave of re-rolls and
explosions. The same functions run on the odds table, which checks the quicker distributions.
"""

from __future__ import annotations

from ..dice import FACES, LIMITS, Limits
from ..errors import NotationError
from .ast import (
    COMBAT,
    ROUNDED,
    DiceTerm,
    ExpressionPart,
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
    division_by_zero,
    sheet_number,
)
from .pools import DicePool, DieKind, GroupPlace, Rolling, added_comparisons, checked_count, too_many_dice

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ..dice.rule_table import RuleTable
    from .grammar import Notation
    from .roll_result import RolledExpression

    Roll = Callable[[Rolling], int]
    """Rolls a term and gives its number."""
    Fraction = Callable[[Rolling], tuple[int, int]]
    """Rolls a term and gives its number without rounding: numerator and positive denominator."""

SCORED = 20
"""Sides of a die at most whose faces are scored before any is rolled."""


class Compiled:
    """An expression made ready for rolling: a function that rolls it, and what it rolls.

    A roll leaves one row for each of `pools` and one list of totals for each of `groups`, in the same order.
    """

    __slots__ = ("roll", "pools", "groups")

    def __init__(self, expression: Term):
        """NotationError where dice may explode or be re-rolled without end."""
        refuse_endless(expression)
        self.pools: list[DicePool] = []
        self.groups: list[GroupPlace] = []
        self.roll = self._number(expression, "")

    @property
    def plain(self) -> bool:
        """Whether a roll is no more than its rows and their total: no groups and no combat dice."""
        return not self.groups and all(pool.dice.sides != COMBAT for pool in self.pools)

    def result(self, rolling: Rolling, total: int) -> RolledExpression:
        """The roll just made, with every die and what became of it."""
        from .roll_result import rolled_expression

        return rolled_expression(self.pools, self.groups, rolling, total)

    def _number(self, term: Term, label: str) -> Roll:
        """The function for a term, each division rounded down."""
        match term:
            case NumberTerm(value=value):
                return lambda rolling: value
            case DiceTerm():
                return self._dice(term, label)
            case Sum():
                return self._sum(term, label)
            case Product():
                return self._product(term, label)
            case Negative():
                positive = self._number(term.term, label)
                return lambda rolling: -positive(rolling)
            case Labelled():
                return self._number(*term.innermost)
            case Function():
                return self._function(term, label)
            case GroupTerm():
                return self._group(term, label)
            case SheetValue():
                return lambda rolling: sheet_number(term)
        raise AssertionError(f"a term that cannot be rolled: {type(term).__name__}")

    def _dice(self, dice: DiceTerm, label: str) -> Roll:
        pool = DicePool(dice, label)
        count, kind = pool.count, pool.kind
        if isinstance(count, int) and kind:
            self.pools.append(pool)
            if kind.as_shown:
                return _exploding(pool, count, kind) if kind.bursts else _plain(pool, count, kind)
            return lambda rolling: rolling.pool(pool, kind, count)
        counted = self._number(dice.count, label)
        sided = self._number(pool.sides, label) if isinstance(pool.sides, Term) else None
        self.pools.append(pool)

        def rolled(rolling: Rolling) -> int:
            many, one = checked_count(dice, counted(rolling)), kind
            if sided:
                sides = sided(rolling)
                rolling.tested = added_comparisons(rolling.tested, dice, sides)
                one = DieKind(dice, sides)
            assert one
            return rolling.pool(pool, one, many)

        return rolled

    def _sum(self, term: Sum, label: str) -> Roll:
        number = 0
        rolled: list[tuple[str, Roll]] = []
        for sign, one in term.terms:
            if isinstance(one, NumberTerm):
                number += one.value if sign == "+" else -one.value
            else:
                rolled.append((sign, self._number(one, label)))
        if len(rolled) == 1 and rolled[0][0] == "+":
            only = rolled[0][1]
            return lambda rolling: only(rolling) + number

        def added(rolling: Rolling) -> int:
            total = number
            for sign, roll in rolled:
                total += roll(rolling) if sign == "+" else -roll(rolling)
            return total

        return added

    def _product(self, term: Product, label: str) -> Roll:
        factors: list[tuple[str, Roll]] = []
        for sign, one in term.terms:
            factors.append((sign, self._number(one, label)))

        def multiplied(rolling: Rolling) -> int:
            total = 1
            for sign, roll in factors:
                number = roll(rolling)
                if sign == "*":
                    total *= number
                elif number == 0:
                    raise division_by_zero(term)
                else:
                    total //= number
            return total

        return multiplied

    def _function(self, term: Function, label: str) -> Roll:
        if term.name in ROUNDED:
            rounded, exact = ROUNDED[term.name], self._exact(term.terms[0], label)
            return lambda rolling: rounded(*exact(rolling))
        parts = [self._number(one, label) for one in term.terms]
        if term.name == "abs":
            return lambda rolling: abs(parts[0](rolling))
        best = min if term.name == "min" else max
        return lambda rolling: best([part(rolling) for part in parts])

    def _group(self, group: GroupTerm, label: str) -> Roll:
        parts: list[Roll] = []
        rows: list[tuple[int, int]] = []
        groups: list[tuple[int, int]] = []
        for one in group.terms:
            row, place = len(self.pools), len(self.groups)
            parts.append(self._number(one, label))
            rows.append((row, len(self.pools)))
            groups.append((place, len(self.groups)))
        self.groups.append(GroupPlace(group, label, rows, groups))
        tally = group.tally

        def grouped(rolling: Rolling) -> int:
            totals = [part(rolling) for part in parts]
            rolling.totals.append(totals)
            return tally.total(totals)

        return grouped

    def _exact(self, term: Term, label: str) -> Fraction:
        """The function for a term without rounding."""
        match term:
            case Sum():
                terms = [(sign, self._exact(one, label)) for sign, one in term.terms]

                def added(rolling: Rolling) -> tuple[int, int]:
                    above, below = 0, 1
                    for sign, exact in terms:
                        top, bottom = exact(rolling)
                        above = above * bottom + (top if sign == "+" else -top) * below
                        below *= bottom
                    return above, below

                return added
            case Product():
                factors = [(sign, self._exact(one, label)) for sign, one in term.terms]

                def multiplied(rolling: Rolling) -> tuple[int, int]:
                    above = below = 1
                    for sign, exact in factors:
                        top, bottom = exact(rolling)
                        if sign == "/":
                            if top == 0:
                                raise division_by_zero(term)
                            top, bottom = (bottom, top) if top > 0 else (-bottom, -top)
                        above *= top
                        below *= bottom
                    return above, below

                return multiplied
            case Negative():
                positive = self._exact(term.term, label)

                def negative(rolling: Rolling) -> tuple[int, int]:
                    above, below = positive(rolling)
                    return -above, below

                return negative
            case Labelled():
                return self._exact(*term.innermost)
            case Function(name="abs" | "min" | "max" as name):
                parts = [self._exact(one, label) for one in term.terms]

                def best(rolling: Rolling) -> tuple[int, int]:
                    above, below = parts[0](rolling)
                    for exact in parts[1:]:
                        top, bottom = exact(rolling)
                        if (top * below < above * bottom) == (name == "min"):
                            above, below = top, bottom
                    return abs(above) if name == "abs" else above, below

                return best
        whole = self._number(term, label)
        return lambda rolling: (whole(rolling), 1)


def refuse_endless(expression: Term) -> None:
    """NotationError where dice whose sides are rolled may explode or be re-rolled without end."""
    waiting: list[object] = [expression]
    effort, compared = None, 0
    while waiting:
        piece = waiting.pop()
        if isinstance(piece, tuple):
            waiting.extend(piece)
        elif isinstance(piece, ExpressionPart):
            waiting.extend([getattr(piece, name) for name in piece.fields])
        if not isinstance(piece, DiceTerm) or not (piece.explode or piece.rerolls):
            continue
        if isinstance(piece.sides, FaceList | NumberTerm):
            continue
        # Loaded only for dice whose sides are rolled: a plain roll is over before that.
        from ..dice.distribution import OddsTable
        from ..dice.effort import BUDGET, Effort
        from ..errors import TooWide
        from .term_distribution import term_distribution

        effort = effort or Effort(BUDGET / 4)
        try:
            possible = term_distribution(piece.sides, OddsTable(effort=effort)).ways
        except TooWide:
            continue
        for sides in possible:
            if 0 < sides <= FACES:
                compared = added_comparisons(compared, piece, sides)
                DieKind(piece, sides)


def _plain(pool: DicePool, count: int, kind: DieKind) -> Roll:
    """The function for dice that stay as they fall: what `Rolling.pool` does, with all that is known worked out."""
    dice, tally, sides, each = pool.dice, pool.dice.tally, kind.sides, range(count)
    start, stop = tally.window(count)
    keeps = bool(tally.keeps)
    score: Callable[[int], int] | None = tally.score if tally.successes else None
    if score and sides <= SCORED:
        score = dict(zip(kind.values, map(score, kind.values), strict=True)).__getitem__
    room = count or 1

    def rolled(rolling: Rolling) -> int:
        random = rolling.random
        if not random:
            return rolling.pool(pool, kind, count)
        rolling.dice += room
        if rolling.dice > rolling.most:
            raise too_many_dice(dice, rolling.most)
        faces = [int(random() * sides) + 1 for _ in each]
        rolling.rows.append((kind, faces, None, None))
        kept = sorted(faces)[start:stop] if keeps else faces
        return sum(map(score, kept)) if score else sum(kept)

    return rolled


def _exploding(pool: DicePool, count: int, kind: DieKind) -> Roll:
    """The same for dice that explode and are worth what they show."""
    dice, tally, sides, bursts, each = pool.dice, pool.dice.tally, kind.sides, kind.bursts, range(count)
    adds_up = not (tally.keeps or tally.successes)
    room = count or 1

    def rolled(rolling: Rolling) -> int:
        random = rolling.random
        if not random:
            return rolling.pool(pool, kind, count)
        rolling.dice += room
        if rolling.dice > rolling.most:
            raise too_many_dice(dice, rolling.most)
        faces = [int(random() * sides) + 1 for _ in each]
        if bursts.isdisjoint(faces):
            rolling.rows.append((kind, faces, None, None))
        else:
            waves = rolling.waves(dice, kind, faces)
            faces = [face for wave in waves for face in wave]
            rolling.rows.append((kind, faces, waves, None))
        return sum(faces) if adds_up else tally.total(faces)

    return rolled


def compiled(expression: Term) -> Compiled:
    """The expression made ready for rolling, the first time it is asked for."""
    known = getattr(expression, "known", None)
    if not isinstance(known, Compiled):
        expression.known = known = Compiled(expression)
    return known


def rolls(notation: Notation, rolling: Rolling) -> Iterator[int]:
    """Roll a line as often as it says and give each total; `rolling` has its dice until the next one.

    NotationError beyond a limit, for a sheet value nobody has looked up, and where it divides by 0.
    """
    try:
        roll = compiled(notation.expression).roll
        rolling.begin()
        for _ in range(notation.repeat or 1):
            rolling.rows, rolling.totals = [], []
            yield roll(rolling)
    except NotationError as error:
        error.text = notation.text
        raise


def roll_notation(
    notation: Notation, table: RuleTable, limits: Limits = LIMITS, who: str = ""
) -> tuple[RolledExpression, ...]:
    """The line rolled at a table, as often as it says; NotationError as in `rolls`."""
    rolling = Rolling(table, limits=limits, who=who)
    return tuple([compiled(notation.expression).result(rolling, one) for one in rolls(notation, rolling)])


def total(table: RuleTable, expression: Term) -> int:
    """The total of one roll of an expression at a table: a rule."""
    return compiled(expression).roll(Rolling(table))
