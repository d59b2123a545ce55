"""`crisis note`."""

from __future__ import annotations

from typing import Any

import click

from ..context import Context
from ..engine.kinds import guess
from ..engine.scene import Intent
from ..errors import Usage
from . import options, run_action

MAX_LENGTH = 2_000
"""Most characters of one note."""


class NoteCommand(click.Command):
    """The command `note`: it takes words with dashes as text, unless the first looks like a misspelled option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments; Usage if the first is nearly one of the options."""
        known = [name for one in self.params if isinstance(one, click.Option) for name in one.opts]
        word = args[0] if args else ""
        near = guess(word, known) if word.startswith("--") and len(word) > len("--") else ""
        if near and word.partition("=")[0] not in known:
            hint = f"as the text of a note: crisis note -- {word} …"
            raise Usage(f"note has no option {word}{near}", hint=hint, code="unknown_option")
        return super().parse_args(ctx, args)


@click.command("note", cls=NoteCommand, context_settings={"ignore_unknown_options": True})
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
        raise Usage("missing argument: TEXT", hint="crisis note TEXT", code="missing_argument")
    if len(text) > MAX_LENGTH:
        raise Usage(
            f"a note has at most {MAX_LENGTH:,} characters; this one has {len(text):,}",
            hint="split it in two",
            code="too_long",
        )
    context.require_journal()
    settings = {**options.NO_DICE, **given}
    return run_action.carry_out(
        context, context.open_session(), Intent("note", "", (), {"text": text}), settings
    )
