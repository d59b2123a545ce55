"""Who decides in the middle of an action: what `--react` says, the player, or the least harm."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..dice.distribution import OddsTable, compared, least_harm, refuse_all
from ..dice.option_odds import OptionOdds, option_odds
from ..dice.table import Alternative, Decided

if TYPE_CHECKING:
    from ..dice.distribution import Policy
    from ..dice.table import Chooser

Asked = Callable[[str, tuple[Alternative, ...], tuple[OptionOdds | None, ...]], Alternative]
"""Asks the player: who decides, the options, and what each promises."""


def chooser(
    react: str | None,
    odds_table: OddsTable,
    mine: Callable[[str], bool],
    ask: Asked | None,
    habit: Callable[[str], str] | None = None,
) -> Chooser:
    """How decisions are made in one action.

    A reaction named is taken where it is offered; `best` is the least expected harm, `ask` asks. With nothing
    said nobody reacts in a one-off; in a crisis the player is asked about the player's fighters where there
    is a terminal, and everyone else does as their doctrine has it: `habit` gives that of a fighter, "none",
    "best" or "always", and is None in a one-off.
    """

    def choose(who: str, options: tuple[Alternative, ...]) -> Alternative | Decided:
        # A reaction that is named says nothing of what only the player decides.
        said = None if any(option.willed for option in options) else react
        alone = said is None and habit is not None and not mine(who)
        if said == "best":
            return compared(options, odds_table)
        if alone and habit is not None:
            return by_habit(habit(who), options, odds_table)
        if ask and (said == "ask" or (said is None and habit is not None)):
            return ask(who, options, tuple(option_odds(option, odds_table) for option in options))
        return named(said, options)

    return choose


def by_habit(habit: str, options: tuple[Alternative, ...], odds_table: OddsTable) -> Decided:
    """What a doctrine takes: nothing, the least harm, or the least harm of all that is not nothing."""
    if habit == "none":
        return Decided(options[0], {})
    free = tuple(option for option in options if not option.willed)
    return compared(free[1:] or free if habit == "always" else free, odds_table)


def named(react: str | None, options: tuple[Alternative, ...]) -> Alternative:
    """The option of that name, else the first, which by custom is to do nothing."""
    return next((option for option in options if option.name == react), options[0])


def policy(react: str | None, asked: bool = False, habit: Callable[[str], str] | None = None) -> Policy:
    """The same decisions for exact odds: whoever would be asked is taken to choose the least harm.

    `asked` says whether the player would be, with nothing said; `habit` what a fighter's doctrine takes who is
    not asked in a crisis, empty for one of the player's; None in a one-off.
    """
    if react in ("best", "ask"):
        return least_harm
    if react is None and habit is not None:
        decides = habit

        def choose(who: str, options: tuple[Alternative, ...], odds_table: OddsTable) -> Alternative:
            return by_habit(decides(who) or ("best" if asked else "none"), options, odds_table).option

        return choose
    if react in (None, "none"):
        return refuse_all
    return lambda who, options, odds_table: named(react, options)
