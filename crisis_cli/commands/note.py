"""`crisis note`."""

from __future__ import annotations

from typing import Any

import click

from ..context import Context
from ..engine.scene import Intent
from ..errors import Usage
from . import options, run_action

LONGEST = 2_000
"""Signs of one note."""


@click.command("note", context_settings={"ignore_unknown_options": True})
@click.argument("words", nargs=-1, required=True, type=click.UNPROCESSED, metavar="TEXT...")
@options.here
@click.pass_obj
def command(context: Context, /, words: tuple[str, ...], **given: Any) -> int:
    """Add a note to the journal of the open crisis.

    A note is listed in the log like an action, can be undone like one, and changes nothing else.

    \b
    Examples:
      crisis note The drone came through the skylight.
      crisis note 'Jack swears to come back for her'
    """
    # One line: breaks and tabs are only spaces between words.
    text = " ".join(" ".join(words).split())
    if not text:
        raise Usage("missing argument: TEXT", hint="crisis note TEXT")
    if len(text) > LONGEST:
        raise Usage(
            f"a note has at most {LONGEST:,} characters; this one has {len(text):,}", hint="split it in two"
        )
    context.require_journal()
    blank = {"seed": None, "dice": None, "real_dice": False, "mine": False, **given}
    return run_action.carry_out(
        context, context.open_session(), Intent("note", "", (), {"text": text}), blank
    )
