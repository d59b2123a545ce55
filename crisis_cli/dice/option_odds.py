"""The odds of an option in a decision, known before it is taken."""

from __future__ import annotations

from ..errors import TooWide
from .distribution import OddsTable, harmed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .table import Alternative


class OptionOdds:
    """What an option promises the chooser."""

    __slots__ = ("harm", "unhurt")

    def __init__(self, harm: float, unhurt: float):
        self.harm = harm
        """On average."""
        self.unhurt = unhurt
        """The chance of none at all, from 0 to 1."""


def option_odds(option: Alternative, odds_table: OddsTable) -> OptionOdds | None:
    """What an option promises; None where that takes too long to work out."""
    try:
        distribution = odds_table.of(option.rule, *option.args).of(harmed)
    except TooWide:
        return None
    ways, total = distribution.chance(lambda harm: harm <= 0)
    return OptionOdds(distribution.mean(), ways / total)
