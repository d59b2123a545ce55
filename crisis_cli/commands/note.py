"""`crisis note`."""

from __future__ import annotations

import click

from ..completion import Source
from ..context import Context
from ..engine.kinds import guess
from ..errors import Usage
from ..play.attacking import Planned
from ..play.noting import Note, noted
from . import options
from .acting import Acting


class NoteCommand(Acting):
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
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="TEXT...")
@click.option("--thread", is_flag=True, help="In a campaign: the text is a question that stays open.")
@click.option(
    "--close",
    type=click.IntRange(1),
    metavar="N",
    help="In a campaign: thread N is closed.",
    shell_complete=Source("campaigns.threads"),
)
@click.option("--award", is_flag=True, help="In a campaign: the text says who gets how much: ada 2 xp: why.")
@click.option("--quiet", is_flag=True, help="Print the bare text.")
@options.common_options
def command(
    context: Context,
    /,
    run: options.Run,
    words: tuple[str, ...],
    thread: bool,
    close: int | None,
    award: bool,
) -> Planned:
    """Add a note to the journal of the open crisis, or between fights to the story of the campaign.

    A note is listed in the log like an action, can be undone like one, and changes nothing else. The threads and
    awards of a campaign are listed by crisis campaign.

    \b
    Examples:
      crisis note The drone came through the skylight.
      crisis note 'Jack swears to come back for her'
      crisis note --thread 'Who paid the warden?'
      crisis note --close 1
      crisis note --award 'ada 2 xp: the bridge'
    """
    kinds = [name for name, said in (("thread", thread), ("close", close), ("award", award)) if said]
    if len(kinds) > 1:
        raise Usage(f"--{kinds[0]} and --{kinds[1]} cannot go together", code="conflicting_options")
    return noted(context.desk, Note(" ".join(words), thread, close or 0, award))
