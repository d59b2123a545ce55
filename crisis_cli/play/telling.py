"""A crisis told from its journal: its entries, its state at a turn, its exports, and whether the journal is sound."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from ..engine.events import apply_all
from ..engine.journal import Crisis
from ..engine.record import Entry
from ..errors import CrisisError, FileError, Refused
from ..sheets import files, journal_file
from ..systems import load

# The story package is imported where it is used: not all that is told needs it.
if TYPE_CHECKING:
    from ..engine.scene import Fighter, Scene
    from ..engine.verify import Difference
    from ..sheets.journal_file import JournalFile
    from ..story.chronicle import Chronicle
    from ..story.page import Dress
    from .desk import Desk

FORMS = ("markdown", "lonelog", "html", "script")
"""The forms in which a crisis is exported; a campaign in all but the last."""


def read_journal(desk: Desk, name: str | None, verb: str) -> JournalFile:
    """The journal in the file `name`, or else the one in place, open or ended; Refused if there is none, with a hint
    how to name one for the verb."""
    places = desk.places
    if name:
        return journal_file.read(os.path.join(places.cwd, name), name)
    if not files.exists(places.journal_path):
        raise Refused(
            f"no crisis is open here ({places.file})",
            hint=f"name a journal: crisis {verb} FILE",
            code="no_crisis",
        )
    return journal_file.read(places.journal_path, places.file)


def differences(journal: JournalFile) -> list[Difference]:
    """Where a journal differs from what the rules give, and its control characters; it is sound if all are remarks."""
    from ..story.controls import faults

    return faults(load(journal.crisis.scene.system), journal_file.lines(journal))


def entry_numbered(crisis: Crisis, number: int) -> Entry:
    """The entry of that number; Refused if there is none that is not undone."""
    _require_entry(crisis, number)
    return crisis.done[number - 1]


def last_explainable(crisis: Crisis) -> Entry:
    """The last action of a fighter, or entry with rolls; else the last entry."""
    actions = {name for name, row in load(crisis.scene.system).actions.items() if row.window != "table"}
    explainable = (one for one in reversed(crisis.done) if one.rolls or one.intent.action in actions)
    return next(explainable, crisis.done[-1])


def entries_of(crisis: Crisis, first: int, last: int) -> tuple[int, int]:
    """The numbers of the first and the last entry of these rounds; Refused if there is none."""
    from ..story.walk import steps

    walked = list(steps(crisis))
    numbers = [step.entry.number for step in walked if first <= step.round <= last]
    if not numbers:
        reached = f"the last one is {walked[-1].round}" if walked else "there is no entry"
        raise Refused(f"no entry belongs to round {first}; {reached}", hint="crisis log", code="no_entry")
    return numbers[0], numbers[-1]


def state_at(crisis: Crisis, number: int, turn: int = 1) -> Scene:
    """The scene as a turn of a round began; Refused if it never did."""
    last, scene, count = (-1, 0), crisis.start, 0
    for entry in crisis.done:
        before = scene
        scene = apply_all(scene, entry.events)
        if not scene.turn or (before.round, before.turn) == (scene.round, scene.turn):
            continue
        count = 1 if before.round != scene.round or not before.turn else count + 1
        last = (scene.round, count)
        if last == (number, turn):
            return scene
    reached = f"the last one was turn {last[1]} of round {last[0]}" if last[1] else "no turn has begun"
    raise Refused(
        f"there was no turn {turn} of round {number}: {reached}", hint="crisis log", code="no_entry"
    )


def told(crisis: Crisis, since: int | None = None, until: int | None = None) -> Crisis:
    """The part of a crisis from one entry to another, as stories tell it: without control characters in its texts.

    Refused where there is no entry to begin with.
    """
    from ..story.controls import with_escapes

    return _part(with_escapes(crisis), since, until)


def export(
    desk: Desk, crisis: Crisis, form: str, dress: Dress, since: int | None = None, until: int | None = None
) -> str:
    """The text of a crisis in one of `FORMS`, from one entry to another; `dress` holds its title, and how a page looks.

    Refused where there is no entry to begin with, FileError where the journal holds what cannot be shown.
    """
    from ..render.style import harmless
    from ..render.text import fit_to_show

    crisis = _part(crisis, since, until) if form == "script" else told(crisis, since, until)
    system = load(crisis.scene.system)
    with fit_to_show("the journal"):
        if form == "script":
            from ..story.script import script

            return script(crisis, system, partial(_sheet_now, desk))
        if form == "markdown":
            from ..story.markdown import markdown

            return harmless(markdown(crisis, system, dress.title))
        if form == "lonelog":
            from ..story.lonelog import lonelog

            return harmless(lonelog(crisis, system, dress.title))
        from ..story.page import page

        return harmless(page(crisis, system, dress))


def chronicle(desk: Desk, since: int = 1, full: bool = False) -> Chronicle:
    """The chronicle of the campaign from a day on, the fight that is open included; with `full` each entry is told."""
    from ..render.text import fit_to_show
    from ..story import chronicle as story

    campaign, journal = desk.campaigns.campaign(), desk.journals.active()
    session = desk.campaigns.require_story_session()
    assert session.crisis is not None
    with fit_to_show("the story"):
        return story.chronicle(
            campaign, session.crisis, journal.crisis if journal else None, since, full, desk.warn
        )


def export_chronicle(chronicle: Chronicle, form: str) -> str:
    """The text of a chronicle in one of `FORMS` but `script`; FileError where it holds what cannot be shown."""
    from ..render.style import harmless
    from ..render.text import fit_to_show
    from ..story import chronicle as story

    written = {"markdown": story.markdown, "lonelog": story.lonelog, "html": story.page}[form]
    with fit_to_show("the story"):
        return harmless(written(chronicle))


def text_of(journal: JournalFile) -> str:
    """The text of a journal; empty if it is kept in memory."""
    if not journal.is_on_disk:
        return ""
    data = files.read_bytes(
        journal.path, journal.display_path, journal_file.LARGEST, "journal", "bad_journal"
    )
    return data.decode("utf-8", "replace")


def write(desk: Desk, name: str, content: str, overwrite: bool, journal: JournalFile | None) -> None:
    """Write a text to a file; FileError where the file exists and may not be replaced, as the journal never may."""
    path = files.path_from(desk.places.cwd, name)
    if os.path.isdir(path):
        raise FileError(f"{name} is a folder", code="unwritable")
    is_there, is_file = files.exists(path), os.path.isfile(path)
    is_journal = journal and is_there and files.exists(journal.path) and os.path.samefile(path, journal.path)
    if is_there and (not is_file or is_journal):
        what = "the journal itself" if is_file else "no ordinary file"
        raise FileError(f"{name} is {what}", hint="name another file", code="unwritable")
    files.export(path, content, name, overwrite)


def _part(crisis: Crisis, since: int | None, until: int | None) -> Crisis:
    crisis = crisis if until is None else crisis.until(until)
    if since is None:
        return crisis
    _require_entry(crisis, since)
    return crisis.since(since)


def _require_entry(crisis: Crisis, number: int) -> None:
    """Raise Refused if no entry in force has that number."""
    if number > len(crisis.done):
        raise Refused(
            f"no entry has the number {number}; the last one is {len(crisis.done)}",
            hint="crisis log",
            code="no_entry",
        )


def _sheet_now(desk: Desk, fighter: Fighter) -> Mapping[str, Any] | None:
    """The values of a fighter's sheet as it is now; None where it is not found or cannot be read."""
    try:
        return desk.shelves.sheets().read(str(fighter.sheet["name"])).values
    except CrisisError:
        return None
