"""The exact odds that a command line asks for, with the choices that it makes."""

from __future__ import annotations

from ..context import Context
from ..dice.chosen import ChosenOdds
from ..engine.action_odds import ActionOdds, action_odds
from ..engine.scene import Intent
from ..errors import Usage
from ..play.dice import Dice
from ..play.session import Session
from ..play.table import chosen_odds
from .options import Report


def refuse_together(output: str, report: Report) -> None:
    """Usage where a command line asks for output in two ways, such as --csv and --quiet."""
    asked = {"json": report.as_json, "quiet": report.quiet, "explain": report.explain}
    wanted = [name for name, is_asked in asked.items() if is_asked]
    # JSON has the modifiers that --explain shows.
    if "json" in wanted and "explain" in wanted:
        wanted.remove("explain")
    wanted = [output, *wanted] if output else wanted
    if len(wanted) > 1:
        raise Usage(f"--{wanted[0]} and --{wanted[1]} cannot go together", code="conflicting_options")


def odds_as_asked(context: Context, session: Session, intent: Intent, dice: Dice) -> ActionOdds:
    """The exact odds of an intent with the choices of --choose; WrongChoice where nothing offers one of them."""
    odds_table = chosen_odds(context.desk, session, intent.get("react"), dice)
    weigh = action_odds
    if intent.action == "downtime":
        from ..engine.rest_odds import rest_odds

        weigh = rest_odds
    odds = weigh(session.system, session.scene, intent, odds_table)
    if isinstance(odds_table, ChosenOdds):
        odds_table.check()
    return odds
