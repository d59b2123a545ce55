"""The campaign in use and its story."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING

from .. import systems
from ..errors import CrisisError, FileError, Refused, Usage
from ..sheets.store import CAMPAIGN, campaign_above
from ..values import NamedTuple
from .caches import Caches
from .session import Session
from .shelves import Shelves

if TYPE_CHECKING:
    from ..sheets.campaign import Campaign, CampaignFile
    from ..sheets.journal_file import JournalFile
    from ..sheets.save_sheets import Finished
    from ..sheets.story_file import StoryJournal

Warn = Callable[..., None]
"""Takes a warning and its code (`sheet` where none is said)."""


class World(NamedTuple):
    """What comes from outside but for files: the time, seeds, the version of the program."""

    clock: Callable[[], str]
    """Gives the time now, as `2026-11-20T19:07:02Z`."""
    fresh_seed: Callable[[], int]
    program: str

    def roll_die(self, sides: int) -> int:
        """A face of a die that is rolled in the place of a real one; no seed decides it."""
        from ..dice.generator import generator

        return int(generator(self.fresh_seed()).random() * sides) + 1


class Campaigns(NamedTuple):
    """The campaign in use: its file, and its story, which is kept up to date with the fights."""

    shelves: Shelves
    world: World
    warn: Warn
    caches: Caches

    def campaign(self) -> Campaign:
        """The campaign in use; Refused without one, FileError if its file has faults. Warns of one around it."""
        from ..sheets import campaign

        return campaign.sound(self.campaign_file())

    def campaign_file(self) -> CampaignFile:
        """The file of the campaign in use with its faults; Refused without one. Warns of one around it."""
        from ..sheets import campaign

        places = self.shelves.places
        if places.campaign_folder is None:
            raise Refused(
                "there is no campaign here",
                hint="make one: crisis campaign new NAME WHO…; or name its folder: --campaign DIR",
                code="no_campaign",
            )
        outer = campaign_above(os.path.dirname(os.path.realpath(places.campaign_folder)))
        if outer is not None:
            self.warn(f"this campaign is inside another one, {outer}; this one is used", "nested_campaign")
        return campaign.as_written(places.campaign_folder, places.shown_in_campaign(CAMPAIGN))

    def story(self) -> StoryJournal | None:
        """The story of the campaign, with a line for every fight, and its sheets written; None without a campaign,
        with a journal of its own, or before anything has happened."""
        story = self._read_story()
        if story is None:
            return None
        from ..sheets.story_file import new_fights

        if story.crisis.unwritten or any(True for _ in new_fights(story, self.warn)):
            # Only now: to read needs no leave to write. Another run may be in the middle of just that.
            with self.story_lock():
                story = self._read_story()
                return None if story is None else self._kept_up(story)
        self.caches.story = story
        return story

    @contextmanager
    def story_lock(self) -> Iterator[None]:
        """A block in which no other run writes to the story of the campaign, or moves the journal of a fight; blocks
        inside it, and those without a story, need no lock."""
        places = self.shelves.places
        folder = places.story_folder
        if folder is None or self.caches.holds_story:
            yield
            return
        from ..sheets.campaign import STORY
        from ..sheets.files import locked
        from ..sheets.journal_file import JOURNALS

        with locked(os.path.join(folder, JOURNALS), places.shown_in_campaign(STORY)):
            self.caches.holds_story = True
            try:
                yield
            finally:
                self.caches.holds_story = False

    def _read_story(self) -> StoryJournal | None:
        """The story as it is on disk, or a new one where there are fights; None as for `story`."""
        from ..sheets import story_file
        from ..sheets.campaign import STORY

        places = self.shelves.places
        folder = places.story_folder
        if folder is None:
            return None
        story = story_file.read(folder, places.shown_in_campaign(STORY), self.caches.story)
        if story is None:
            return self._new_story() if story_file.journals_in(folder) else None
        if story.torn_end.strip():
            self.warn(f"the last line of {story.display_path} was cut short", "torn_journal")
        return story

    def _kept_up(self, story: StoryJournal) -> StoryJournal:
        """The story with a line for every fight, and its sheets written."""
        from ..sheets import story_file

        story = story_file.caught_up(story, self.warn)
        self.caches.story = story_file.write_sheets(self.shelves.sheets(), self.warn, story)[0]
        return self.caches.story

    def _new_story(self) -> StoryJournal:
        """A story of which nothing is written yet."""
        from ..sheets import story_file
        from ..sheets.campaign import STORY

        campaign, world = self.campaign(), self.world
        package = systems.package(campaign.system)
        shown = self.shelves.places.shown_in_campaign(STORY)
        return story_file.begin(campaign, shown, world.program, world.fresh_seed(), world.clock(), package)

    def require_story_session(self) -> Session:
        """The session of the story; Refused without a campaign, Usage with a journal outside it."""
        self.campaign()
        session = self.story_session()
        if session is None:
            raise Usage(
                f"{self.shelves.places.own_file} is a journal outside the campaign",
                hint="leave out --file and $CRISIS_FILE",
                code="conflicting_options",
            )
        return session

    def story_session(self) -> Session | None:
        """The session of the story, in which one acts between the fights of a campaign; None without a campaign."""
        if self.shelves.places.story_folder is None:
            return None
        story = self.story() or self._new_story()
        system = systems.load(story.crisis.scene.system)
        return Session(system, story.crisis.scene, story, self.shelves.sheets())

    def require_place_for_journal(self) -> None:
        """Raise FileError where the journal of a fight of the campaign could not be archived."""
        folder = self.shelves.places.story_folder
        if folder is not None:
            from ..sheets.story_file import require_journals

            require_journals(folder)

    def finish_end(self, journal: JournalFile) -> Finished:
        """Finish the end of a crisis: write the sheets, and archive the journal; in a campaign it becomes one of its
        fights, with a line in the story."""
        return self._finished(journal, self.story)

    def finish_redone_end(self, journal: JournalFile) -> Finished:
        """Finish an end that is redone: its line in the story is redone with it, and what was undone after it can be,
        too."""
        from ..sheets import story_file

        def redone() -> None:
            story = self._read_story()
            if story is not None:
                self._kept_up(story_file.with_fight_redone(story))

        return self._finished(journal, redone)

    def _finished(self, journal: JournalFile, write_line: Callable[[], object]) -> Finished:
        """The sheets written and the journal archived; in a campaign `write_line` brings its story up to date."""
        from ..sheets.save_sheets import finish_end, unfinished_error

        folder, sheets = self.shelves.places.story_folder, self.shelves.sheets()
        if folder is None or journal.crisis.done[-1].intent.get("discard"):
            return finish_end(sheets, self.warn, journal)
        from ..sheets.story_file import archive_name

        try:
            with self.story_lock():
                story = None
                with suppress(CrisisError):
                    # What is wrong with it is said where its line is written.
                    story = self._read_story()
                known = None if story is None else story.crisis
                finished = finish_end(sheets, self.warn, journal, partial(archive_name, folder, known))
                try:
                    write_line()
                except CrisisError as error:
                    self.warn(f"the fight has no line in the story yet: {error.message}", "story")
        except FileError as error:
            raise unfinished_error(journal.crisis, error) from error
        return finished
