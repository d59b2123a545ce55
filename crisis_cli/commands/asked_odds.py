"""The exact odds that a command line asks for, with the choices that it makes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..context import Context
from ..dice.chosen import ChosenOdds
from ..engine.action_odds import ActionOdds, action_odds
from ..engine.scene import Intent
from ..errors import Usage
from ..play.session import Session
from . import options


def refuse_together(output: str, given: Mapping[str, Any]) -> None:
    """Usage where a command line asks for output in two ways, such as --csv and --quiet."""
    wanted = [
        name for name in ("json", "quiet", "explain") if given.get("as_json" if name == "json" else name)
    ]
    # JSON has the modifiers that --explain shows.
    if "json" in wanted and "explain" in wanted:
        wanted.remove("explain")
    wanted = [output, *wanted] if output else wanted
    if len(wanted) > 1:
        raise Usage(f"--{wanted[0]} and --{wanted[1]} cannot go together", code="conflicting_options")


def odds_as_asked(context: Context, session: Session, intent: Intent, given: Mapping[str, Any]) -> ActionOdds:
    """The exact odds of an intent with the choices of --choose; WrongChoice where nothing offers one of them."""
    dice = options.parse_dice_options({**options.NO_DICE, "choose": given.get("choose")})
    odds_table = context.chosen_odds(session, intent.get("react"), dice)
    weigh = action_odds
    if intent.action == "downtime":
        from ..engine.rest_odds import rest_odds

        weigh = rest_odds
    odds = weigh(session.system, session.scene, intent, odds_table)
    if isinstance(odds_table, ChosenOdds):
        odds_table.check()
    return odds
