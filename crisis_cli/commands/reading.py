"""A line as typed at the prompt, read without running it."""

from __future__ import annotations

import click

from ..click_errors import as_usage
from ..context import Context
from ..engine.scene import Intent
from ..engine.validate import prepare
from ..errors import Usage, require_utf8
from ..play.dice import Dice
from ..play.session import Session
from ..preview import plan_of
from .parse_line import as_command, has_own_paths, parse_line, verb_first

TABLE_VERBS = ("next", "note", "set", "join", "leave", "auto", "attack", "throw", "heal", "check", "act")
"""Verbs that a line of a program may begin with, beside the actions of the system."""


def read_line(context: Context, session: Session, line: str) -> Intent:
    """The intent of a line that a program says; CrisisError for one that is no action, or not possible."""
    from ..cli import cli

    require_utf8(line)
    system, scene = session.system, session.scene
    known = [*system.actions]
    words = verb_first(as_command(parse_line(line, TABLE_VERBS, known), TABLE_VERBS, known), scene, known)
    if not words or words[0] not in TABLE_VERBS:
        raise Usage(
            f"{(words or [''])[0]!r} is neither an action nor a verb that acts",
            hint=f"actions: {', '.join(known)}",
            code="unknown_command",
        )
    if has_own_paths(words):
        raise Usage("a line has no --file and no --characters of its own", code="unknown_option")
    try:
        planned, run = plan_of(cli, context, words)
    except click.exceptions.Exit as ended:
        raise Usage(
            "the line does nothing", hint="an action and its options: attack drone", code="bad_answer"
        ) from ended
    except click.ClickException as error:
        raise as_usage(error) from error
    if run.keep.is_dry:
        raise Usage(
            "a line of a program is not tried, but done", hint="ask for its odds", code="unheeded_option"
        )
    if run.dice._replace(is_automatic=False) != Dice():
        raise Usage("a line gives no dice and no choices: they are asked for", code="conflicting_options")
    if planned.intent.action in system.actions:
        prepare(system, scene, planned.intent)
    return planned.intent
