"""Previews of a typed line: its intent, whether it is allowed, its odds. Nothing is rolled, written or shown."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Any

import click

from ..cli import cli
from ..commands.odds import ACTIONS
from ..context import Context, Session
from ..dice.distribution import OddsTable
from ..engine.action_odds import ActionOdds, action_odds
from ..engine.scene import Intent
from ..engine.validate import prepare
from ..errors import CrisisError, Refused
from ..values import NamedTuple


class BoundIntent(NamedTuple):
    """The intent that a line stands for, with the session it was made for."""

    session: Session
    intent: Intent


def parse_intent(context: Context, words: Sequence[str]) -> BoundIntent | None:
    """The intent of a line, without performing it; None if it is no action or not complete.

    Refused if the line itself would be.
    """
    if not words or words[0] not in ACTIONS:
        return None
    found: list[BoundIntent] = []

    def keep(context: Context, session: Session, intent: Intent, options: Mapping[str, Any]) -> None:
        found.append(BoundIntent(session, intent))

    silent = context.for_next_command()
    silent.environment = context.environment._replace(
        out=io.StringIO(), err=io.StringIO(), is_interactive=False
    )
    silent.intent_handler = keep
    try:
        cli.main(list(words), "crisis", standalone_mode=False, obj=silent)
    except Refused:
        raise
    except (CrisisError, click.ClickException, click.exceptions.Exit, click.Abort):
        return None
    return found[-1] if found else None


def is_allowed(context: Context, words: Sequence[str]) -> bool:
    """Whether a line is not known to be refused now; True for lines that cannot be checked."""
    try:
        bound = parse_intent(context, words)
        if bound is not None:
            prepare(bound.session.system, bound.session.scene, bound.intent)
    except Refused:
        return False
    except CrisisError:
        return True
    return True


def line_odds(context: Context, words: Sequence[str], odds_table: OddsTable) -> ActionOdds | None:
    """The exact odds of a line; None if it has none, or they take too long."""
    try:
        bound = parse_intent(context, words)
        if bound is None:
            return None
        return action_odds(bound.session.system, bound.session.scene, bound.intent, odds_table)
    except CrisisError:
        return None
