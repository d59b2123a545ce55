"""Rolling expressions and their odds, for the fast path and the verbs `roll` and `odds`.

Nothing here loads more than it needs: `crisis roll 3d6` is over before most programs have started.
"""

from __future__ import annotations

from .dice.limits import DICE, EXPLOSIONS, LENGTH, LIMITS, NESTING, Limits
from .dice.table import Table
from .errors import Usage
from .notation.parser import parse
from .notation.roller import roll_notation
from .render.rolls import line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from .dice.table import Dice
    from .notation.parser import Notation
    from .render.style import Ink

KEPT = 200_000
"""Characters, and faces compared, of the expressions that a stream remembers as read."""


def limits(env: Mapping[str, str]) -> Limits:
    """The limits, as the environment moves them; Usage where it says something else than a number."""
    said = (
        _limit(env, name, default)
        for name, default in (
            ("CRISIS_MAX_DICE", DICE),
            ("CRISIS_MAX_EXPLOSIONS", EXPLOSIONS),
            ("CRISIS_MAX_NESTING", NESTING),
            ("CRISIS_MAX_LENGTH", LENGTH),
        )
    )
    return Limits(*said)


def _limit(env: Mapping[str, str], name: str, default: int) -> int:
    said = env.get(name, "")
    if not said:
        return default
    if not (said.isascii() and said.isdigit() and 0 < len(said) < 8 and int(said)):
        raise Usage(f"{name} must be a whole number above 0, not {said!r}")
    return int(said)


class Roller:
    """Rolls expressions one after another with the same dice; each result is a line."""

    __slots__ = ("as_json", "explain", "ink", "limits", "quiet", "read", "room", "seed", "table", "values")

    def __init__(
        self,
        dice: Dice,
        seed: int | None,
        limits: Limits,
        ink: Ink,
        *,
        as_json: bool = False,
        explain: bool = False,
        quiet: bool = False,
        values: Callable[[Notation], Notation] | None = None,
    ):
        self.table = Table(dice)
        self.seed = seed
        self.limits = limits
        self.ink = ink
        self.as_json = as_json
        self.explain = explain
        self.quiet = quiet
        self.values = values
        """Looks the values of a sheet up in what was read."""
        self.read: dict[str, Notation] = {}
        self.room = KEPT

    def notation(self, text: str) -> Notation:
        """The expression as read, remembered."""
        found = self.read.get(text)
        if found is None:
            found = parse(text, self.limits)
            if self.values:
                found = self.values(found)
            self.room -= 100 + len(text) + found.tested
            if self.room < 0:
                self.read.clear()
                self.room = KEPT
            self.read[text] = found
        return found

    def lines(self, text: str) -> Iterator[str]:
        """What one expression comes to, as often as it says; NotationError where it cannot be rolled."""
        notation = self.notation(text)
        table = self.table
        table.throws.clear()
        at = 0
        for roll in roll_notation(notation, table, self.limits):
            throws = table.throws[at : at + len(roll.throws)]
            at += len(roll.throws)
            if self.as_json:
                from .render.faces import record
                from .render.jsontext import dumped

                yield dumped(record(notation, roll, throws, self.seed))
            elif self.quiet:
                yield str(roll.total)
            else:
                yield line(notation, roll, self.ink)
                if self.explain:
                    from .render.faces import explained

                    yield from explained(roll, self.ink)


def caret(error: Usage) -> str:
    """The lines that point at what is wrong in an expression; empty where nothing does."""
    return getattr(error, "caret", "")


def odds_lines(
    notation: Notation,
    ink: Ink,
    width: int,
    *,
    question: tuple[str, int] | None = None,
    other: Notation | None = None,
    how: str = "",
    limits: Limits = LIMITS,
) -> Iterator[str]:
    """The exact odds of an expression: in words and bars, or `how` says "json", "csv" or "quiet".

    NotationError where it has none; TooWide where both expressions together take too long or too much memory.
    """
    from .dice.distribution import OddsTable
    from .dice.effort import Effort
    from .dice.measures import compared, finite
    from .notation.distribution import law
    from .notation.mean import mean
    from .render import weights

    effort = Effort(dice=limits.dice)
    odds_table = OddsTable(effort=effort)
    found = finite(law(notation, odds_table))
    average = mean(notation, odds_table)
    pair = None
    if other:
        against = finite(law(other, odds_table))
        truncated = found.truncated or against.truncated
        pair = weights.Against(other, compared(found, against, effort), truncated)
    if how == "json":
        from .render.jsontext import dumped

        yield dumped(weights.record(notation, found, average, question, pair))
    elif how == "csv":
        yield from weights.csv(found)
    elif how == "quiet":
        from .render.pictures import percent

        if question:
            yield percent(*weights.asked(found, *question))
        else:
            # A number for programs: with the minus sign that they read.
            yield weights.number(average[0] / average[1]).replace("−", "-")
    else:
        yield from weights.words(notation, found, average, question, pair, ink, width)
