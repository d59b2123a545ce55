"""Dice expressions rolled, and their odds, for `roll`, `odds` and the fast path.

It imports only what it needs, so that `crisis roll 3d6` starts fast.
"""

from __future__ import annotations

from .dice import LIMITS, Limits
from .errors import NotationError
from .notation.parser import parse
from .notation.pools import Rolling
from .notation.roller import compiled
from .render.rolls import teller

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from .dice.table import DiceSource, Table
    from .notation.grammar import Notation
    from .notation.roller import Compiled, Roll
    from .render.rolls import Tell
    from .render.style import Ink

    Random = Callable[[], float]
    """Gives a random number, 0 or more and less than 1."""

CACHE_SIZE = 200_000
"""Total cost of the parsed expressions kept in a Roller's cache: characters, and faces compared."""


class ReadExpression:
    """An expression that was read: once it is rolled, also how it is rolled and how a roll of it is written."""

    __slots__ = ("notation", "repeat", "roll", "tell")

    roll: Roll
    tell: Tell

    def __init__(self, notation: Notation):
        self.notation = notation
        self.repeat = notation.repeat


class Roller:
    """Rolls expressions one after another with the same dice, or the same random numbers; each result is a line."""

    __slots__ = (
        "as_json",
        "cache",
        "cache_room",
        "dice",
        "explain",
        "ink",
        "limits",
        "quiet",
        "rolled",
        "rolling",
        "seed",
        "table",
        "values",
    )

    def __init__(
        self,
        dice: DiceSource | Random,
        seed: int | None,
        limits: Limits,
        ink: Ink,
        *,
        as_json: bool = False,
        explain: bool = False,
        quiet: bool = False,
        values: Callable[[Notation], Notation] | None = None,
    ):
        self.seed = seed
        self.limits = limits
        self.ink = ink
        self.as_json = as_json
        self.explain = explain
        self.quiet = quiet
        self.values = values
        """Replaces @names in a parsed expression with values of a sheet."""
        self.cache: dict[str, ReadExpression] = {}
        self.rolled: dict[str, ReadExpression] = {}
        """Those of the cache that were rolled before."""
        self.cache_room = CACHE_SIZE
        self.take(dice)

    def take(self, dice: DiceSource | Random) -> None:
        """Take these dice, or random numbers, from now on."""
        self.dice = dice
        self.table: Table | None
        if callable(dice):
            self.table = None
            self.rolling = Rolling(random=dice, limits=self.limits)
        else:
            from .dice.table import Table

            self.table = Table(dice)
            self.rolling = Rolling(self.table, limits=self.limits)

    def notation(self, text: str) -> Notation:
        """The parsed expression; NotationError if it is not valid."""
        return self._line(text).notation

    def _line(self, text: str) -> ReadExpression:
        """The expression as read, from the cache if it was read before."""
        line = self.cache.get(text)
        if line is None:
            notation = parse(text, self.limits)
            line = ReadExpression(self.values(notation) if self.values else notation)
            self.cache_room -= 100 + len(text) + notation.tested
            if self.cache_room < 0:
                self.cache.clear()
                self.rolled.clear()
                self.cache_room = CACHE_SIZE
            self.cache[text] = line
        return line

    def lines(self, text: str) -> list[str]:
        """Roll an expression and give its lines, one a repeat, without control characters.

        NotationError if it cannot be rolled.
        """
        if self.table:
            self.table.throws.clear()
        rolling = self.rolling
        rolling.begin()
        try:
            line = self.rolled.get(text) or self._ready(text)
            roll, tell = line.roll, line.tell
            if line.repeat is None:
                return [tell(rolling, roll(rolling))]
            lines: list[str] = []
            for _ in range(line.repeat):
                rolling.rows, rolling.totals = [], []
                lines.append(tell(rolling, roll(rolling)))
            return lines
        except NotationError as error:
            error.text = text
            raise

    def _ready(self, text: str) -> ReadExpression:
        """The expression made ready to be rolled, and kept."""
        line = self._line(text)
        made = compiled(line.notation.expression)
        line.roll, line.tell = made.roll, self._teller(line.notation, made)
        self.rolled[text] = line
        return line

    def _teller(self, notation: Notation, made: Compiled) -> Tell:
        """The function that writes a roll of an expression."""
        if self.quiet and not self.as_json:
            return lambda rolling, total: str(total)
        if self.as_json or self.explain:
            from .render import roll_json

            if self.as_json:
                return roll_json.teller(notation, made, self.seed)
            return roll_json.explainer(notation, made, self.ink)
        return teller(notation, made, self.ink)


def odds_lines(
    notation: Notation,
    ink: Ink,
    width: int,
    *,
    question: tuple[str, int] | None = None,
    other: Notation | None = None,
    output: str = "",
    limits: Limits = LIMITS,
) -> Iterator[str]:
    """The lines that show the exact odds of an expression.

    `output` is "json", "csv", "quiet", or empty for words and bars; `question` is ("ge", "le" or "eq", number).
    NotationError if it has no odds; TooWide if both expressions together take too much time or memory.
    """
    from .dice.distribution import OddsTable
    from .dice.effort import Effort
    from .dice.measures import compared, finite
    from .notation.distribution import distribution_of
    from .notation.mean import mean
    from .render import distribution

    effort = Effort(dice=limits.dice)
    odds_table = OddsTable(effort=effort)
    found = finite(distribution_of(notation, odds_table))
    average = mean(notation, odds_table)
    pair = None
    if other:
        against = finite(distribution_of(other, odds_table))
        truncated = found.truncated or against.truncated
        pair = distribution.Against(other, compared(found, against, effort), truncated)
    if output == "json":
        from .render.jsontext import dumped

        yield dumped(distribution.record(notation, found, average, question, pair))
    elif output == "csv":
        yield from distribution.csv(found)
    elif output == "quiet":
        from .render.charts import decimal

        ways, total = distribution.asked(found, *question) if question else average
        # A chance has all its digits; a mean that is a short number is printed as one: -9.5.
        shown = decimal(ways / total)
        yield shown if question or "." not in shown else shown.rstrip("0").rstrip(".")
    else:
        yield from distribution.words(notation, found, average, question, pair, ink, width)
