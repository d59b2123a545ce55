"""Candidates in a campaign: its open threads, what its last fight left, and sheets that are gone."""

from __future__ import annotations

import json
import os
from itertools import chain

from ..engine.journal import Crisis
from ..engine.record import Entry
from ..errors import CrisisError
from ..sheets.files import no_link
from .line import Candidates, CommandLine, candidate

LONGEST = 8_000_000
"""Most characters of the first line of a journal that is read for completion."""


def threads(line: CommandLine) -> Candidates:
    """The numbers of the open threads, with what they ask."""
    from ..sheets import campaign
    from ..sheets.store import CAMPAIGN
    from ..story.campaign import open_threads

    folder, story = line.context.desk.places.campaign_folder, _story(line)
    if folder is None or (story is None and line.crisis is None):
        return
    try:
        there = campaign.read(folder, CAMPAIGN)
    except CrisisError:
        return
    for one in open_threads(there, story, line.crisis, lambda message: None):
        yield candidate(str(one.number), one.text)


def loot(line: CommandLine) -> Candidates:
    """The numbers of what the last fight left and nobody has taken, each with what it is, and the word for all."""
    from ..sheets.journal_file import JOURNALS
    from ..sheets.story_file import bare_name, fight_journal
    from ..story.spoils import last_spoils

    folder, story = line.context.desk.places.story_folder, _story(line)
    if folder is None or story is None or line.crisis is not None:
        return

    def crisis_of(fight: Entry) -> Crisis | None:
        path = os.path.join(folder, JOURNALS, bare_name(str(fight.intent.get("file"))))
        return fight_journal(folder, fight).crisis if os.path.getsize(path) <= LONGEST else None

    try:
        spoils = last_spoils(story.done, crisis_of)
    except (CrisisError, OSError):
        return
    if spoils is None or not spoils.untaken:
        return
    for one in spoils.untaken:
        yield candidate(str(one.number), spoils.words(one))
    yield candidate("all", "everything that is left")


def lost_sheets(line: CommandLine) -> Candidates:
    """The sheets of the campaign that fought or rested in it and are gone, by their file names without `.toml`."""
    from ..sheets.files import exists, file_stem
    from ..sheets.journal_file import JOURNALS
    from ..sheets.story_file import journals_in

    folder, story = line.context.desk.places.campaign_folder, _story(line)
    if folder is None or story is None:
        return
    # The first lines alone: journals can be long, and those who fought stand there.
    heads = (_fighters(os.path.join(folder, JOURNALS, name)) for name in journals_in(folder))
    rested = (entry.intent.get("fighters", ()) for entry in story.done)
    files = {one.get("file", ""): one["name"] for one in chain(*heads, *rested)}
    for file, name in files.items():
        path = os.path.join(folder, file)
        if os.path.dirname(path) == os.path.join(folder, "characters") and not exists(path):
            yield candidate(file_stem(path), name)


def _fighters(path: str) -> list[dict[str, str]]:
    """The names and files of the fighters in the first line of a journal; none where it cannot be read."""
    try:
        with open(path, encoding="utf-8-sig", opener=no_link) as lines:
            found = json.loads(lines.readline(LONGEST))["fighters"]
        return [{"name": str(one["name"]), "file": str(one.get("file", ""))} for one in found]
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return []


def _story(line: CommandLine) -> Crisis | None:
    """The story of the campaign, read without warnings; None where there is none that can be read."""
    from ..sheets import story_file
    from ..sheets.campaign import STORY

    folder = line.context.desk.places.story_folder
    if folder is None:
        return None
    try:
        story = story_file.read(folder, STORY)
    except (CrisisError, OSError):
        return None
    return story.crisis if story else None
