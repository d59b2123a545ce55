"""What a line would do, were it entered: nothing is thrown, written or shown."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import click

from ..cli import cli
from ..commands.odds import ACTIONS
from ..context import Context, Session
from ..dice.distribution import OddsTable
from ..engine.action_odds import ActionOdds, action_odds
from ..engine.scene import Intent
from ..engine.validate import prepare
from ..errors import CrisisError, Refused


class Meant(NamedTuple):
    """What a line means."""

    session: Session
    intent: Intent


class Overheard:
    """Stands where the odds of a command would be shown, and keeps what they would be of."""

    def __init__(self) -> None:
        self.meant: Meant | None = None

    def show(self, context: Context, session: Session, intent: Intent, options: Mapping[str, Any]) -> None:
        """Keep the intent."""
        self.meant = Meant(session, intent)


def meaning(context: Context, words: Sequence[str]) -> Meant | None:
    """The intent of a line of an action; None where it is another line, or not a whole one; Refused like the line."""
    if not words or words[0] not in ACTIONS:
        return None
    heard = Overheard()
    mute = context.cleared()
    mute.world = context.world._replace(out=io.StringIO(), err=io.StringIO(), interactive=False)
    mute.odds = heard
    try:
        cli.main(list(words), "crisis", standalone_mode=False, obj=mute)
    except Refused:
        raise
    except (CrisisError, click.ClickException, click.exceptions.Exit, click.Abort):
        return None
    return heard.meant


def allowed(context: Context, words: Sequence[str]) -> bool:
    """Whether a line would not be refused now, as far as it can be told."""
    try:
        meant = meaning(context, words)
        if meant is not None:
            prepare(meant.session.system, meant.session.scene, meant.intent)
    except Refused:
        return False
    except CrisisError:
        return True
    return True


def weighed(context: Context, words: Sequence[str], odds_table: OddsTable) -> ActionOdds | None:
    """The exact odds of a line; None where it has none, or they take too long."""
    try:
        meant = meaning(context, words)
        return (
            action_odds(meant.session.system, meant.session.scene, meant.intent, odds_table)
            if meant
            else None
        )
    except CrisisError:
        return None
