"""What a line would do: odds beside completions, and hints that are not refused."""

from __future__ import annotations

import io
import re
import shlex
from collections.abc import Sequence

import click

from .context import Context
from .dice.distribution import OddsTable
from .engine.action_odds import ActionOdds, action_odds
from .engine.validate import prepare
from .errors import CrisisError, Refused
from .play.attacking import Planned

ACTING = ("act", "attack", "throw", "heal", "check", "rest")
"""Verbs whose lines are intents."""


class Caught:
    """Takes the intent of a line in place of performing it."""

    def __init__(self) -> None:
        self.planned: Planned | None = None

    def __call__(self, context: Context, planned: Planned, run: object) -> None:
        self.planned = planned


def parse_intent(cli: click.Group, context: Context, words: Sequence[str]) -> Planned | None:
    """The intent of a line of `cli`, without performing it; None if it is no action or not complete.

    Refused if the line itself would be.
    """
    if not words or words[0] not in ACTING:
        return None
    environment = context.environment._replace(out=io.StringIO(), err=io.StringIO(), is_interactive=False)
    caught = Caught()
    silent = context.for_line(environment, caught)
    try:
        cli.main(list(words), "crisis", standalone_mode=False, obj=silent)
    except Refused:
        raise
    except (CrisisError, click.ClickException, click.exceptions.Exit, click.Abort):
        return None
    return caught.planned


def is_allowed(cli: click.Group, context: Context, words: Sequence[str]) -> bool:
    """Whether a line is not known to be refused now; True for lines that cannot be checked."""
    try:
        bound = parse_intent(cli, context, words)
        if bound is not None:
            prepare(bound.session.system, bound.session.scene, bound.intent)
    except Refused:
        return False
    except CrisisError:
        return True
    return True


def line_odds(
    cli: click.Group, context: Context, words: Sequence[str], odds_table: OddsTable
) -> ActionOdds | None:
    """The exact odds of a line; None if it has none, or they take too long."""
    try:
        bound = parse_intent(cli, context, words)
        if bound is None:
            return None
        return action_odds(bound.session.system, bound.session.scene, bound.intent, odds_table)
    except CrisisError:
        return None


LINE = re.compile(rf"\bcrisis ((?:{'|'.join(ACTING)}) [^(]*)")
"""A line for the shell in a hint."""
PLACEHOLDER = re.compile(r"[A-Z]{2}|\||\b[XN]\b|…|\.\.\.")
"""What the player is to fill in."""
UNCHECKED = ("--force", "--help")
"""Options with which a line is not refused."""


def checked_hint(cli: click.Group, context: Context, hint: str) -> str:
    """A hint without those of its parts that propose an action which would be refused; as it is within a preview."""
    if isinstance(context.intent_handler, Caught):
        return hint
    return "; ".join(part for part in hint.split("; ") if not _is_refused(cli, context, part))


def _is_refused(cli: click.Group, context: Context, part: str) -> bool:
    found = LINE.search(part)
    if not found or PLACEHOLDER.search(found[1]) or any(word in found[1] for word in UNCHECKED):
        return False
    try:
        return not is_allowed(cli, context, shlex.split(found[1].partition(", ")[0]))
    except ValueError:
        return False
