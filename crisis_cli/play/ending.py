"""The end of a crisis: its last entry, the sheets, and the archive of its journal; and sheets saved before it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from ..engine.events import apply_all
from ..engine.scene import Intent
from ..engine.sides import decided
from ..errors import Refused
from ..render.next_steps import NextStep, records
from ..sheets import save_sheets
from ..values import NamedTuple
from .answers import Answers, Given
from .desk import Desk
from .dice import AUTOMATIC
from .next_steps import next_steps
from .perform import make_entry, perform_and_record
from .results import Result
from .session import Session


class Ended(NamedTuple):
    """A crisis that has ended."""

    result: Result
    archive: str
    """The name of its journal, as it is shown; empty if it was kept in memory."""
    sheets: list[str]
    """The sheets that were written."""
    next: Sequence[NextStep] = ()
    """What to do now; nothing after a crisis that was kept in memory, or thrown away."""

    def to_dict(self) -> dict[str, Any]:
        """The end as `crisis end --json` prints it."""
        return self.result.to_dict() | {"next": records(self.next)}


def end(
    desk: Desk, session: Session, save: bool = True, why: str = "", name: str = "", discard: bool = False
) -> Ended:
    """End a crisis: write the sheets if asked to, and archive its journal. `name` is what the story calls it; with
    `discard` no sheet is written, and the story does not list it."""
    said = {key: value for key, value in (("why", why), ("name", name), ("discard", discard)) if value}
    values = {"save": save and not discard, **said}
    done = perform_and_record(desk, session, Intent("end", "", (), values), AUTOMATIC)
    journal = done.session.journal
    assert journal is not None
    if journal.is_on_disk:
        written, archive = desk.campaigns.finish_end(journal)
        shown = desk.places.shown_archive(archive) if archive else ""
        return Ended(done, shown, written, () if discard else next_steps(desk, journal.crisis, shown))
    sheets, written = desk.shelves.sheets(), list[str]()
    if journal.crisis.ending:
        allowed = save_sheets.only_in_reach(sheets, desk.warn, os.path.dirname(journal.path))
        written = save_sheets.write_changes(sheets, desk.warn, journal.crisis.ending.sheets, allowed)
    return Ended(done, "", written)


class Saved(NamedTuple):
    """An open crisis whose sheets were saved."""

    session: Session
    sheets: list[str]
    """The sheets that were written."""


def save(desk: Desk, session: Session) -> Saved:
    """Write to the sheets what the end of an open crisis would; the crisis stays open."""
    journal = session.journal
    assert journal is not None
    entry, _ = make_entry(
        desk, AUTOMATIC, session, Intent("end"), Answers(Given()), len(journal.crisis.done) + 1
    )
    after = apply_all(session.scene, entry.events)
    sheets = desk.shelves.sheets()
    allowed = save_sheets.only_in_reach(sheets, desk.warn, os.path.dirname(journal.path))
    before = save_sheets.states_before(session.system, journal.crisis)
    plan = save_sheets.plan_changes(sheets, desk.warn, session.system, after, before, allowed)
    if not plan.states:
        return Saved(session, [])
    # Recorded before and after: after a crash in between, the new values are not taken for edits by hand.
    journal = journal.with_saving(plan.states)
    written = save_sheets.write_changes(sheets, desk.warn, plan.changes, allowed)
    desk.recorded.append("the save")
    return Saved(session._replace(journal=journal.with_save(plan.states)), written)


def require_undecided(session: Session) -> None:
    """Raise Refused if at most one side of the crisis can still fight."""
    if decided(session.system, session.scene):
        raise Refused("the crisis is decided", hint="end it: crisis end", code="decided")


def is_over(desk: Desk, session: Session, intent: Intent, rounds: int) -> bool:
    """Whether a round after the last of so many would begin with an intent."""
    if session.scene.round < rounds or intent.action in session.system.actions:
        return False
    # Tries what comes next, only to see its round: dice do not change that, so nobody is asked for them.
    entry, _ = make_entry(desk, AUTOMATIC, session, intent, Answers(Given()))
    return apply_all(session.scene, entry.events).round > rounds
