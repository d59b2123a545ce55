"""The story of a campaign on disk: what happened between its fights, a line for each fight, and the sheets it writes.

The story is a journal (`journal_file`) whose header says `story`; it never ends. A fight has a journal of its
own under journals/, and has one line here, written once it is there: a run that is stopped in between leaves it to
the next one (`caught_up`). A line that changes sheets holds their texts before and after; a run that is stopped
before they are written leaves that to the next one, too (`write_sheets`).
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterator, Mapping
from typing import Any, Self

from ..engine.events import apply_all
from ..engine.journal import Crisis, begun, header, read_back, written_record
from ..engine.record import Entry, SheetChange
from ..engine.rest import brought
from ..engine.scene import Fighter, Intent
from ..engine.sides import rounds_played, sides_of, victor
from ..engine.system import System
from ..errors import CrisisError, FileError
from ..systems import load
from . import journal_file
from .campaign import STORY, Campaign
from .fighters import lasting, numbered
from .files import REMEDIES, exists, inside, leads_out, path_below, replace, write_error
from .journal_file import JOURNALS, JournalFile
from .save_sheets import Warn, only_in_reach, patch_sheet, plan_changes, write_changes
from .store import CAMPAIGN, Store
from .things import commented, with_things

FOLDERS = (JOURNALS, "characters", "tables", "encounters", "doctrines")
"""The folders of a campaign."""
LONGEST_SLUG = 40
"""Most characters of a fight's name in the name of its journal."""


class StoryJournal(JournalFile):
    """The story of a campaign as read from its file, or a new one that is written with its first line."""

    def with_written(self) -> Self:
        """The story with a note, on disk, that the sheets are written as it says."""
        return self._append(written_record(len(self.crisis.done)))

    def _append_locked(self, *records: Mapping[str, Any]) -> Self:
        records = tuple({**record, "day": self.crisis.day} for record in records)
        if self.size or exists(self.path):
            return super()._append_locked(*records)
        text, crisis = read_back((self.crisis.header, *records), load)
        replace(self.path, text, self.display_path)
        data = text.encode("utf-8")
        return self._replace(crisis=crisis, size=len(data), checksum=zlib.crc32(data))


def read(campaign_folder: str, display_path: str, known: JournalFile | None = None) -> StoryJournal | None:
    """The story in the folder of a campaign; None if nothing has happened yet."""
    path = os.path.join(campaign_folder, STORY)
    if not exists(path):
        return None
    try:
        journal = journal_file.read(path, display_path, known)
    except FileError as error:
        whole = error.about.get("whole")
        if isinstance(whole, int):
            error.hint = _way_on(display_path, whole)
        raise
    if not journal.crisis.is_story:
        raise FileError(
            f"{display_path} is the journal of a fight, and no story",
            hint="give it another name",
            code="bad_journal",
        )
    return StoryJournal(*journal)


def _way_on(display_path: str, whole: int) -> str:
    """What can be done with a story of which so many lines are whole."""
    if not whole:
        return f"move {display_path} away: the next command begins a new story from the fights in {JOURNALS}/"
    first = "the first line of it is whole" if whole == 1 else f"the first {whole} lines of it are whole"
    return f"{first}: keep a copy, and delete the others; fights in {JOURNALS}/ get their lines again"


def begin(
    campaign: Campaign, display_path: str, program: str, seed: int, opened: str, package: str
) -> StoryJournal:
    """A new story; nothing of it is written before its first entry."""
    begins = {"story": 1, "day": campaign.day, "tension": campaign.tension}
    head = header(program, campaign.system, seed, opened, (), {}, package) | begins
    return StoryJournal(os.path.join(campaign.folder, STORY), display_path, begun(head), 0, 0)


# Sheets


def with_sheets(store: Store, warn: Warn, system: System, story: JournalFile, entry: Entry) -> StoryJournal:
    """The story with an entry that changes the sheets of its targets, and the sheets written."""
    after = apply_all(story.crisis.scene, entry.events)
    before = {name: (_stated(system, one),) for name, one in brought(entry.intent).items()}
    targets = {name: after.fighters[name] for name in entry.intent.targets}
    allowed = only_in_reach(store, warn, os.path.dirname(story.path))
    plan = plan_changes(store, warn, system, after._replace(fighters=targets), before, allowed)
    return write_sheets(store, warn, story.with_entry(entry._replace(sheets=plan.changes)))[0]


def with_taken(store: Store, warn: Warn, system: System, story: JournalFile, entry: Entry) -> StoryJournal:
    """The story with an entry in which somebody takes what a fight has left, and their sheet written."""
    intent, now, changes = entry.intent, entry.outcome["now"], dict[str, SheetChange]()
    if now:
        file, (who,) = str(intent.get("file")), intent.targets
        path = store.path_of(file)
        sheet, display_path = store.read(path), store.display_path(path)
        text, is_rewritten = patch_sheet(sheet, with_things(system, sheet, now), display_path)
        new = [tuple(key.split(":", 1)) for key, before in intent.get("was").items() if before is None]
        text = commented(text, new, f"from {intent.get('source')}, day {story.crisis.day}")
        changes[who] = SheetChange(file, sheet.mark + sheet.text, sheet.mark + text, is_rewritten)
    return write_sheets(store, warn, story.with_entry(entry._replace(sheets=changes)))[0]


def _stated(system: System, one: Fighter) -> dict[str, Any]:
    """The state that the sheet of a fighter gives, with conditions that no sheet keeps after a fight or a rest."""
    return lasting(system, one) | {f"condition:{name}": level for name, level in one.conditions.items()}


def write_sheets(store: Store, warn: Warn, story: JournalFile) -> tuple[StoryJournal, list[str]]:
    """The story whose sheets are written as it says, and whose they are; those changed since are left as they are."""
    sheets = story.crisis.unwritten
    if not sheets:
        return StoryJournal(*story), []
    try:
        is_allowed = only_in_reach(store, warn, os.path.dirname(story.path))
        written = write_changes(store, warn, sheets, is_allowed, has_things=True)
        journal = StoryJournal(*story).with_written()
    except FileError as error:
        raise FileError(
            f"what happened is recorded in {story.display_path}, but {error.message}",
            hint=f"{REMEDIES.get(error.code, 'see to that')}; the next command of the campaign writes the sheets "
            "(crisis campaign)",
            code=error.code,
            recorded=True,
        ) from error
    return journal, written


# Fights


def fights(story: Crisis) -> list[Entry]:
    """The entries of a story that are fights."""
    return [entry for entry in story.done if entry.intent.action == "fight"]


def journals_in(folder: str) -> list[str]:
    """The names of the journals of the fights of a campaign, by number; a link is none."""
    try:
        with os.scandir(inside(folder, JOURNALS, JOURNALS)) as there:
            found = [
                one.name
                for one in there
                if one.name.endswith(".jsonl") and one.is_file(follow_symlinks=False)
            ]
    except (OSError, FileError):
        return []
    return sorted(found, key=lambda name: (number_of(name), name))


def links_in(folder: str) -> Iterator[tuple[str, str]]:
    """The links among the files and folders of a campaign that lead out of it, and every link among its journals, with
    where it leads to."""
    for inside_folder in ("", *FOLDERS):
        above = os.path.join(folder, inside_folder)
        for path in sorted(_everything_in(above) if inside_folder else _entries_of(above)):
            shown = os.path.relpath(path, folder).replace(os.sep, "/")
            if os.path.islink(path) and (inside_folder == JOURNALS or path_below(folder, path) is None):
                yield shown, os.readlink(path)


def _entries_of(folder: str) -> list[str]:
    try:
        return [os.path.join(folder, name) for name in os.listdir(folder)]
    except OSError:
        return []


def _everything_in(folder: str) -> Iterator[str]:
    """Files, folders and links below a folder that is no link itself; what links lead to is left out."""
    for above, folders, files in os.walk(folder) if not os.path.islink(folder) else ():
        yield from (os.path.join(above, name) for name in (*folders, *files))


def require_journals(folder: str) -> None:
    """Raise FileError where the journals of a campaign cannot be put into their folder: it is a link out of the
    campaign, or no folder."""
    path = inside(folder, JOURNALS, JOURNALS)
    if os.path.lexists(path) and not os.path.isdir(path):
        raise FileError(
            f"{JOURNALS} is no folder, and the journals of fights go there",
            hint="move it away",
            code="cannot_write",
        )


def strange_sheets(store: Store, folder: str, crisis: Crisis) -> Iterator[tuple[str, str]]:
    """The sheets that a story or a journal of the campaign names, each with whose it is, and that are none of the
    campaign or of the folders of sheets."""
    changes = [entry.sheets for entry in (*crisis.done, *crisis.taken_back)]
    changes += [crisis.ending.sheets] if crisis.ending else []
    named = {change.file: name for sheets in changes for name, change in sheets.items()}
    fighters = {**crisis.scene.fighters, **crisis.start.fighters}.values()
    # Other absolute paths are those of shipped sheets, which are elsewhere on other machines.
    named |= {one.file: one.name for one in fighters if one.file and not os.path.isabs(one.file)}
    for file, name in named.items():
        path = os.path.join(folder, file)
        is_sheet = file.endswith(".toml") and path_below(folder, path) != CAMPAIGN
        if not (is_sheet and store.is_within_reach(path, folder)):
            yield name, file


def number_of(name: str) -> int:
    """The number of the fight in the name of a journal; 0 if there is none."""
    first = name.partition("-")[0]
    return int(first) if first.isascii() and first.isdigit() and len(first) < 7 else 0


def archive_name(folder: str, story: Crisis | None, crisis: Crisis) -> str:
    """Where the journal of a fight that has ended is moved, and what its name begins with: number and name. The number
    is that of no fight of the story, whose journals may have been lost, nor of any other journal."""
    known = [str(entry.intent.get("file")) for entry in fights(story)] if story is not None else []
    number = 1 + max(map(number_of, (*known, *journals_in(folder))), default=0)
    require_journals(folder)
    try:
        os.makedirs(os.path.join(folder, JOURNALS), exist_ok=True)
    except OSError as error:
        raise write_error(JOURNALS, error) from error
    words = "".join(sign if sign.isalnum() else " " for sign in fight_name(crisis).casefold()).split()
    slug = "-".join(words)[:LONGEST_SLUG].rstrip("-") or "fight"
    return os.path.join(folder, JOURNALS, f"{number:03}-{slug}")


def fight_name(crisis: Crisis) -> str:
    """The name of a fight: the one given at its end, that of its encounter, or the names on both sides."""
    last = crisis.done[-1].intent if crisis.done else Intent("end")
    encounter = crisis.header.get("encounter") or {}
    known = encounter.get("values", {}).get("name", "")
    sides = (numbered(names) for names in sides_of(crisis.scene).values())
    return str(last.get("name") or known or " against ".join(sides))


def new_fights(story: StoryJournal, warn: Warn) -> Iterator[Intent]:
    """The line of each fight whose journal is there and that the story does not know yet."""
    known = {str(entry.intent.get("file")) for entry in fights(story.crisis)}
    folder = os.path.dirname(story.path)
    for name in journals_in(folder):
        if name not in known:
            try:
                path = os.path.join(folder, JOURNALS, name)
                crisis = journal_file.read(path, f"{JOURNALS}/{name}").crisis
            except CrisisError as error:
                warn(f"left out: {error.message}")
                continue
            if crisis.scene.over:
                yield fight_intent(name, crisis)


def caught_up(story: StoryJournal, warn: Warn) -> StoryJournal:
    """The story with a line for each fight whose journal is there and that it does not know yet. Its caller holds the
    lock of the campaign: in another run a fight may be on its way in or out."""
    for intent in new_fights(story, warn):
        story = story.with_entry(Entry(len(story.crisis.done) + 1, intent))
    return story


def with_fight_redone(story: StoryJournal) -> StoryJournal:
    """The story with the fight redone whose line was undone last, if its journal is there again."""
    last = story.crisis.taken_back[-1:]
    there = journals_in(os.path.dirname(story.path))
    if not last or last[0].intent.action != "fight" or last[0].intent.get("file") not in there:
        return story
    return story.with_redo(1)


def fight_intent(file: str, crisis: Crisis) -> Intent:
    """The line of a fight."""
    system = load(crisis.scene.system)
    values = {
        "file": file,
        "value": number_of(file),
        "title": fight_name(crisis),
        "opened": crisis.header["opened"],
        "winner": victor(system, crisis.last_scene),
        "rounds": rounds_played(crisis.scene),
    }
    return Intent("fight", "", (), values)


def fight_journal(folder: str, entry: Entry) -> JournalFile:
    """The journal of a fight of the story; FileError if it is not there or cannot be read."""
    name = str(entry.intent.get("file"))
    display_path = f"{JOURNALS}/{name}"
    path = inside(folder, os.path.join(JOURNALS, bare_name(name)), display_path)
    if os.path.islink(path):
        raise leads_out(path, display_path, JOURNALS)
    if not exists(path):
        raise FileError(
            f"there is no journal at {display_path}",
            hint="put it back from a copy: nothing before it can be undone without it",
            code="not_found",
        )
    return journal_file.read(path, display_path)


def bare_name(name: str) -> str:
    """The name of the journal of a fight, as a story may give it; FileError for the path of any other file."""
    is_bare = name == os.path.basename(name) and "/" not in name and "\\" not in name
    if not is_bare or not name.isprintable() or not name.endswith(".jsonl"):
        raise FileError(
            f"the story names {name[:80]!r} as the journal of a fight, and journals have bare names in {JOURNALS}/",
            hint="what is wrong with it: crisis campaign check",
            code="outside",
        )
    return name
