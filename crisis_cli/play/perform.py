"""An action performed and recorded: in the journal of the open crisis, or for a one-off."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ..engine.events import apply_all
from ..engine.record import EVENT, Entry
from ..engine.rest import BETWEEN
from ..engine.scene import Intent
from ..errors import FileError
from ..systems import load
from .answers import Answers, Given, Player, carried
from .desk import Desk
from .dice import AUTOMATIC, KEPT, Dice, Keep
from .results import Result
from .session import Session
from .table import resolved, table

# What only some actions need is imported where it is used.
if TYPE_CHECKING:
    from ..engine.journal import Crisis, Ending
    from ..sheets.journal_file import JournalFile

MAX_ATTEMPTS = 3
"""How often an action is performed again because another program changed the journal first."""


def perform_and_record(
    desk: Desk, session: Session, intent: Intent, dice: Dice, keep: Keep = KEPT, player: Player | None = None
) -> Result:
    """Perform an intent and record it, unless nothing is kept; a player answers its questions.

    If another program has changed the journal meanwhile, it is performed again, unless real dice were rolled.
    """

    # Before the first attempt: a one-off that is performed again has the same seed.
    dice = resolved(desk, session, dice)

    def attempt(given: Given) -> Result:
        return perform_once(desk, session, intent, dice, keep, Answers(given))

    for _ in range(MAX_ATTEMPTS - 1):
        try:
            return carried(attempt, player)
        except FileError as error:
            if intent.action in (*BETWEEN, "take"):
                # It holds what the sheets said, which may have changed as well.
                raise
            session = moved_on(desk, session, dice, error)
    return carried(attempt, player)


def perform_once(
    desk: Desk, session: Session, intent: Intent, dice: Dice, keep: Keep, answers: Answers
) -> Result:
    """Perform an intent and the events that follow from it, and record them in one step, unless nothing is kept.

    Waiting, and nothing is recorded, where an answer is missing; FileError `moved` where the journal has changed.
    """
    dice = resolved(desk, session, dice)
    crisis = session.crisis
    number = len(crisis.done) + 1 if crisis else 1
    own_seed = dice.seed if crisis and dice.results is None else None
    entry, seed = make_entry(desk, dice, session, intent, answers, number, own_seed)
    if keep.is_dry:
        return Result(session, entry, seed)
    if session.journal is None:
        if keep.saves:
            _save_sheets(desk, session, entry)
            desk.recorded.append("the result")
        return Result(session, entry, seed)
    events = tuple(following_events(desk, session, session.journal.crisis, entry, dice.real, answers))
    journal = append_entry(desk, session.journal, entry, events)
    if journal.is_on_disk:
        desk.recorded.append(f"entry {entry.number}")
    return Result(session._replace(journal=journal, scene=journal.crisis.scene), entry, seed)


def has_real_dice(desk: Desk, session: Session, dice: Dice) -> bool:
    """Whether people roll dice for an action: what they rolled is for the crisis as it was."""
    dice = resolved(desk, session, dice)
    return dice.real or dice.mine


def moved_on(desk: Desk, session: Session, dice: Dice, error: FileError) -> Session:
    """The session as another program has left it, after the error that says so; any other error is raised again, and so
    is this one where real dice were rolled or no crisis is open any more."""
    if has_real_dice(desk, session, dice):
        raise error
    return read_anew(desk, session, error)


def read_anew(desk: Desk, session: Session, error: FileError) -> Session:
    """The session as another program has left it, after the error that says so; any other error is raised again, and so
    is this one where no crisis is open any more."""
    if error.code != "moved":
        raise error
    is_story = session.crisis is not None and session.crisis.is_story
    if is_story and desk.journals.active() is not None:
        raise error
    of_story = desk.campaigns.story_session() if is_story else None
    if of_story is None:
        desk.journals.require()
    return of_story or desk.open_session()


def following_events(
    desk: Desk, session: Session, crisis: Crisis, entry: Entry, has_real_dice: bool, answers: Answers
) -> Iterator[Entry]:
    """The entries of the encounter's events that follow from an entry: by real dice where the entry has real dice, else
    by the seed of the crisis."""
    if session.scene.encounter is None or entry.intent.action == "end":
        return
    from ..engine.encounter_events import LONGEST_CHAIN, due

    dice = AUTOMATIC._replace(real=has_real_dice)
    scenes = [crisis.scene if crisis.done else None]
    crisis = crisis.after(entry)
    for _ in range(LONGEST_CHAIN):
        scenes.append(crisis.scene)
        trigger = due(session.system, scenes)
        if trigger is None:
            return
        intent = Intent(EVENT, "", (), {"event": trigger.number, "because": entry.number})
        journal = session.journal._replace(crisis=crisis) if session.journal else None
        now = session._replace(scene=crisis.scene, journal=journal)
        event, _ = make_entry(desk, dice, now, intent, answers, len(crisis.done) + 1)
        yield event
        crisis = crisis.after(event)


def with_events(session: Session, entry: Entry) -> tuple[Entry, ...]:
    """An entry, and after it the events that followed from it, given the session right after them."""
    return (entry, *session.done[entry.number :])


def append_entry(desk: Desk, journal: JournalFile, entry: Entry, events: Sequence[Entry] = ()) -> JournalFile:
    """Append an entry to the journal, with the events that follow from it in one step; the end of a crisis with the
    sheets that it will write. A rest in the story of a campaign, and things taken, write their sheets at once."""
    if journal.crisis.is_story:
        with desk.campaigns.story_lock():
            desk.journals.require_none()
            return _append_to_story(desk, journal, entry)
    if entry.intent.action != "end":
        return journal.with_entry(entry, *events)
    return journal.with_end(entry, planned_ending(desk, journal, entry))


def _append_to_story(desk: Desk, story: JournalFile, entry: Entry) -> JournalFile:
    """Append an entry to the story of the campaign, and write the sheets of those who rest, are cared for or take
    something."""
    if entry.intent.action not in (*BETWEEN, "take"):
        return story.with_entry(entry)
    from ..sheets.story_file import with_sheets, with_taken

    append = with_taken if entry.intent.action == "take" else with_sheets
    system = load(story.crisis.scene.system)
    return append(desk.shelves.sheets(), desk.warn, system, story, entry)


def planned_ending(desk: Desk, journal: JournalFile, entry: Entry) -> Ending:
    """What the entry that ends a crisis will write, given the journal before it."""
    from ..sheets import save_sheets

    after = apply_all(journal.crisis.scene, entry.events)
    saves = entry.intent.get("save", True)
    return save_sheets.plan_ending(
        desk.shelves.sheets(), desk.warn, journal, after, saves, desk.world.clock()
    )


def make_entry(
    desk: Desk,
    dice: Dice,
    session: Session,
    intent: Intent,
    answers: Answers,
    number: int = 1,
    own_seed: int | None = None,
) -> tuple[Entry, int | None]:
    """The entry of an intent, not recorded, and the seed of its dice; Waiting where an answer is missing."""
    from ..engine.perform import perform

    made, seed, finish = table(desk, dice, session, intent, answers)
    entry = perform(session.system, session.scene, intent, made, number, own_seed)
    finish()
    return entry, seed


def _save_sheets(desk: Desk, session: Session, entry: Entry) -> None:
    from ..sheets import save_sheets
    from ..sheets.fighters import lasting

    after = apply_all(session.scene, entry.events)
    before = {one.name: (lasting(session.system, one),) for one in session.scene.fighters.values()}
    sheets = desk.shelves.sheets()
    allowed = save_sheets.only_own(sheets, desk.warn)
    plan = save_sheets.plan_changes(sheets, desk.warn, session.system, after, before, allowed)
    save_sheets.write_changes(sheets, desk.warn, plan.changes, allowed)
