"""Who decides in the middle of an action: what `--react` says, the player, or the least harm."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..table.dice import Option
from ..table.odds import Laws, least_harm, refuse_all
from ..table.promises import Promise, promised

if TYPE_CHECKING:
    from ..table.dice import Chooser
    from ..table.odds import Policy

Asked = Callable[[str, tuple[Option, ...], tuple[Promise | None, ...]], Option]
"""Asks the player: who decides, the options, and what each promises."""


def chooser(
    react: str | None, laws: Laws, mine: Callable[[str], bool], ask: Asked | None, crisis: bool
) -> Chooser:
    """How decisions are made in one action.

    A reaction named is taken where it is offered; `best` is the least expected harm, `ask` asks. With nothing
    said nobody reacts in a one-off; in a crisis the player is asked about the player's fighters where there
    is a terminal, and everyone else takes the least harm.
    """

    def choose(who: str, options: tuple[Option, ...]) -> Option:
        if react == "best" or (react is None and crisis and not mine(who)):
            return least_harm(who, options, laws)
        if ask and (react == "ask" or (react is None and crisis and mine(who))):
            return ask(who, options, tuple(promised(option, laws) for option in options))
        return named(react, options)

    return choose


def named(react: str | None, options: tuple[Option, ...]) -> Option:
    """The option of that name, else the first, which by custom is to do nothing."""
    return next((option for option in options if option.name == react), options[0])


def policy(react: str | None, asked: bool = False, others: Callable[[str], bool] | None = None) -> Policy:
    """The same decisions for exact odds: whoever would be asked is taken to choose the least harm.

    `asked` says whether the player would be, with nothing said; `others` who chooses in a crisis without being
    asked, None in a one-off.
    """
    if react in ("best", "ask"):
        return least_harm
    if react is None and others is not None:
        decides = others

        def choose(who: str, options: tuple[Option, ...], laws: Laws) -> Option:
            return (least_harm if asked or decides(who) else refuse_all)(who, options, laws)

        return choose
    if react in (None, "none"):
        return refuse_all
    return lambda who, options, laws: named(react, options)
