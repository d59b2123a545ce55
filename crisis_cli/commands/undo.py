"""`crisis undo` and, beside it, `crisis redo`."""

from __future__ import annotations

import os
from itertools import takewhile

import click

from ..context import Context
from ..engine.journal import Crisis
from ..engine.record import Entry
from ..errors import Refused
from ..play.history import is_event, with_their_events
from ..render import data, text
from ..sheets.journal_file import Journal, last_archived, read
from ..sheets.save_sheets import reopen, require_writable
from ..sheets.story_file import Story, fight_journal, write_sheets
from ..systems import load
from ..values import NamedTuple
from . import options


class How(NamedTuple):
    """How the entries undone or redone are shown."""

    as_json: bool
    quiet: bool


quiet_option = click.option(
    "--quiet", is_flag=True, help="Print only the numbers of the entries, one per line."
)


@click.command("undo")
@click.argument("count", type=click.IntRange(1, 10_000), default=1, metavar="[N]")
@click.option(
    "--fresh", is_flag=True, help="Roll new dice for the same action (default: the same dice as before)."
)
@click.option(
    "--mine",
    is_flag=True,
    help="Go back to before your own last action; opponents' turns since are undone too.",
)
@quiet_option
@options.common_options
@click.pass_obj
def command(context: Context, /, count: int, fresh: bool, mine: bool, quiet: bool, as_json: bool) -> int:
    """Undo the last action, or the last N.

    If no crisis is open, the end of the last one is undone: the crisis is open again, and the sheets
    are as they were before. A sheet changed since is left as it is, with a warning. In a campaign a night of rest
    or a note after that fight is undone first.

    \b
    Examples:
      crisis undo
      crisis undo 3
    """
    open_journal, how = context.desk.journals.active(), How(as_json, quiet)
    story = None if open_journal else context.desk.campaigns.story()
    if story is not None and not _ends_with_fight(story.crisis):
        return _undo_in_story(context, story, count, fresh, mine, how)
    before = open_journal or _last_ended_journal(context)
    if mine:
        count = _since_own_action(before.crisis)
    # The first entry opened the crisis: it is ended, not undone.
    left = sum(not is_event(entry) for entry in before.crisis.done) - 1
    if count > left:
        raise Refused(
            _too_few(left, count, "undo"),
            hint="to abandon the crisis: crisis end --no-save" if not left else f"crisis undo {left}",
            code="nothing_to_undo",
        )
    count = with_their_events(before.crisis.done, count)
    restored: list[str] = []
    if open_journal:
        journal = open_journal.with_undo(count, fresh)
    else:
        undo_line = story.with_undo if story is not None else lambda: None
        with context.desk.campaigns.story_lock():
            journal, restored = reopen(
                context.desk.shelves.sheets(),
                context.output.warn,
                before,
                context.desk.places.journal_path,
                context.desk.places.file,
                count,
                fresh,
                undo_line,
            )
    context.desk.recorded.append("the undo")
    for entry in reversed(before.crisis.done[-count:]):
        sheets = restored if entry.intent.action == "end" else None
        show_undone(context, journal, entry, "undone", how, sheets)
    if fresh and not any(how):
        context.output.say("the next action gets new dice")
    return 0


def _ends_with_fight(story: Crisis) -> bool:
    """Whether the last thing of a story in force is a fight; its end is what is undone then."""
    return bool(story.done) and story.done[-1].intent.action == "fight"


def _undo_in_story(context: Context, story: Story, count: int, fresh: bool, mine: bool, how: How) -> int:
    """Undo what has happened in a campaign since its last fight; the exit status."""
    if mine:
        raise Refused("you have not acted since the last fight", hint="crisis undo", code="nothing_to_undo")
    since = list(takewhile(lambda entry: entry.intent.action != "fight", reversed(story.crisis.done)))
    if count > len(since):
        raise Refused(
            _too_few(len(since), count, "undo"),
            hint=f"crisis undo {len(since)}" if since else "",
            code="nothing_to_undo",
        )
    store = context.desk.shelves.sheets()
    for entry in since[:count]:
        require_writable(store, entry.sheets)
    with context.desk.campaigns.story_lock():
        undone = story.with_undo(count, fresh)
        context.desk.recorded.append("the undo")
        context.desk.caches.story, written = write_sheets(store, context.output.warn, undone)
    for entry in since[:count]:
        sheets = [name for name in written if name in entry.sheets]
        show_undone(context, undone, entry, "undone", how, sheets if entry.sheets else None)
    return 0


def _since_own_action(crisis: Crisis) -> int:
    """How many actions there are from the player's last one on; Refused if there is none."""
    fighters = crisis.scene.fighters
    for entry in reversed(crisis.done[1:]):
        actor = fighters.get(entry.intent.actor)
        if actor is not None and actor.player and entry.intent.action not in ("end", "note"):
            return sum(not is_event(one) for one in crisis.done[entry.number - 1 :])
    raise Refused("you have not acted yet", hint="undo the last entry: crisis undo", code="nothing_to_undo")


def _last_ended_journal(context: Context) -> Journal:
    """The journal of the crisis that ended last here; Refused if there is none."""
    story = context.desk.campaigns.story()
    if story is not None and _ends_with_fight(story.crisis) and context.desk.places.story_folder:
        return fight_journal(context.desk.places.story_folder, story.crisis.done[-1])
    archive = last_archived(context.desk.places.journal_path)
    if archive is None:
        return context.desk.journals.require()
    return read(archive, os.path.basename(archive))


def show_undone(
    context: Context,
    journal: Journal,
    entry: Entry,
    what: str,
    how: How,
    sheets: list[str] | None = None,
) -> None:
    """Print which entry was undone or redone (`what`), and whose sheets changed with it."""
    if how.quiet and not how.as_json:
        context.output.say(str(entry.number))
        return
    if how.as_json:
        record = {"v": data.VERSION, what: entry.number, "action": entry.intent.action}
        context.output.print_json(record | ({} if sheets is None else {"sheets": sheets}))
        return
    with text.legible(entry):
        scene = journal.crisis.scene
        head = text.headline(entry, scene, load(scene.system), context.output.ink)
        head = head or f"{entry.intent.actor} ends the turn"
    context.output.say(f"{what} {entry.number}: {head}")
    if sheets:
        context.output.say(f"  sheets {'restored' if what == 'undone' else 'saved'}: {', '.join(sheets)}")


def _too_few(left: int, count: int, verb: str) -> str:
    """The error message for a request to undo or redo (`verb`) `count` actions when there are only `left`."""
    if left == 0:
        return f"there is nothing to {verb}"
    return f"there {'is' if left == 1 else 'are'} only {left} action{'' if left == 1 else 's'} to {verb}, not {count}"


def require_redoable(journal: Journal, count: int) -> None:
    """Raise Refused if fewer than `count` actions can be redone."""
    left = sum(not is_event(entry) for entry in journal.crisis.taken_back)
    if count > left:
        raise Refused(
            _too_few(left, count, "redo"),
            hint="redo takes back an undo, until there is a new action",
            code="nothing_to_redo",
        )
