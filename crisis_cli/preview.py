"""What a line would do: odds beside completions, and hints that are not refused."""

from __future__ import annotations

import io
import re
import shlex
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from typing import Any

import click

from .context import Context
from .dice.distribution import OddsTable
from .engine.action_odds import ActionOdds, action_odds
from .engine.validate import prepare
from .errors import CrisisError, Refused, Usage
from .play.attacking import Planned

ACTING = ("act", "attack", "throw", "heal", "check", "rest")
"""Verbs whose lines are intents."""


Take = Callable[[Planned, Any], None]
"""Takes what a command line would do, and what its options say beside the words of the rules (a `Run`)."""


class Weighable(click.Command):
    """A verb that acts, whose command lines can be weighed and looked at without performing them."""

    def weigh(self, ctx: click.Context, take: Take) -> None:
        """Hand what a command line would do to `take`; Refused if the line itself would be."""
        raise NotImplementedError


def plan_of(cli: click.Group, context: Context, words: Sequence[str]) -> tuple[Planned, Any]:
    """What a line of a verb that acts would do, and what its options say beside the words of the rules.

    The errors of click where the line is not complete, CrisisError where it does nothing or would be refused.
    """
    unseen = io.StringIO()
    silent = context.environment._replace(out=unseen, err=unseen, is_interactive=False, height=0)
    outer = click.Context(cli, info_name="crisis", obj=context.for_line(silent))
    command = cli.get_command(outer, words[0])
    plans: list[tuple[Planned, Any]] = []
    if isinstance(command, Weighable):
        # click itself prints the help that --help asks for.
        with (
            redirect_stdout(unseen),
            command.make_context(words[0], list(words[1:]), parent=outer) as ctx,
        ):
            command.weigh(ctx, lambda planned, run: plans.append((planned, run)))
    if not plans:
        raise Usage(
            "the line does nothing", hint="an action and its options: attack drone", code="bad_answer"
        )
    return plans[0]


def parse_intent(cli: click.Group, context: Context, words: Sequence[str]) -> Planned | None:
    """What a line of `cli` would do; None if it is no action or not complete.

    Refused if the line itself would be.
    """
    if not words or words[0] not in ACTING:
        return None
    try:
        return plan_of(cli, context, words)[0]
    except Refused:
        raise
    except (CrisisError, click.ClickException, click.exceptions.Exit, click.Abort):
        return None


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
UNCHECKED = ("--force", "--help", "--list")
"""Options with which a line is not refused."""


def checked_hint(cli: click.Group, context: Context, hint: str) -> str:
    """A hint without those of its parts that propose an action which would be refused."""
    return "; ".join(part for part in hint.split("; ") if not _is_refused(cli, context, part))


def _is_refused(cli: click.Group, context: Context, part: str) -> bool:
    found = LINE.search(part)
    if not found or PLACEHOLDER.search(found[1]) or any(word in found[1] for word in UNCHECKED):
        return False
    try:
        return not is_allowed(cli, context, shlex.split(found[1].partition(", ")[0]))
    except ValueError:
        return False
