"""What was done taken back and done again: undo, redo and rewind, each action with the events that followed from it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from itertools import takewhile
from typing import TYPE_CHECKING

from ..engine.record import EVENT, Entry
from ..errors import Refused
from ..values import NamedTuple
from .desk import Desk
from .perform import planned_ending

# What only the story and the end of a crisis need is imported where it is used.
if TYPE_CHECKING:
    from ..engine.journal import Crisis
    from ..sheets.journal_file import JournalFile
    from ..sheets.story_file import StoryJournal


class HistoryChange(NamedTuple):
    """What was undone or redone."""

    journal: JournalFile
    """The journal after it."""
    entries: list[Entry]
    """The entries undone or redone, in that order."""
    sheets: Mapping[int, list[str]] = {}
    """Whose sheets were written with an entry, by its number; an entry that changes no sheets is not named."""


def undo(
    desk: Desk, journal: JournalFile | None, count: int = 1, *, mine: bool = False, fresh: bool = False
) -> HistoryChange:
    """Undo the last actions of the open crisis; without one the end of the last crisis, which is open again, or what
    happened in the campaign since its last fight.

    With `mine` it goes back to before the player's last own action; `fresh`: with new dice from there. Refused
    `nothing_to_undo` where there are not so many actions.
    """
    story = None if journal else desk.campaigns.story()
    if story is not None and not _ends_with_fight(story.crisis):
        return _undo_in_story(desk, story, count, mine, fresh)
    before = journal or _last_ended(desk, story)
    past = before.crisis.done
    if mine:
        count = _since_own_action(before.crisis)
    # The first entry opened the crisis: it is ended, not undone.
    actions = actions_of(past)
    left = len(actions) - 1
    if not 0 < count <= left:
        hint = f"crisis undo {left}" if left else "to throw it all away: crisis end --discard"
        raise too_few(left, count, "undo", hint)
    many = actions[count - 1] + 1
    undone = list(reversed(past[-many:]))
    if journal is not None:
        change = HistoryChange(journal.with_undo(many, fresh), undone)
    else:
        from ..sheets.save_sheets import reopen

        places, undo_line = desk.places, story.with_undo if story is not None else lambda: None
        with desk.campaigns.story_lock():
            after, restored = reopen(
                desk.shelves.sheets(),
                desk.warn,
                before,
                places.journal_path,
                places.file,
                many,
                fresh,
                undo_line,
            )
        change = HistoryChange(after, undone, {undone[0].number: restored})
    desk.recorded.append("the undo")
    return change


def redo(desk: Desk, journal: JournalFile | None, count: int = 1) -> HistoryChange:
    """Redo the actions last undone in the open crisis, or without one in the campaign since its last fight.

    Refused `nothing_to_redo` where there are not so many actions.
    """
    story = None if journal else desk.campaigns.story()
    if story is not None:
        return _redo_in_story(desk, story, count)
    journal = journal or desk.journals.require()
    _require_redoable(journal.crisis, count)
    taken_back = journal.crisis.taken_back
    # The events of an action were undone before it.
    many = [*actions_of(taken_back), len(taken_back)][count]
    redone = list(reversed(taken_back[-many:]))
    last = redone[-1]
    if last.intent.action != "end" or not journal.is_on_disk:
        change = HistoryChange(journal.with_redo(many), redone)
        desk.recorded.append("the redo")
        return change
    crisis = journal.crisis
    for _ in range(many - 1):
        crisis = crisis.redo()
    ending = planned_ending(desk, journal._replace(crisis=crisis), last)
    with desk.campaigns.story_lock():
        journal = journal.with_redo(many, ending)
        desk.recorded.append("the redo")
        written = desk.campaigns.finish_redone_end(journal).written
    return HistoryChange(journal, redone, {last.number: written})


def rewind(desk: Desk, journal: JournalFile, number: int, fresh: bool = False) -> HistoryChange:
    """Undo all that came after an entry and the events that followed from it, in one step.

    0 is the entry that opened the crisis. `fresh`: with new dice from there. Refused where there is no such entry in
    force (`no_entry`), or nothing after it (`nothing_to_undo`).
    """
    past = journal.crisis.done
    # The first entry opened the crisis: it is ended, not undone.
    last_kept = max(1, number)
    while last_kept < len(past) and is_event(past[last_kept]):
        last_kept += 1
    _require_entry(journal.crisis, last_kept)
    journal = journal.with_undo(len(past) - last_kept, fresh)
    desk.recorded.append("the rewind")
    return HistoryChange(journal, list(reversed(past[last_kept:])))


def is_event(entry: Entry) -> bool:
    """Whether an entry is an event of the encounter: it is undone and redone with the action before it."""
    return entry.intent.action == EVENT


def actions_of(entries: Sequence[Entry]) -> list[int]:
    """For each of these entries that is no event, the last first: how many entries come after it."""
    return [behind for behind, entry in enumerate(reversed(entries)) if not is_event(entry)]


def undoes_end(desk: Desk) -> bool:
    """Whether an undo takes back the end of the last crisis, and nothing that has happened after it."""
    story = desk.campaigns.story()
    return story is None or _ends_with_fight(story.crisis)


def _ends_with_fight(story: Crisis) -> bool:
    """Whether the last thing of a story in force is a fight; its end is what is undone then."""
    return bool(story.done) and story.done[-1].intent.action == "fight"


def _last_ended(desk: Desk, story: StoryJournal | None) -> JournalFile:
    """The journal of the crisis that ended last here, which in a campaign is the last of its story; Refused if there is
    none."""
    from ..sheets.journal_file import last_archived, read
    from ..sheets.story_file import fight_journal

    if story is not None:
        return fight_journal(os.path.dirname(story.path), story.crisis.done[-1])
    archive = last_archived(desk.places.journal_path)
    if archive is None:
        return desk.journals.require()
    return read(archive, os.path.basename(archive))


def _since_own_action(crisis: Crisis) -> int:
    """How many actions there are from the player's last one on; Refused if there is none, or none since a fighter that
    played automatically became the player's."""
    fighters = crisis.scene.fighters
    for entry in reversed(crisis.done[1:]):
        if any(event.what == "player" and event.now for event in entry.events):
            break
        actor = fighters.get(entry.intent.actor)
        if actor is not None and actor.player and entry.intent.action not in ("end", "note"):
            return len(actions_of(crisis.done[entry.number - 1 :]))
    raise Refused("you have not acted yet", hint="undo the last entry: crisis undo", code="nothing_to_undo")


def _undo_in_story(desk: Desk, story: StoryJournal, count: int, mine: bool, fresh: bool) -> HistoryChange:
    """Undo what has happened in a campaign since its last fight."""
    if mine:
        raise Refused("you have not acted since the last fight", hint="crisis undo", code="nothing_to_undo")
    since = list(takewhile(lambda entry: entry.intent.action != "fight", reversed(story.crisis.done)))
    if not 0 < count <= len(since):
        raise too_few(len(since), count, "undo", f"crisis undo {len(since)}" if since else "")
    _require_writable(desk, since[:count])
    with desk.campaigns.story_lock():
        undone = story.with_undo(count, fresh)
        desk.recorded.append("the undo")
        return _with_sheets_written(desk, undone, since[:count])


def _redo_in_story(desk: Desk, story: StoryJournal, count: int) -> HistoryChange:
    """Redo what was undone in a campaign since its last fight."""
    _require_redoable(story.crisis, count)
    entries = list(reversed(story.crisis.taken_back[-count:]))
    _require_writable(desk, reversed(entries))
    with desk.campaigns.story_lock():
        redone = story.with_redo(count)
        desk.recorded.append("the redo")
        return _with_sheets_written(desk, redone, entries)


def _require_writable(desk: Desk, entries: Iterable[Entry]) -> None:
    """Raise FileError where a sheet that the entries change cannot be written."""
    from ..sheets.save_sheets import require_writable

    sheets = desk.shelves.sheets()
    for entry in entries:
        require_writable(sheets, entry.sheets)


def _with_sheets_written(desk: Desk, story: StoryJournal, entries: list[Entry]) -> HistoryChange:
    """What was undone or redone in a story, its sheets written; its caller holds the lock."""
    from ..sheets.story_file import write_sheets

    desk.caches.story, written = write_sheets(desk.shelves.sheets(), desk.warn, story)
    sheets = {
        entry.number: [name for name in written if name in entry.sheets] for entry in entries if entry.sheets
    }
    return HistoryChange(story, entries, sheets)


def _require_redoable(crisis: Crisis, count: int) -> None:
    """Raise Refused if fewer than `count` actions can be redone."""
    left = len(actions_of(crisis.taken_back))
    if not 0 < count <= left:
        raise too_few(left, count, "redo", "redo takes back an undo, until there is a new action")


def too_few(left: int, count: int, verb: str, hint: str = "") -> Refused:
    """The error where `count` actions are to be undone or redone (`verb`), and there are only `left`."""
    message = f"there {'is' if left == 1 else 'are'} only {left} action{'' if left == 1 else 's'} to {verb}"
    return Refused(
        f"{message}, not {count}" if 0 < left < count else f"there is nothing to {verb}",
        hint=hint,
        code="nothing_to_undo" if verb == "undo" else "nothing_to_redo",
    )


def _require_entry(crisis: Crisis, last_kept: int) -> None:
    """Raise Refused if there is no such entry, or nothing after it to undo."""
    last = len(crisis.done)
    if last_kept < last:
        return
    again = min(last_kept - last, len(crisis.taken_back))
    if last_kept == last:
        raise Refused(
            f"entry {last} is the last one in force: nothing came after it",
            hint="the log: crisis log"
            + (f"; to go forward again: crisis redo {len(crisis.taken_back)}" if crisis.taken_back else ""),
            code="nothing_to_undo",
        )
    raise Refused(
        f"no entry has the number {last_kept} in force; the last one is {last}",
        hint=f"to go forward again: crisis redo {again}" if again else "the log: crisis log",
        code="no_entry",
    )
