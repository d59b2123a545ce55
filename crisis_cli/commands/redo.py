"""`crisis redo`."""

from __future__ import annotations

import click

from ..context import Context
from ..play.history import undone_with_events
from ..play.perform import planned_ending
from ..sheets.save_sheets import require_writable
from ..sheets.story_file import Story, write_sheets
from . import options
from .undo import How, quiet_option, require_redoable, show_undone


@click.command("redo")
@click.argument("count", type=click.IntRange(1, 10_000), default=1, metavar="[N]")
@quiet_option
@options.common_options
@click.pass_obj
def command(context: Context, /, count: int, quiet: bool, as_json: bool) -> int:
    """Redo the last action undone, with the same dice.

    \b
    Example:
      crisis redo
    """
    story, how = (
        None if context.desk.journals.active() else context.desk.campaigns.story(),
        How(as_json, quiet),
    )
    if story is not None:
        return _redo_in_story(context, story, count, how)
    journal = context.desk.journals.require()
    require_redoable(journal, count)
    before = journal.crisis.taken_back
    count = undone_with_events(before, count)
    last, sheets = before[-count], None
    if last.intent.action == "end":
        crisis = journal.crisis
        for _ in range(count - 1):
            crisis = crisis.redo()
        ending = planned_ending(context.desk, journal._replace(crisis=crisis), last)
        with context.desk.campaigns.story_lock():
            journal = journal.with_redo(count, ending)
            context.desk.recorded.append("the redo")
            sheets = context.desk.campaigns.finish_redone_end(journal).written
    else:
        journal = journal.with_redo(count)
    context.desk.recorded.append("the redo")
    for entry in reversed(before[-count:]):
        show_undone(context, journal, entry, "redone", how, sheets if entry is last else None)
    return 0


def _redo_in_story(context: Context, story: Story, count: int, how: How) -> int:
    """Redo what was undone in a campaign since its last fight; the exit status."""
    require_redoable(story, count)
    store = context.desk.shelves.sheets()
    for entry in story.crisis.taken_back[-count:]:
        require_writable(store, entry.sheets)
    with context.desk.campaigns.story_lock():
        redone = story.with_redo(count)
        context.desk.recorded.append("the redo")
        context.desk.caches.story, written = write_sheets(store, context.output.warn, redone)
    for entry in reversed(story.crisis.taken_back[-count:]):
        sheets = [name for name in written if name in entry.sheets]
        show_undone(context, redone, entry, "redone", how, sheets if entry.sheets else None)
    return 0
