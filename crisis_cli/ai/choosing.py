"""Decisions in the middle of an action: by --react, by the player, or by a doctrine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ..dice.distribution import OddsTable, compared, harm, least_harm, refuse_all
from ..dice.table import Alternative, Decided
from ..errors import TooWide

if TYPE_CHECKING:
    from ..dice.distribution import Policy
    from ..dice.table import Chooser
    from .doctrine import Doctrine

AskPlayer = Callable[[str, tuple[Alternative, ...]], Alternative | Decided]
"""Has the player choose, who may not be asked: takes the fighter and the options."""


def chooser(
    react: str | None,
    odds_table: OddsTable,
    is_asked: Callable[[str], bool],
    ask_player: AskPlayer | None,
    doctrine_of: Callable[[str], Doctrine] | None = None,
) -> Chooser:
    """The function that makes all decisions of one action.

    A reaction named is taken where it is offered; `best` is the least expected harm, `ask` asks. With nothing
    said nobody reacts in a one-off; in a crisis the player is asked about the player's fighters where there
    is a terminal, and everyone else does as their doctrine has it: `doctrine_of` gives that of a fighter, and
    is None in a one-off.
    """

    def choose(who: str, options: tuple[Alternative, ...]) -> Alternative | Decided | None:
        # --react does not apply to options that only the player decides.
        reaction = None if any(option.deliberate for option in options) else react
        is_automatic = reaction is None and doctrine_of is not None and not is_asked(who)
        if is_automatic and doctrine_of is not None and any(option.leaves for option in options):
            return most_harm(options, odds_table, doctrine_of(who).weigh.spent)
        if all(option.deliberate for option in options[1:]) and (is_automatic or not ask_player):
            return None
        if reaction == "best":
            return least_harmful([option for option in options if not option.deliberate], odds_table)
        if is_automatic and doctrine_of is not None:
            return choose_by_doctrine(doctrine_of(who).react, options, odds_table)
        if ask_player and (reaction == "ask" or (reaction is None and doctrine_of is not None)):
            return ask_player(who, options)
        return option_named(reaction, options)

    return choose


def most_harm(options: tuple[Alternative, ...], odds_table: OddsTable, spent_weight: float) -> Decided:
    """The option that leaves a foe least, such as extra rounds for a hit, where each point that it costs counts as so
    many of what the foe has; the cheapest of those that are as good.

    What a foe has left is no harm to the chooser, and not recorded as such.
    """
    try:
        best = min(
            options, key=lambda option: (harm(option, odds_table) + spent_weight * option.cost, option.cost)
        )
        return Decided(best, {})
    except TooWide:
        return Decided(options[0], {})


def choose_by_doctrine(reaction: str, options: tuple[Alternative, ...], odds_table: OddsTable) -> Decided:
    """The option a doctrine takes: "none" the first, "best" the least harm, "always" the least harm of the others."""
    if reaction == "none":
        return Decided(options[0], {})
    free = tuple(option for option in options if not option.deliberate)
    return least_harmful(free[1:] or free if reaction == "always" else free, odds_table)


def least_harmful(options: Sequence[Alternative], odds_table: OddsTable) -> Decided:
    """The option with the least harm; where that takes too long to work out the first that does something."""
    try:
        return compared(options, odds_table)
    except TooWide:
        return Decided(options[min(1, len(options) - 1)], {})


def option_named(react: str | None, options: tuple[Alternative, ...]) -> Alternative:
    """The option of that name, else the first, which is always to do nothing."""
    return next((option for option in options if option.name == react), options[0])


def policy(
    react: str | None, is_asked: bool = False, reaction_of: Callable[[str], str] | None = None
) -> Policy:
    """The same decisions for exact odds; a player who would be asked is assumed to choose the least harm.

    `is_asked` says whether the player would be, with nothing said; `reaction_of` gives what a fighter's doctrine
    takes that is not asked in a crisis, empty for one of the player's; it is None in a one-off.
    """
    if react in ("best", "ask"):
        return least_harm
    if react is None and reaction_of is not None:
        decides = reaction_of

        def choose(who: str, options: tuple[Alternative, ...], odds_table: OddsTable) -> Alternative:
            return choose_by_doctrine(
                decides(who) or ("best" if is_asked else "none"), options, odds_table
            ).option

        return choose
    if react in (None, "none"):
        return refuse_all
    return lambda who, options, odds_table: option_named(react, options)
