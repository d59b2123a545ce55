"""The crisis that an action belongs to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..values import NamedTuple

if TYPE_CHECKING:
    from ..engine.journal import Crisis
    from ..engine.record import Entry
    from ..engine.scene import Scene
    from ..engine.system import System
    from ..sheets.journal_file import JournalFile
    from ..sheets.store import Store


class Session(NamedTuple):
    """The crisis that an action belongs to: the open one, or a one-off scene made from sheets (`journal` is None)."""

    system: System
    scene: Scene
    journal: JournalFile | None = None
    store: Store | None = None
    """The sheets in reach, to look up a name that no fighter here has."""

    @property
    def crisis(self) -> Crisis | None:
        """The open crisis; None for a one-off."""
        return self.journal.crisis if self.journal else None

    @property
    def done(self) -> tuple[Entry, ...]:
        """The entries in force; none for a one-off."""
        return self.crisis.done if self.crisis else ()
