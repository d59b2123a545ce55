"""All that play works with, in one value."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING

from ..errors import Usage
from ..values import NamedTuple
from .caches import Caches
from .campaigns import Campaigns, Warn, World
from .dice import Dice
from .journals import Journals
from .places import Places
from .session import Session
from .shelves import Shelves

if TYPE_CHECKING:
    from ..engine.scene import Fighter
    from ..engine.system import System
    from ..sheets.check import Sheet


USUAL = Dice()


class Desk(NamedTuple):
    """What play works with: the files in reach, the journal and the campaign, the clock and seeds."""

    places: Places
    world: World
    warn: Warn
    caches: Caches
    recorded: list[str]
    """What was recorded so far, in words for errors that come later: "entry 12"; the last one counts."""
    overrides: tuple[str, ...] = ()
    """Values that override those of sheets, each WHO.KEY=VALUE."""
    has_player: bool = False
    """Whether somebody at a terminal is there to be asked."""
    is_sparing: bool = False
    """Whether the player is asked only what the setting of questions allows: at a terminal, but for scripts."""
    questions: str = ""
    """The setting of questions in a crisis whose entries set none; empty for the usual one."""
    in_memory: Mapping[str, Sheet] = {}
    """Sheets without files, by the words that mean them: a program has handed them in."""
    dice: Dice = USUAL
    """Where the dice come from if an action does not say."""

    fight: Session | None = None
    """The fight of a program, which may be kept in memory; None: the crisis in the journal."""

    @property
    def shelves(self) -> Shelves:
        """The sheets, encounters, tables and doctrines in reach."""
        return Shelves(self.places, self.caches, self.in_memory)

    @property
    def campaigns(self) -> Campaigns:
        """The campaign in use and its story."""
        return Campaigns(self.shelves, self.world, self.warn, self.caches)

    @property
    def journals(self) -> Journals:
        """The journal in use."""
        return Journals(self.campaigns)

    @property
    def last_recorded(self) -> str:
        """What was recorded last; empty if nothing was."""
        return self.recorded[-1] if self.recorded else ""

    def has_crisis(self) -> bool:
        """Whether a crisis is open; one whose end was interrupted is finished first."""
        return self.fight is not None or self.journals.active() is not None

    def open_session(self, *groups: Iterable[str], decide_sides: bool = False) -> Session:
        """The open crisis, or else a one-off scene with the fighters of the sheets named in `groups`."""
        from ..engine.scene import Scene
        from ..systems import load

        if self.fight is not None:
            return self.fight
        journal, sheets = self.journals.active(), self.shelves.sheets()
        if journal is not None:
            if self.overrides:
                raise Usage(
                    "--set overrides sheets, and a crisis is open",
                    hint="change a fighter in it: crisis set WHO POOL VALUE",
                    code="not_in_a_crisis",
                )
            return Session(load(journal.crisis.scene.system), journal.crisis.scene, journal, sheets)
        system, fighters = self.gather(*groups, decide_sides=decide_sides)
        return Session(system, Scene(system.name, {one.name: one for one in fighters}), store=sheets)

    def session_in_use(self) -> Session | None:
        """The open crisis, or between fights the story of the campaign; None without either."""
        return self.open_session() if self.journals.active() else self.campaigns.story_session()

    def require_session_in_use(self) -> Session:
        """The open crisis, or between fights the story of the campaign; Refused without either."""
        session = self.session_in_use()
        if session is None:
            raise self.journals.no_crisis_error()
        return session

    def gather(
        self, *groups: Iterable[str], decide_sides: bool = False, taken: Collection[str] = ()
    ) -> tuple[System, list[Fighter]]:
        """The system and the fighters of the sheets named; `taken` are fighter names already in use.

        With `decide_sides` the first group become players and the rest opponents, whatever their sheets say.
        """
        from ..sheets.find_fighters import FighterLoader

        return FighterLoader(self.shelves.sheets(), self.overrides).gather(groups, decide_sides, taken)
