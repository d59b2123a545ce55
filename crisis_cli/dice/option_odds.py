"""The odds of an option in a decision, known before it is taken."""

from __future__ import annotations

from ..errors import TooWide
from .distribution import OddsTable, harmed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .table import Alternative


class OptionOdds:
    """What an option promises the chooser."""

    __slots__ = ("harm", "unhurt", "worn")

    def __init__(self, harm: float, unhurt: float, worn: float = 0.0):
        self.harm = harm
        """On average."""
        self.unhurt = unhurt
        """The chance of none at all, from 0 to 1."""
        self.worn = worn
        """What else it uses up on average: the `worn` of the answers."""


def option_odds(option: Alternative, odds_table: OddsTable) -> OptionOdds | None:
    """What an option promises; None where that takes too long to work out."""
    try:
        answers = odds_table.of(option.rule, *option.args)
    except TooWide:
        return None
    distribution = answers.of(harmed)
    ways, total = distribution.chance(lambda harm: harm <= 0)
    worn = answers.of(lambda answer: getattr(answer, "worn", 0)).mean() if option.wears else 0.0
    return OptionOdds(distribution.mean(), ways / total, worn)
