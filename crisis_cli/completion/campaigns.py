"""Candidates in a campaign: its open threads, and sheets that are gone."""

from __future__ import annotations

import json
from itertools import chain
from pathlib import Path

from ..engine.journal import Crisis
from ..errors import CrisisError
from .line import Candidates, Line, candidate


def threads(line: Line) -> Candidates:
    """The numbers of the open threads, with what they ask."""
    from ..sheets import campaign
    from ..sheets.store import CAMPAIGN
    from ..story.campaign import open_threads

    folder, story = line.context.campaign_folder, _story(line)
    if folder is None or (story is None and line.crisis is None):
        return
    try:
        there = campaign.read(folder, CAMPAIGN)
    except CrisisError:
        return
    for one in open_threads(there, story, line.crisis, lambda message: None):
        yield candidate(str(one.number), one.text)


def lost_sheets(line: Line) -> Candidates:
    """The sheets of the campaign that fought or rested in it and are gone, by their file names without `.toml`."""
    from ..sheets.story_file import journals_in

    folder, story = line.context.campaign_folder, _story(line)
    if folder is None or story is None:
        return
    # The first lines alone: journals can be long, and those who fought stand there.
    heads = (_fighters(path) for path in journals_in(folder))
    rested = (entry.intent.get("fighters", ()) for entry in story.done)
    files = {one.get("file", ""): one["name"] for one in chain(*heads, *rested)}
    for file, name in files.items():
        path = folder / file
        if file and path.parent == folder / "characters" and not path.exists():
            yield candidate(path.stem, name)


def _fighters(path: Path) -> list[dict[str, str]]:
    """The fighters in the first line of a journal; none where it cannot be read."""
    try:
        with path.open(encoding="utf-8") as lines:
            found: list[dict[str, str]] = json.loads(lines.readline())["fighters"]
    except (OSError, ValueError, KeyError, TypeError):
        return []
    return found


def _story(line: Line) -> Crisis | None:
    """The story of the campaign, read without warnings; None where there is none that can be read."""
    from ..sheets import story_file
    from ..sheets.campaign import STORY

    folder = line.context.story_folder
    if folder is None:
        return None
    try:
        story = story_file.read(folder, STORY)
    except (CrisisError, OSError):
        return None
    return story.crisis if story else None
