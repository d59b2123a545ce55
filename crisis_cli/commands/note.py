"""`crisis note`."""

from __future__ import annotations

from typing import Any

import click

from ..context import Context
from ..engine.scene import Intent
from ..errors import Usage
from . import options, run_action

MAX_LENGTH = 2_000
"""Most characters of one note."""


@click.command("note", context_settings={"ignore_unknown_options": True})
@click.argument("words", nargs=-1, required=True, type=click.UNPROCESSED, metavar="TEXT...")
@options.common_options
@click.pass_obj
def command(context: Context, /, words: tuple[str, ...], **given: Any) -> int:
    """Add a note to the journal of the open crisis.

    A note is listed in the log like an action, can be undone like one, and changes nothing else.

    \b
    Examples:
      crisis note The drone came through the skylight.
      crisis note 'Jack swears to come back for her'
    """
    # One line: line breaks and tabs become spaces.
    text = " ".join(" ".join(words).split())
    if not text:
        raise Usage("missing argument: TEXT", hint="crisis note TEXT")
    if len(text) > MAX_LENGTH:
        raise Usage(
            f"a note has at most {MAX_LENGTH:,} characters; this one has {len(text):,}",
            hint="split it in two",
        )
    context.require_journal()
    settings = {**options.NO_DICE, **given}
    return run_action.carry_out(
        context, context.open_session(), Intent("note", "", (), {"text": text}), settings
    )
