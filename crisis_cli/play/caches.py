"""What a run has read and worked out, so that it is not done again."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..ai.doctrine_store import DoctrineStore
    from ..dice.distribution import OddsTable
    from ..sheets.journal_file import JournalFile
    from ..sheets.story_file import StoryJournal


class Caches:
    """What a run has read and worked out; shared by all of its lines."""

    def __init__(self) -> None:
        self.journal: JournalFile | None = None
        """The journal as last read, so that only new lines are read again."""
        self.story: StoryJournal | None = None
        """The story of the campaign as last read."""
        self.holds_story = False
        """Whether this run holds the lock of the story."""
        self.doctrines: DoctrineStore | None = None
        self.left_out: list[str] | None = []
        """What the player was not asked for, in words; None once that is shown."""
        self._odds_table: OddsTable | None = None

    def leave_out(self, words: str) -> None:
        """Note what the player was not asked for, until that is shown."""
        if self.left_out is not None:
            self.left_out.append(words)

    @property
    def odds_table(self) -> OddsTable:
        """The table that answers rules with exact odds, and keeps the answers."""
        if self._odds_table is None:
            from ..dice.distribution import OddsTable

            self._odds_table = OddsTable()
        return self._odds_table
