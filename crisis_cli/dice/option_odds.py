"""The odds of an option in a decision, known before it is taken."""

from __future__ import annotations

from ..errors import TooWide
from .distribution import Distribution, OddsTable, harmed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .table import Alternative


class OptionOdds:
    """What an option promises the chooser."""

    __slots__ = ("answers", "harm", "harms", "unhurt", "worn")

    def __init__(self, answers: Distribution, wears: bool):
        self.answers = answers
        """The answers of the rule of the option."""
        self.harms = answers.of(harmed)
        """The harm in each answer."""
        self.harm = self.harms.mean()
        """On average."""
        ways, total = self.harms.chance(lambda harm: harm <= 0)
        self.unhurt = ways / total
        """The chance of none at all, from 0 to 1."""
        self.worn = answers.of(lambda answer: getattr(answer, "worn", 0)).mean() if wears else 0.0
        """What else it uses up on average: the `worn` of the answers."""


def option_odds(option: Alternative, odds_table: OddsTable) -> OptionOdds | None:
    """What an option promises; None where that takes too long to work out."""
    try:
        return OptionOdds(odds_table.of(option.rule, *option.args), bool(option.wears))
    except TooWide:
        return None
